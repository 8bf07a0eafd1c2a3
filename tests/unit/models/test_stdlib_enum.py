import sys

import pytest

from mlapath.models.enum_body import maps
from mlapath.values.truth import Truth
from mlapath.values.value import Union
from support.differential import FakeFacts, assert_same, evaluate

SINCE_3_11 = pytest.mark.skipif(
    sys.version_info < (3, 11), reason="the texts and flags of CPython 3.11 and later"
)
LIB = FakeFacts(modules={"some_lib": Truth.TRUE})


def test_members_are_found_by_name_by_value_and_by_iteration():
    assert_same(
        """
        import enum
        class Color(enum.Enum):
            RED = "r"
            GREEN = "g"
            CRIMSON = "r"
        found = [Color("g").name, Color["RED"].value, Color.CRIMSON.name, Color(Color.RED).name]
        listed = [c.name for c in Color], [c.name for c in reversed(Color)], len(Color)
        table = {k: v.name for k, v in Color.__members__.items()}
        inside = Color.RED in Color
        raw = Color.RED._name_, Color.RED._value_, Color._member_names_
        same = Color.RED is Color.CRIMSON, Color.RED is Color.GREEN, Color.RED == "r"
        keyed = {Color.RED: 1, Color.GREEN: 2}[Color("r")]
        """,
        "found listed table inside raw same keyed",
    )


@SINCE_3_11
def test_what_no_member_has_raises():
    assert_same(
        """
        from enum import Enum
        class Outer:
            class Color(Enum):
                RED = 1
        def message(run):
            try:
                run()
            except (ValueError, KeyError, AttributeError, TypeError) as error:
                return type(error).__name__, str(error)
        by_value = message(lambda: Outer.Color(7))
        by_text = message(lambda: Outer.Color("x"))
        by_name = message(lambda: Outer.Color["BLUE"])
        def write():
            Outer.Color.RED.value = 3
        written = message(write)[0]
        def extend():
            class More(Outer.Color):
                BLUE = 2
        extended = message(extend)
        """,
        "by_value by_text by_name written extended",
    )


def test_missing_may_find_a_member():
    assert_same(
        """
        from enum import Enum
        class Kind(Enum):
            A = "a"
            B = "b"
            @classmethod
            def _missing_(cls, value):
                return cls.A if value == "alpha" else None
        alias = Kind("alpha").name
        try:
            Kind("beta")
        except ValueError as error:
            refused = str(error)
        """,
        "alias refused",
    )


@SINCE_3_11
def test_auto_counts_on_and_may_be_used_in_the_body():
    assert_same(
        """
        from enum import Enum, Flag, IntFlag, IntEnum, auto
        class Platform(Enum):
            CUDA = auto()
            ROCM = auto()
            TEN = 10
            NEXT = auto()
            ALSO = NEXT
        numbers = [(p.name, p.value) for p in Platform], Platform.ALSO.name
        class Named(Enum):
            def _generate_next_value_(name, start, count, last_values):
                return f"{name.lower()}{start}{count}{len(last_values)}"
            FOO = auto()
            BAR = auto()
        named = [m.value for m in Named]
        class Bits(Flag):
            A = auto()
            B = auto()
            C = auto()
            AB = A | B
            ALL = AB | C
        bits = [(b.name, b.value) for b in Bits], Bits.AB.value, Bits.ALL.value, Bits["AB"].name
        class Level(IntEnum):
            LOW = auto()
            HIGH = auto()
        level = Level.HIGH.value
        """,
        "numbers named bits level",
    )


