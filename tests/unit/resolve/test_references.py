from mlapath.resolve.references import references

SOURCE = '''"""About forward_mha: forward_mha(q) is called by nobody."""
class A:
    def forward_mha(self):
        return super().forward_mha()  # forward_mha again
    def run(self):
        """forward_mha"""
        if self.forward_mha2:
            raise ValueError("A.forward_mha does not work")
        return self.impl.forward_mha(
            1
        )
    def named(self):
        return getattr(self, "forward_mha")
    other = forward_mha
def outside(a): return a.b.forward_mha
'''


def test_what_refers_to_a_name(tmp_path):
    (tmp_path / "a.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "b.py").write_text("# forward_mha\n", encoding="utf-8")
    found = references(tmp_path, ["a.py", "b.py", "absent.py"], "forward_mha")
    assert [(r.line, r.owner, r.function) for r in found] == [
        (4, "A", "forward_mha"),
        (6, "A", "run"),
        (9, "A", "run"),
        (13, "A", "named"),
        (14, "A", ""),
        (15, "", ""),
    ]


def test_a_file_of_a_newer_python_counts_line_by_line(tmp_path):
    text = "x = a.forward_mha\ny = '''\nz = 1\nforward_mha\n"
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    found = references(tmp_path, ["a.py"], "forward_mha")
    assert [r.line for r in found] == [1, 4]
