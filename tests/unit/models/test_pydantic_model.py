"""``BaseModel``, against the real pydantic."""

import pytest

from support.pydantic_snippets import assert_same, run_of

pytest.importorskip("pydantic")


def test_fields_defaults_and_faults():
    assert_same(
        """
        class In(BaseModel):
            a: int
            tags: list[str] = []
        class Out(In):
            model_config = ConfigDict(extra="forbid")
            i: In | None = None
            n: int = Field(default=2, gt=0)
            made: list[int] = Field(default_factory=list)
        o = Out(a="1", i={"a": 2})
        same = o == Out(a=1, i=In(a=2)), Out(a=1).tags is Out(a=1).tags
        facts = o.a, o.i.a, o.n, o.tags, o.made, same
        texts = [message(lambda: Out()), message(lambda: Out(a=1, z=2)),
                 message(lambda: Out(a="q", n=0)), message(lambda: Out(a=1, i=4)),
                 message(lambda: In(a=1, z=3)), message(lambda: Out(1))]
        shown = repr(o.i), str(o.i), list(Out.model_fields), Out.model_fields["a"].is_required()
        """,
        "facts texts shown",
    )


def test_validators_private_attributes_and_post_init():
    assert_same(
        """
        class A(BaseModel):
            x: int = 1
            y: int = 0
            _hidden: int = PrivateAttr(default=4)
            _made: list = PrivateAttr(default_factory=list)
            @field_validator("x")
            @classmethod
            def positive(cls, v):
                if v < 0:
                    raise ValueError("negative")
                return v
            @model_validator(mode="before")
            @classmethod
            def early(cls, data):
                if isinstance(data, dict) and "z" in data:
                    data = {"x": data["z"]}
                return data
            @model_validator(mode="after")
            def late(self):
                self.y = self.x + 1
                return self
            def model_post_init(self, context):
                self._hidden += 1
            @computed_field
            @property
            def double(self) -> int:
                return self.x * 2
        a = A(z="5")
        facts = a.x, a.y, a._hidden, a._made, a.double, message(lambda: A(x=-1))
        """,
        "facts",
    )


def test_copies_dumps_and_other_ways_in():
    assert_same(
        """
        class In(BaseModel):
            a: int = 1
        class Out(BaseModel):
            i: In = In()
            n: int | None = None
        o = Out.model_validate({"i": {"a": "3"}})
        dumps = o.model_dump(), o.model_dump(exclude_none=True), o.model_dump_json()
        copied = o.model_copy(update={"n": 7})
        ways = (copied.n, copied.i is o.i, o.n, Out.model_validate_json('{"n": 2}').n,
                Out.model_construct(n="raw").n, sorted(Out(n=1).model_fields_set))
        """,
        "dumps ways",
    )


def test_assignment_follows_the_configuration():
    assert_same(
        """
        class Checked(BaseModel, validate_assignment=True):
            x: int = 1
        class Frozen(BaseModel):
            model_config = ConfigDict(frozen=True)
            x: int = 1
        class Plain(BaseModel):
            x: int = 1
        class Open(BaseModel):
            model_config = {"extra": "allow"}
        c, f, o = Checked(), Frozen(), Open(a=1)
        c.x = "5"
        o.b = 2
        def write(target, name, value):
            setattr(target, name, value)
        facts = c.x, o.a, o.b, message(lambda: write(c, "x", "q"))
        refused = message(lambda: write(f, "x", 2))
        absent = message(lambda: write(c, "nope", 1)), message(lambda: write(Plain(), "nope", 1))
        Made = create_model("Made", x=(int, 3), y=(str, ...))
        made = Made(y="q").x, message(lambda: Made())
        """,
        "facts refused absent made",
    )


def test_open_arguments_leave_fields_unknown():
    run = run_of(
        """
        import some_lib
        class A(BaseModel):
            x: int = 1
        x = A(**some_lib.anything()).x
        """
    )
    assert run.unknown("x")