def test_mixed_in_types_compare_and_hash_as_their_content():
    assert_same(
        """
        from enum import Enum, IntEnum
        class Mode(str, Enum):
            EAGER = "eager"
            GRAPH = "graph"
        class Level(IntEnum):
            NONE = 0
            FULL = 3
        text = (Mode.EAGER == "eager", Mode("graph").name, Mode.EAGER.upper(),
                Mode.EAGER.startswith("ea"), {Mode.EAGER: 1}["eager"], "eager" in [Mode.EAGER],
                Mode.EAGER != Mode.GRAPH, isinstance(Mode.EAGER, str))
        number = (Level.NONE < Level.FULL, Level.FULL >= 3, Level.FULL + 1, Level.FULL * 2,
                  max(Level).name, sorted(Level, reverse=True)[0].name, bool(Level.NONE),
                  [10, 20, 30, 40][Level.FULL], Level(3) is Level.FULL, Level.FULL == 3)
        """,
        "text number",
    )


@SINCE_3_11
def test_texts_are_those_of_cpython():
    assert_same(
        """
        from enum import Enum, IntEnum, Flag, IntFlag
        class Plain(Enum):
            A = 1
        class Text(str, Enum):
            A = "a"
        class Number(IntEnum):
            A = 1
        class Own(str, Enum):
            A = "a"
            def __str__(self):
                return self.value
        class Bits(Flag):
            R = 1
            W = 2
        class Ints(IntFlag):
            R = 1
            W = 2
        def texts(x):
            return str(x), repr(x), f"{x}", "%s" % str(x)
        plain, text, number, own = texts(Plain.A), texts(Text.A), texts(Number.A), texts(Own.A)
        bits, none, ints = texts(Bits.R | Bits.W), texts(Bits(0)), texts(Ints.R | Ints.W)
        wide = f"{Number.A:04d}", f"{Plain.A:>10}"
        classes = repr(Plain), str(Bits)
        """,
        "plain text number own bits none ints wide classes",
    )


@SINCE_3_11
def test_flags_combine_contain_and_iterate():
    assert_same(
        """
        from enum import Flag, IntFlag, auto
        class Perm(Flag):
            R = auto()
            W = auto()
            X = auto()
        both = Perm.R | Perm.W
        facts = (both.value, both.name, Perm.R in both, Perm.X in both, bool(both & Perm.X),
                 [p.name for p in both], len(both), (~both).name, (both ^ Perm.W) is Perm.R,
                 both is (Perm.W | Perm.R), Perm(3) is both, [p.name for p in Perm], Perm(0).name)
        try:
            Perm(8)
        except ValueError:
            refused = True
        class Mask(IntFlag):
            A = 1
            B = 4
        mask = (Mask.A | 2).value, (Mask.A | Mask.B).name, Mask.A + 1, Mask(5) == 5, int(Mask(8))
        """,
        "facts refused mask",
    )


def test_constructors_of_the_program_make_members_only():
    assert_same(
        """
        from enum import Enum
        class Op(int, Enum):
            def __new__(cls, value, label):
                made = int.__new__(cls, value)
                made._value_ = value
                made.label = label
                return made
            ADD = (1, "add")
            SUB = (2, "sub")
        class Planet(Enum):
            EARTH = (5.97, 6.37)
            MARS = (0.64, 3.39)
            def __init__(self, mass, radius):
                self.mass = mass
                self.radius = radius
            @property
            def ratio(self):
                return self.mass > self.radius
            @staticmethod
            def count():
                return 2
        class Base(Enum):
            def describe(self):
                return self.name.title()
        class Derived(Base):
            FIRST = object()
        op = Op(2).label, Op.ADD == 1, Op.SUB.value
        planet = Planet((5.97, 6.37)).name, Planet.MARS.mass, Planet.EARTH.ratio, Planet.count()
        derived = Derived.FIRST.describe()
        """,
        "op planet derived",
    )


