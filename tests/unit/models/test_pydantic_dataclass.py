"""Pydantic dataclasses, against the real pydantic."""

import pytest

from mlapath.values.value import Union
from support.pydantic_snippets import assert_same, run_of

pytest.importorskip("pydantic")


def test_values_are_coerced_and_containers_copied():
    assert_same(
        """
        @dataclass
        class In:
            a: int = 1
        @dataclass
        class Out:
            i: In = Field(default_factory=In)
            n: float | None = None
            flag: bool = False
            names: list[str] = field(default_factory=list)
            table: dict[str, int] = field(default_factory=dict)
            mode: Literal["a", "b"] = "a"
            free: Any = None
        names, table = ["x"], {"k": "3"}
        o = Out(i={"a": "5"}, n="2.5", flag="yes", names=names, table=table, mode="b", free=names)
        facts = (o.i.a, o.n, o.flag, o.names, o.names is names, o.table, o.mode, o.free is names,
                 isinstance(o.i, In), Out().i is Out().i, type(Out(n=3).n) is float)
        i = In(4)
        kept = Out(i).i is i, Out(i=i) == Out(i=In(4)), is_dataclass(o), fields(o)[1].name
        """,
        "facts kept",
    )


def test_faults_are_told_in_pydantics_words():
    assert_same(
        """
        @dataclass(config=ConfigDict(extra="forbid"))
        class In:
            a: int
            b: int = Field(default=2, ge=1, lt=10)
            c: Literal["x", "y"] = "x"
        @dataclass
        class Out:
            i: In
            j: list[int] = field(default_factory=list)
        texts = [
            message(lambda: In("x", b=0)), message(lambda: In(1, c="z")), message(lambda: In()),
            message(lambda: In(1, z=3)), message(lambda: In(1, 2, "x", 4)),
            message(lambda: In(1, a=2)), message(lambda: Out(i={"a": "q"})),
            message(lambda: Out(i=3)), message(lambda: Out(In(1), j=[1, "u"])),
            message(lambda: Out(i={"a": 1, "zz": 2})), message(lambda: In(1, 10)),
            message(lambda: Out(In(1), unheard_of=3)), message(lambda: In(1.5)),
        ]
        """,
        "texts",
    )


def test_init_vars_post_init_and_defaults():
    assert_same(
        """
        @dataclass
        class A:
            scale: InitVar[int]
            x: int = Field(default=1, ge=0)
            y: int = field(init=False, default=7)
            z: int = Field(init=False, default=3)
            extra: InitVar[str | None] = None
            def __post_init__(self, scale, extra):
                self.total = self.x * scale
                self.extra_seen = extra
        a = A("3", x="4", extra="e")
        facts = a.total, a.extra_seen, a.y, a.z, A.x, A(2).total, a.x
        told = [(f.name, isinstance(f.default, FieldInfo), f.init) for f in fields(A)]
        default = fields(A)[0].default.default, fields(A)[0].default.default_factory
        other = message(lambda: A(1, y=3)), message(lambda: A("q"))
        """,
        "facts told default other",
    )


def test_validators_run_in_pydantics_order():
    assert_same(
        """
        log = []
        @dataclass
        class A:
            first: int = 0
            k: int = 1
            @field_validator("k", mode="before")
            @classmethod
            def before(cls, v, info):
                log.append(("before", v, info.field_name, dict(info.data)))
                return v
            @field_validator("k")
            @classmethod
            def after(cls, v):
                log.append(("after", v))
                return v + 1
            @field_validator("k", "first", mode="wrap")
            @classmethod
            def wrap(cls, v, handler):
                log.append(("wrap", v))
                if v == "skip":
                    return -1
                return handler(v)
            @field_validator("*", mode="before")
            @classmethod
            def every(cls, v):
                log.append("every")
                return v
            def __post_init__(self):
                log.append("post")
            @model_validator(mode="after")
            def whole(self):
                log.append("whole")
                self.seen = self.k
                return self
            @model_validator(mode="before")
            @classmethod
            def early(cls, data):
                log.append(("early", type(data).__name__, data.kwargs))
                return data
            @model_validator(mode="wrap")
            @classmethod
            def around(cls, data, handler):
                log.append("around")
                return handler(data)
        made = A(first="2", k="5")
        values = made.first, made.k, made.seen, A(k="skip").k, A().k
        entries = log
        @dataclass
        class Out:
            a: A
        log = []
        inner = A()
        log = []
        kept = Out(inner).a is inner
        nested = log
        """,
        "values entries kept nested",
    )


