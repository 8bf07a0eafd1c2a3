from __future__ import annotations

from mlapath.values.heap import Heap
from mlapath.values.objects import ClassObj, FuncObj, MayHold, ModuleObj, Native
from mlapath.values.value import ABSENT, External, Unknown, V, is_scalar

HEAP = Heap()


def test_what_a_list_may_hold_besides_its_items() -> None:
    items = HEAP.list([V(1)])
    assert items.extra == ()
    items.cell["open"] = MayHold.of("longer", (V(2),))
    assert [value.d for value in items.extra or ()] == [2]
    items.cell["open"] = MayHold.of("in any order", (V(2),), certain=False)
    assert items.extra is None
    items.cell["open"] = "anything"
    assert items.extra is None
    assert items.open == "anything"


def test_names_of_classes_and_functions() -> None:
    cls = ClassObj("Inner", "Outer.Inner", "pkg.module", (), HEAP.cell())
    assert cls.full == "pkg.module.Outer.Inner"
    assert cls.mro == (cls,)
    module = ModuleObj("pkg.module", HEAP.cell(), "pkg/module.py")
    function = FuncObj(object(), module, (), (), {}, "Outer.f", HEAP.cell())
    assert function.full == "pkg.module.Outer.f"
    assert function.bound == frozenset()
    assert "Native" not in repr(Native("len", lambda it, args, kwargs: V(0)))


def test_externals_are_equal_by_name() -> None:
    assert External("a.b") == External("a.b") != External("a.c")
    assert len({External("a.b"), External("a.b")}) == 1
    assert External("a.b") != "a.b"


def test_the_same_question_of_an_unknown_has_one_answer() -> None:
    unknown = Unknown("asked twice", "int")
    first = unknown.derived(("==", 1), Unknown("answer", "bool"))
    assert unknown.derived(("==", 1), Unknown("answer", "bool")) is first
    assert unknown.derived(("==", 2), Unknown("answer", "bool")) is not first


def test_scalars() -> None:
    assert all(map(is_scalar, (None, True, 1, 1.0, 1j, "", b"", ..., range(2))))
    assert not any(map(is_scalar, ((), [], ABSENT, Unknown(""), External("a"))))
