from mlapath.resolve.hierarchy import hierarchy_of

SOURCE = b"""
class Base(nn.Module): pass
class Left(Base, Generic[T, U]):
    class Inner: pass
class Right(
    pkg.Base,  # (not Inner)
    metaclass=Meta,
):
    pass
class Both(Left, Right): pass
class Apart: pass
def make(cls):
    class Made(cls, Mixin): pass
class Mixin: pass
class Given(_made(Left)): pass
class Late: pass
Apart.__bases__ += (Late,)
"""


def test_classes_that_an_object_may_have_both_of():
    found = hierarchy_of([SOURCE])
    assert found.related("Base", "Right")
    assert found.related("Left", "Right")  # by Both
    assert found.related("Left", "Left")
    assert found.related("", "Left")
    assert not found.related("Inner", "Left")
    assert not found.related("Inner", "Right")


def test_bases_that_are_not_known_by_name_may_be_any():
    found = hierarchy_of([SOURCE])
    assert found.related("Mixin", "Inner")  # of Made, whose other base is a variable
    assert found.related("Given", "Inner")
    assert found.variables == {"cls", "_made"}
    assert found.related("Late", "Inner")  # becomes a base while the program runs
    assert found.related("Unknown", "Unknown")
    assert not found.related("Unknown", "Inner")


def test_ancestors_that_no_file_defines():
    found = hierarchy_of([SOURCE])
    assert found.foreign("Both") == {"Module", "Generic"}
    assert found.foreign("Apart") == frozenset()
    assert found.foreign("Unknown") == frozenset()