def test_what_the_program_raises_becomes_a_fault():
    assert_same(
        """
        @dataclass
        class P:
            b: str
            c: str = "c"
            @field_validator("c")
            @classmethod
            def check(cls, v):
                if v == "type":
                    raise TypeError("not wrapped")
                if not v:
                    raise ValueError("c is empty")
                return v
            def __post_init__(self):
                assert self.b != "bad", "it is bad"
                if self.b == "worse":
                    raise ValueError("it is worse")
                if self.b == "other":
                    raise NotImplementedError("other")
            @model_validator(mode="after")
            def whole(self):
                if self.b == "late":
                    raise ValueError("too late")
                return self
        @dataclass
        class Q:
            p: P
            def __post_init__(self):
                if self.p.b == "again":
                    P("bad")
        texts = [
            message(lambda: P("bad")), message(lambda: P("worse")), message(lambda: P("other")),
            message(lambda: P("late")), message(lambda: P("b", "")),
            message(lambda: P("b", "type")), message(lambda: Q({"b": "bad"})),
            message(lambda: Q(P("again"))), message(lambda: Q({})),
            message(lambda: P(b="bad", c="y" * 40)),
        ]
        """,
        "texts",
    )


def test_configurations_are_merged_as_vllms_decorator_does():
    assert_same(
        """
        def config(cls=None, *, config=None, **kwargs):
            merged = ConfigDict(extra="forbid")
            if config is not None:
                merged.update(config)
            def decorator(cls):
                return dataclass(cls, config=merged, **kwargs)
            return decorator if cls is None else decorator(cls)
        class Opaque:
            pass
        @config
        class A:
            x: int = 1
        @config(config=ConfigDict(arbitrary_types_allowed=True), frozen=True)
        class B:
            x: int = 1
            o: Opaque | None = None
            s: SkipValidation[int] = 0
        o = Opaque()
        b = B(o=o, s="kept")
        facts = b.o is o, b.s, b.x, isinstance(b, B), b == B(o=o, s="kept")
        texts = message(lambda: B(o=3)), message(lambda: A(y=1)), message(lambda: B(z=1))
        try:
            b.x = 4
        except AttributeError as error:
            frozen = type(error).__name__
        """,
        "facts texts frozen",
    )


def test_annotated_fields_and_unions():
    assert_same(
        """
        @dataclass
        class Spec:
            n: int = 0
        @dataclass
        class A:
            a: Annotated[int, Field(ge=1)] = 1
            b: int | str = 0
            c: Spec | str | None = None
            d: Literal["auto"] | int = "auto"
            e: "list[Spec] | None" = None
            f: tuple[int, ...] = ()
        a = A(a="4", b="7", c={"n": 2}, d="5", e=[{"n": "1"}, Spec(3)], f=[1, "2"])
        facts = a.a, a.b, a.c.n, a.d, [x.n for x in a.e], a.f, A(c="s").c, A(b=True).b
        texts = (message(lambda: A(a=0)), message(lambda: A(d="never")), message(lambda: A(c=4)),
                 message(lambda: A(e=[{"n": "?"}])))
        """,
        "facts texts",
    )


def test_replace_keeps_and_checks():
    assert_same(
        """
        @dataclass
        class A:
            x: int = Field(default=1, ge=0)
            y: list[int] = field(default_factory=list)
        a = A(3, [1])
        b = replace(a, x="5")
        facts = b.x, b.y, b.y is a.y, message(lambda: replace(a, x=-1))
        """,
        "facts",
    )


def test_unknown_input_stays_with_what_its_type_says():
    run = run_of(
        """
        import some_lib
        value = some_lib.anything()
        @dataclass
        class A:
            n: int = Field(default=1, ge=2)
            s: str = ""
            o: int | None = None
        a = A(n=value, s=value, o=value)
        n, s, o = a.n, a.s, a.o
        b = A(**value)
        m = b.n
        try:
            A(n=value)
            outcome = "valid"
        except ValidationError:
            outcome = "not valid"
        """
    )
    assert (run.unknown("n").hint, run.unknown("n").lo) == ("int", 2)
    assert run.unknown("s").hint == "str"
    assert run.unknown("o").hint == ""
    assert run.unknown("m")
    assert {o.d for o in run.value("outcome").d.options} == {"valid", "not valid"}


def test_one_of_several_inputs_may_be_refused():
    run = run_of(
        """
        import some_lib
        value = "x" if some_lib.anything() else "3"
        @dataclass
        class A:
            n: int = 0
        n = A(value).n
        caught = ""
        try:
            A(value)
        except ValueError as error:
            caught = str(error)
        """
    )
    assert run.plain("n") == 3
    assert type(run.value("caught").d) is Union
    assert run.engine.trace.refusals
