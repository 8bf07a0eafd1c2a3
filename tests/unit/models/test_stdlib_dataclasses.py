from mlapath.values.truth import Truth
from support.differential import FakeFacts, assert_same, evaluate

LIB = FakeFacts(modules={"some_lib": Truth.TRUE})


def test_fields_defaults_and_the_constructor():
    assert_same(
        """
        from dataclasses import dataclass, field
        from typing import ClassVar
        calls = []
        def fresh():
            calls.append(1)
            return []
        @dataclass
        class A:
            x: int
            y: "str" = "why"
            z: list = field(default_factory=fresh)
            k: ClassVar[int] = 7
            w: int = field(default=3, init=False)
            v: int = field(init=False)
            def __post_init__(self):
                self.v = self.x + self.w
        a, b = A(1), A(2, y="z", z=[1])
        a.z.append(4)
        facts = a.x, a.y, a.z, a.w, a.v, A.k, b.y, b.z, b.v, A.y, len(calls), hasattr(A, "z")
        stored = list(a.__dict__)
        """,
        "facts stored",
    )


def test_methods_that_the_class_body_defines_are_kept():
    assert_same(
        """
        from dataclasses import dataclass
        @dataclass
        class A:
            x: int = 1
            def __init__(self, **given):
                self.given = given
            def __repr__(self):
                return "mine"
        @dataclass
        class B(A):
            y: int = 2
        facts = A(other=3).given, repr(A()), B(4).y, B(4).x
        """,
        "facts",
    )


def test_arguments_are_bound_with_cpythons_messages():
    assert_same(
        """
        from dataclasses import dataclass, KW_ONLY, field
        @dataclass
        class A:
            x: int
            y: int
            z: int = 0
            _: KW_ONLY
            k: int
            m: int = 1
        def message(run):
            try:
                run()
            except TypeError as error:
                return str(error)
        texts = [
            message(lambda: A()), message(lambda: A(1, k=1)), message(lambda: A(1, 2)),
            message(lambda: A(1, 2, 3, 4, k=1)), message(lambda: A(1, 2, n=3, k=1)),
            message(lambda: A(1, 2, x=3, k=1)),
        ]
        good = A(1, 2, k=3).m, A(1, 2, 4, k=3, m=5).z
        def wrong():
            @dataclass
            class B:
                x: int = 1
                y: int
        ordered = message(wrong).removesuffix(" 'x'")  # 3.13 names it
        try:
            @dataclass
            class C:
                x: list = []
        except ValueError as error:
            mutable = str(error)
        """,
        "texts good ordered mutable",
    )


def test_bases_give_their_fields_first():
    assert_same(
        """
        from dataclasses import dataclass, fields, field
        @dataclass
        class Base:
            a: int
            b: int = 2
        @dataclass
        class Mid(Base):
            c: int = 3
            a: int = 9
        class Plain(Mid):
            b = 20
        @dataclass(kw_only=True)
        class Last(Plain):
            d: int
        names = [f.name for f in fields(Last)], [f.name for f in fields(Base(1))]
        made = Mid(), Plain(5), Last(d=4)
        facts = (made[0].a, made[0].c, made[1].a, made[1].b, made[2].d, made[2].b,
                 isinstance(made[2], Base), Mid(1) == Mid(1), Plain(1) == Plain(1),
                 Mid(1) == Plain(1), Mid(1) != Mid(2))
        """,
        "names facts",
    )


def test_init_vars_go_to_post_init_only():
    assert_same(
        """
        from dataclasses import dataclass, InitVar, field, fields, replace
        import dataclasses
        @dataclass
        class A:
            scale: InitVar[int]
            x: int = 1
            extra: dataclasses.InitVar["int | None"] = None
            y: int = field(init=False, default=0)
            def __post_init__(self, scale, extra):
                self.y = self.x * scale + (extra or 0)
        a = A(3, 4, extra=5)
        facts = a.y, [f.name for f in fields(a)], hasattr(a, "scale"), a.extra, a == A(3, 4, 5)
        b = replace(a, scale=1)
        again = b.x, b.y
        try:
            replace(a)
        except (ValueError, TypeError) as error:  # TypeError since 3.13
            refused = str(error)
        """,
        "facts again refused",
    )


