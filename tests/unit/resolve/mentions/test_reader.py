from mlapath.resolve.mentions import mentions_of

SOURCE = '''
from a import imported
import b as c
class Impl(Base, metaclass=Meta):
    """About mentioned_in_doc."""
    kind: Annotated = Value
    @decorator
    def run(self, x: Hint = default) -> Result:
        if isinstance(x, Asked):
            return self.go(x.attr, name="kept")
        x.stored = "not a.name at all"
        return lambda: getattr(x, "by_name")
    table = {"path.to.last": outside}
'''


def test_what_code_mentions_and_where():
    mentions = mentions_of(SOURCE)
    found = mentions.names
    assert mentions.own["go"] == [(10, "Impl", "run")]
    assert found["by_name"] == [(12, "Impl", "run")]
    assert found[".last"] == [(13, "Impl", "")]
    assert found["outside"] == [(13, "Impl", "table")]
    assert found["decorator"] == [(7, "Impl", "")]
    assert found["default"] == [(8, "Impl", "")]
    assert found["Base"] == [(4, "Impl", "__init__")]
    assert found["Meta"] == [(4, "Impl", "__init__")]
    assert found["Value"] == [(6, "Impl", "kind")]


def test_what_a_module_keeps_is_named_by_where_it_is_kept():
    found = mentions_of(
        "TABLE = {'a': First, 'b': [Second, made(Third)]}\n"
        "register('x', Fourth)\nmade(Fifth())\nTABLE['c'] = other.Sixth\n"
        "class Impl:\n    part = Seventh\n    def f(self):\n        x = Eighth\n"
    ).names
    assert {name: [f for _, _, f in found[name]] for name in (
        "First", "Second", "made", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth",
    )} == {
        "First": ["TABLE"], "Second": ["TABLE"], "made": ["", ""], "Third": ["<handed on>"],
        "Fourth": ["<handed on>"], "Fifth": [""], "Sixth": ["TABLE"], "Seventh": ["part"],
        "Eighth": ["f"],
    }  # fmt: skip


def test_what_mentions_nothing():
    mentions = mentions_of(SOURCE)
    found = {*mentions.names, *mentions.own, *mentions.read, *mentions.given, *mentions.kept}
    for name in ("imported", "c", "mentioned_in_doc", "Annotated", "Hint", "Result", "Asked",
                 "stored", "all", "run", "Impl"):  # fmt: skip
        assert name not in found, name


def test_a_file_of_a_newer_python_counts_line_by_line():
    found = mentions_of("def f():\n    go()  # aside\n# no\nx = = 1\n").names
    assert found["go"] == [(2, "", "f")]
    assert "no" not in found


def test_a_variable_of_the_function_is_no_mention():
    found = mentions_of(
        "def f(given, *rest, key=None, **more):\n"
        "    made = other\n"
        "    for each in rest:\n        run(given, made, each, key, more)\n"
        "    def inner():\n        return given, free\n"
        "    return inner\n"
        "def g():\n    global shared\n    from a import imported\n"
        "    shared = imported = 1\n    shared()\n    imported()\n"
    ).names
    assert set(found) == {"other", "run", "free", "shared", "imported"}


def test_a_name_of_the_class_body_hides_a_variable():
    found = mentions_of(
        "def f(part):\n    class Impl:\n        part = 1\n        kind = part\n"
        "        def run(self):\n            return part\n"
    ).names
    assert [m.function for m in found["part"]] == ["kind", "run"]


def test_what_is_done_with_what_is_mentioned():
    found = mentions_of(
        "def f(x):\n"
        "    self.own()\n"
        "    super().inherited()\n"
        "    Read.attr\n"
        "    self.part.other()\n"
        "    take(Given, kind=Named)\n"
        "    x(Passed)\n"
        "    y.take(Method)\n"
        "    if Compared is x: raise Raised\n"
        "    return Kept\n"
    )
    assert {"own", "inherited"} <= set(found.own)
    assert [(r.attr, r.own) for r in found.read["Read"]] == [("attr", False)]
    assert [(r.attr, r.own) for r in found.read["part"]] == [("other", True)]
    assert [(g.callee, g.parameter) for g in found.given["Given"]] == [("take", 0)]
    assert [(g.callee, g.parameter) for g in found.given["Named"]] == [("take", "kind")]
    assert {"Passed", "Method", "Compared", "Raised", "Kept", "attr", "other"} <= set(found.names)
    assert set(found.kept) == {"Given", "Named", "Passed", "Method", "Kept", "attr"}


def test_classes_that_only_types_name_are_no_mention():
    assert not mentions_of("T = TypeVar('T', bound=Impl)\n").names.get("Impl")


def test_parameters_that_a_function_only_asks_for():
    (found,) = mentions_of(
        "def of_class(all: list[kind], kind, other, made=None) -> kind:\n"
        "    made: kind = 1\n"
        "    return [x for x in all if isinstance(x, kind) and other(x)]\n"
    ).functions["of_class"]
    assert found.places == ("all", "kind", "other", "made")
    assert found.asked == {"kind"}


def test_functions_that_the_one_around_defines_are_of_it_alone():
    found = mentions_of(
        "def outer(other):\n"
        "    def wrapper(): pass\n"
        "    def again():\n        return wrapper()\n"
        "    class Made: pass\n"
        "    wrapper.x = 1\n"
        "    return again, Made\n"
        "wrapper()\n"
    )
    assert [m.line for m in found.inner["wrapper"]] == [4, 6]
    assert [m.line for m in found.names["wrapper"]] == [8]
    assert set(found.inner_kept) == {"again"}
    assert set(found.kept) == {"Made"}


