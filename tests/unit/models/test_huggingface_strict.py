from mlapath.values.truth import Truth
from support.differential import FakeFacts, evaluate

FACTS = FakeFacts(modules={"huggingface_hub": Truth.TRUE})

SOURCE = """
from dataclasses import dataclass
from huggingface_hub.dataclasses import strict

@strict(accept_kwargs=True)
@dataclass(repr=False)
class Base:
    name: str = "base"
    size: int = 1
    def __post_init__(self, **rest):
        self.rest = rest

class Own(Base):
    def __init__(self, width=3, **given):
        self.width = width
        super().__init__(**given)

@strict
@dataclass
class Plain:
    x: int = 4
"""


def test_other_keyword_arguments_reach_post_init():
    source = SOURCE + "a = Own(size=2, other=5); facts = a.width, a.name, a.size, a.rest"
    run = evaluate(source, FACTS)
    assert run.plain("facts") == (3, "base", 2, {"other": 5})


def test_positional_arguments_are_refused():
    run = evaluate(
        SOURCE
        + """
try:
    Base("x")
except ValueError as error:
    said = str(error)
""",
        FACTS,
    )
    assert run.plain("said") == (
        "Base accepts only keyword arguments, but found `1` positional args."
    )


def test_without_options_the_constructor_stays():
    run = evaluate(
        SOURCE
        + """
try:
    Plain(y=1)
except TypeError:
    refused = True
x = Plain(5).x
""",
        FACTS,
    )
    assert run.plain("refused")
    assert run.plain("x") == 5


def test_a_validator_becomes_a_maker_of_fields():
    run = evaluate(
        """
from dataclasses import dataclass
from huggingface_hub.dataclasses import as_validated_field

def between(low, high):
    @as_validated_field
    def check(value):
        if not low <= value <= high:
            raise ValueError
    return check

@dataclass
class Config:
    spread: float = between(0, 1)(default=0.5)

facts = Config().spread, Config(spread=1).spread
""",
        FACTS,
    )
    assert run.plain("facts") == (0.5, 1)