def test_a_metaclass_may_refine_lookup_and_programs_may_add_members():
    assert_same(
        """
        from enum import Enum, EnumMeta
        class Meta(EnumMeta):
            def __getitem__(cls, name):
                try:
                    return super().__getitem__(name)
                except KeyError:
                    raise ValueError(f"Unknown {name!r}, valid: {list(cls.__members__)}") from None
        class Backend(Enum, metaclass=Meta):
            A = "pkg.A"
            SDPA = ""
            CUSTOM = None
            @classmethod
            def register(cls, name, value):
                if name in cls._member_map_ or hasattr(cls, name):
                    raise ValueError("taken")
                member = object.__new__(cls)
                member._name_ = name
                member._value_ = value
                setattr(cls, name, member)
                cls._member_map_[name] = member
                cls._value2member_map_[value] = member
                cls._member_names_.append(name)
                return member
        try:
            Backend["B"]
        except ValueError as error:
            before = str(error)
        made = Backend.register("B", "pkg.B")
        after = (Backend["B"] is made, Backend("pkg.B").name, Backend.B.value, len(Backend),
                 [b.name for b in Backend], "B" in Backend.__members__, hasattr(Backend, "C"))
        falsy = Backend.SDPA.value == "", Backend.CUSTOM.value is None, Backend("").name
        kind = isinstance(Backend, EnumMeta), isinstance(made, Backend), type(made) is Backend
        """,
        "before after falsy kind",
    )


def test_the_functional_form_makes_the_same_classes():
    assert_same(
        """
        from enum import Enum, IntEnum, Flag, unique
        A = Enum("A", "X Y")
        B = IntEnum("B", ["X", "Y"], start=0)
        C = Enum("C", {"X": "x", "Y": "y"})
        D = Flag("D", "X Y Z")
        found = A.Y.value, B.Y == 1, C("y").name, [d.value for d in D], A.__name__
        try:
            @unique
            class E(Enum):
                X = 1
                Y = 1
        except ValueError as error:
            refused = str(error)
        """,
        "found refused",
    )


@SINCE_3_11
def test_strings_made_by_name():
    assert_same(
        """
        from enum import StrEnum, auto
        class Kind(StrEnum):
            FOO_BAR = auto()
            OTHER = "x"
        facts = Kind.FOO_BAR.value, str(Kind.OTHER), f"{Kind.OTHER}", Kind.OTHER == "x"
        """,
        "facts",
    )


def test_private_names_descriptors_and_ignored_names_are_no_members():
    assert_same(
        """
        from enum import Enum
        class Kind(Enum):
            _ignore_ = ["helper"]
            _private = 0
            helper = 9
            A = 1
            def method(self):
                return 1
            @property
            def prop(self):
                return 2
            fn = lambda self: 3
        names = list(Kind.__members__)
        used = Kind.A.method(), Kind.A.prop, Kind.A.fn(), hasattr(Kind, "helper")
        """,
        "names used",
    )


def test_an_unknown_value_may_be_any_member_or_be_refused():
    run = evaluate(
        """
        import some_lib
        from enum import Enum
        class Kind(Enum):
            A = 1
            B = 2
        value = some_lib.anything()
        kind = Kind(value)
        by_name = Kind[value]
        try:
            Kind(value)
            refused = False
        except ValueError:
            refused = True
        inside = value in Kind
        """,
        LIB,
    )
    for name in ("kind", "by_name", "refused"):
        assert type(run.value(name).d) is Union
        assert len(run.value(name).d.options) == 2
    assert run.unknown("inside").hint == "bool"


def test_an_opaque_call_does_not_change_a_member():
    run = evaluate(
        """
        import some_lib
        from enum import Enum
        class Kind(Enum):
            A = 1
        unknown = some_lib.anything().method
        def call(f):
            f(Kind.A)
        call(unknown)
        value = Kind.A.value
        """,
        LIB,
    )
    assert run.plain("value") == 1


def test_members_added_on_one_side_of_an_unknown_guard_may_be_absent():
    run = evaluate(
        """
        import some_lib
        from enum import Enum
        class Kind(Enum):
            A = 1
        if some_lib.anything():
            member = object.__new__(Kind)
            member._name_, member._value_ = "B", 2
            Kind._member_map_["B"] = member
        inside = "B" in Kind.__members__
        """,
        LIB,
    )
    assert run.unknown("inside").hint == "bool"
    assert list(maps(run.value("Kind").d)[1].data) == ["A", "B"]