def test_where_heirs_are_told_of_and_what_decorators_get():
    found = mentions_of(
        "class Base:\n    def __init_subclass__(cls): pass\n"
        "    @route('/x')\n    def f(self): pass\n    @property\n    def g(self): pass\n"
    )
    assert [m.owner for m in found.telling] == ["Base"]
    assert {name: [g.mention.line for g in at] for name, at in found.decorated.items()} == {
        "f": [3],
    }  # fmt: skip


def test_what_methods_do_with_their_object():
    found = mentions_of(
        "class Impl:\n"
        "    def f(self):\n        return self.g() + super().h()\n"
        "    def kept(self):\n        return keep(self)\n"
        "    def nested(self):\n        return lambda: self.deep\n"
        "    def plain(self):\n        return 1\n"
    )
    assert found.calls == {
        ("Impl", "f"): {"g", "h"}, ("Impl", "kept"): {""}, ("Impl", "nested"): {"deep"},
    }  # fmt: skip


def test_what_is_put_into_a_table_or_asked_to_be_in_it_does_not_read_it():
    mentions = mentions_of(
        "T = {}\nU: dict = {}\n"
        "def fill(x):\n    T[x] = kept\n    del U[x]\n    if x in T or x not in U: pass\n"
        "def adds():\n    T[1] += 2\n"
        "def reads():\n    return T[1], [U]\n"
        "def other():\n    return 1 < n in Kind, x in cls_of().T, self.T\n"
    )  # fmt: skip
    readers = {name: [m.function for m in mentions.names.get(name, ())] for name in ("T", "U")}
    assert readers == {"T": ["adds", "reads", "other"], "U": ["reads"]}
    assert [m.function for m in mentions.kept["kept"]] == ["fill"]
    assert {"n", "Kind", "cls_of"} <= mentions.names.keys()


def test_functions_whose_arguments_are_but_called():
    (only, keeps, wraps, registers, passes) = (
        mentions_of(text).functions["f"][0]
        for text in (
            "def f(x):\n    if callable(x) and not x: pass\n    if x is not None: return x(1)\n",
            "def f(x):\n    y = x\n    x()\n",
            "def f(x):\n    @wraps(x)\n    def g(*a): return x(*a)\n    return g if x else x\n",
            "def f(x):\n    def g(*a): return x(*a)\n    all_of_them.append(g)\n    return g\n",
            "def f(x):\n    return lambda: x()\n",
        )
    )  # fmt: skip
    assert passes.passed == ()
    (on,) = mentions_of("def f(x, y):\n    go(then=x)\n").functions["f"]
    assert (on.called, on.passed) == ({"x", "y"}, (("x", "go", "then"),))
    assert [bool(a.called) for a in (only, keeps, wraps, registers, passes)] == [
        True, False, False, False, False,
    ]  # fmt: skip
    assert [a.loose for a in (only, keeps, wraps, registers, passes)] == [
        (), (("x", 2),), (), (("", 3),), (("", 2),),
    ]  # fmt: skip


def test_what_a_function_gives_back():
    (f,) = mentions_of(
        "def f(x=None, *, y=1):\n    if x is None: return partial(f, y=y)\n"
        "    if y: return x\n    def g(): return lambda: x\n    return g()\n"
    ).functions["f"]
    assert f.given == ((2, "again"), (3, "x"), (5, ""))
    assert f.loose == (("", 4), ("x", 4), ("y", 2))


def test_what_is_called_where_it_was_asked_for():
    mentions = mentions_of(
        "def f(m):\n    g = getattr(m, 'load', None)\n    if callable(g): g()\n"
        "def h(m):\n    g = getattr(m, 'load')\n    return g\n"
        "def k(m):\n    getattr(m, 'load')()\n"
        "def one(m):\n    made = m.load if m else m.other\n    return made()\n"
        "def two(m):\n    made = m.load or m.other\n    return made\n"
    )
    assert [m.function for m in mentions.names["load"]] == ["f", "h", "k", "one", "two"]
    assert [m.function for m in mentions.kept["load"]] == ["h", "two"]
    assert [m.function for m in mentions.kept["other"]] == ["two"]


def test_what_runs_later_than_it_is_called():
    mentions = mentions_of(
        "def gen():\n    yield run()\n"
        "async def co(): pass\n"
        "def plain():\n    x = lambda: late()\n    y = (later(i) for i in gen())\n"
        "    def inner(): yield\n    return list(gen()), [z for z in gen()], x\n"
        "def loop():\n    for i in gen(): now(i)\n    kept(gen())\n    yield from gen()\n"
        "    with gen(): pass\n"
    )
    assert mentions.generators.keys() == {"gen", "co", "inner", "loop"}
    assert {"gen", "co", "plain", "inner", "loop"} == mentions.defined.keys()
    assert {"late", "later"} <= mentions.late.keys()
    assert "now" not in mentions.late
    assert [m.line for m in mentions.consumed["gen"]] == [8, 8, 10, 12, 13]


def test_what_is_handed_on_by_a_keyword():
    (given,) = mentions_of("def f(m):\n    go.run(1, then=m.load)\n").handed["load"]
    assert given == ((2, "", "f"), "run", "then")
