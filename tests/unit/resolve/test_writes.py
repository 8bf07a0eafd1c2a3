from mlapath.resolve.writes import write_sites

SOURCE = """class A:
    def f(self):
        self.size: int = 1
        self.part.size += 2
        print(f"{self.size=}, {self.size=!r} {self.size=:>3}")
        assert self.size == 3
        setattr(self, "size", 4)
        other, self.size = 1, 2
        self.size, other = 1, 2
        (self.size, self.other), rest = pair
        with open(self.size) as self.size, f(self.size, x=1):
            g(self.size, self.size == 1)
        for self.size in (1, 2):
            h(self.size, self.sizes, size=self.size)
        object.__setattr__(self, "size", 3)
        other, self.size.width = 1, self.size
self_size = 5
a.size = 6
"""


TYPES = """def f(x: torch.size = 1): pass
    kept: torch.size = torch.big,
    y: int | torch.size = 1,
x: b.size = 1
if a: b.size = 1
else: b.size = 1
def g(x: b.size = 1): self.size = x
with a as q: q.size = 1
"""


def test_a_type_with_a_default_is_no_write(tmp_path):
    (tmp_path / "a.py").write_text(TYPES, encoding="utf-8")
    sites = write_sites(tmp_path, iter(["a.py"]), "size")
    assert [(s.line, s.receiver) for s in sites] == [(5, "b"), (6, "b"), (7, "self"), (8, "q")]


def test_writes_are_told_from_reads(tmp_path):
    (tmp_path / "a.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "b.py").write_text("nothing = 1\n", encoding="utf-8")
    sites = write_sites(tmp_path, iter(["a.py", "b.py", "absent.py"]), "size")
    assert [(s.line, s.receiver, s.owner, s.function) for s in sites] == [
        (3, "self", "A", "f"),
        (4, "self.part", "A", "f"),
        (7, "", "A", "f"),
        *((line, "self", "A", "f") for line in (8, 9, 10, 11, 13)),
        (15, "", "A", "f"),
        (18, "a", "", ""),
    ]