def test_equality_hash_order_and_text():
    assert_same(
        """
        from dataclasses import dataclass, field
        @dataclass(frozen=True, order=True)
        class Key:
            a: int
            b: str = field(default="", compare=False)
        @dataclass
        class Loose:
            a: int
        @dataclass(eq=False)
        class Identity:
            a: int
        @dataclass(unsafe_hash=True)
        class Hashed:
            a: int
            def __repr__(self):
                return "hashed!"
        class Owner:
            @dataclass
            class Inner:
                x: list = field(default_factory=list)
                y: int = field(default=1, repr=False)
        table = {Key(1, "x"): "one", Hashed(2): "two"}
        found = table[Key(1, "y")], table[Hashed(2)], Key(3) in table, Key(1) in {Key(1, "z")}
        compared = (Key(1) < Key(2), sorted([Key(3), Key(1)])[0].a, max(Key(1), Key(4)).a,
                    Loose(1) == Loose(1), Identity(1) == Identity(1), Loose(1) == 1,
                    Loose.__hash__ is None, Key(1) <= Key(1))
        texts = repr(Key(1)), str(Loose(2)), f"{Owner.Inner([1])}", repr(Hashed(1))
        """,
        "found compared texts",
    )


def test_frozen_instances_refuse_writes_except_by_object():
    assert_same(
        """
        from dataclasses import dataclass, FrozenInstanceError, replace
        @dataclass(frozen=True)
        class A:
            x: int = 1
            def __post_init__(self):
                object.__setattr__(self, "y", self.x + 1)
        a = A(4)
        try:
            a.x = 3
        except FrozenInstanceError as error:
            refused = str(error)
        try:
            a.x = 3
        except AttributeError:
            general = True
        facts = a.x, a.y, replace(a, x=9).y
        """,
        "refused general facts",
    )


def test_copies_convert_deeply_and_replace_constructs():
    assert_same(
        """
        from dataclasses import dataclass, field, asdict, astuple, replace, is_dataclass
        @dataclass
        class In:
            v: int
        @dataclass
        class Out:
            a: In
            b: list = field(default_factory=list)
            c: dict = field(default_factory=dict)
            d: tuple = ()
        o = Out(In(1), [In(2), 5], {"k": In(3)}, (In(4),))
        plain = asdict(o), astuple(o), asdict(o, dict_factory=lambda kv: [k for k, _ in kv])
        other = replace(o, a=In(7))
        facts = (other.a.v, other.b is o.b, is_dataclass(o), is_dataclass(Out), is_dataclass(5),
                 is_dataclass(int), is_dataclass(list[int]))
        """,
        "plain facts",
    )


def test_field_objects_tell_defaults_and_types():
    assert_same(
        """
        from dataclasses import dataclass, field, fields, MISSING, make_dataclass, Field
        def make():
            return 4
        @dataclass
        class A:
            x: int
            y: "str | None" = "d"
            z: list[int] = field(default_factory=list, metadata={"help": "h"}, repr=False)
        told = [(f.name, f.default is MISSING, f.default_factory is MISSING, f.init, f.repr,
                 f.kw_only) for f in fields(A)]
        types = fields(A)[0].type is int, fields(A)[1].type, repr(fields(A)[2].type)
        third = fields(A)[2]
        more = (fields(A)[1].default, third.metadata["help"], third.default_factory(),
                list(A.__dataclass_fields__), isinstance(fields(A)[0], Field), A.__match_args__)
        B = make_dataclass("B", ["a", ("b", int), ("c", int, field(default=5))])
        made = B(1, 2).c, B.__name__, [f.name for f in fields(B)]
        match A(1, "q"):
            case A(1, y=word):
                matched = word
        """,
        "told types more made matched",
    )


def test_open_arguments_leave_the_rest_unknown():
    run = evaluate(
        """
        import some_lib
        from dataclasses import dataclass, replace
        @dataclass
        class A:
            x: int
            y: int = 2
        a = A(1, **some_lib.anything())
        x, y = a.x, a.y
        b = replace(A(1), **some_lib.anything())
        z = b.y
        """,
        LIB,
    )
    assert run.plain("x") == 1
    assert run.unknown("y")
    assert run.unknown("z")


def test_a_class_outside_the_tree_may_be_a_dataclass():
    run = evaluate(
        """
        import some_lib
        from dataclasses import is_dataclass, fields
        class A(some_lib.Base):
            pass
        a = is_dataclass(A)
        b = is_dataclass(some_lib.anything())
        c = fields(A)
        """,
        LIB,
    )
    assert run.unknown("a").hint == run.unknown("b").hint == "bool"
    assert run.unknown("c").hint == "tuple"


def test_a_class_of_listed_symbols_is_no_dataclass():
    run = evaluate(
        """
        import dataclasses, torch, some_lib
        known = dataclasses.is_dataclass(torch.dtype), dataclasses.is_dataclass(torch.float16)
        unknown = dataclasses.is_dataclass(some_lib.Thing)
        """,
        FakeFacts(modules={"torch": Truth.TRUE, "some_lib": Truth.TRUE}),
    )
    assert run.plain("known") == (False, False)
    assert run.unknown("unknown").hint == "bool"
