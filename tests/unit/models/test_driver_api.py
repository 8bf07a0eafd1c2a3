"""What the drivers can say to the evaluator."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from mlapath.engine.trace import Trace
from mlapath.models.driver_api import LIBRARY
from mlapath.values.origin import Origin, ancestors
from mlapath.values.truth import Truth
from mlapath.values.value import Union, Unknown, V
from support.torches import run_torch


def say(name: str, *args: object, **kwargs: object) -> V:
    given = [x if isinstance(x, V) else V(x) for x in args]
    return LIBRARY.functions[f"mlapath_api.{name}"](
        ENGINE, given, {key: V(x) for key, x in kwargs.items()}
    )


ENGINE = SimpleNamespace(store={}, trace=Trace(), subjects=())


def test_how_a_driver_found_the_subject_is_no_part_of_it() -> None:
    found = V("layer", Origin("guard"))
    assert say("subject", found).d == "layer"
    assert say("subject", found).o is None
    assert "layer" in ENGINE.subjects


def test_a_number_has_its_lower_bound_and_its_name() -> None:
    number = say("number", "tokens", low=3)
    assert type(number.d) is Unknown
    assert (number.d.lo, number.d.hint, number.d.text) == (3, "int", "tokens")
    assert number.o is not None
    assert number.o.label == "step:tokens"


@pytest.mark.parametrize(
    ("high", "bound"),
    [(V(512), 512), (V(Union((V(512), V(2048)))), 2048), (V(None), None), (V(1), None),
     (V(Unknown("memory", "int")), None), (V(Union((V(512), V(None)))), None)],
)  # fmt: skip
def test_an_upper_bound_of_a_number_counts_where_it_is_known(high, bound) -> None:
    origin = Origin("flag", label="flag:max_num_batched_tokens", value=512)
    number = LIBRARY.functions["mlapath_api.number"](
        ENGINE, [V("tokens")], {"low": V(3), "high": V(high.d, origin)}
    )
    assert (number.d.lo, number.d.hi) == (3, bound)
    assert (origin in ancestors(number.o)) is (bound is not None)


def test_notes_are_kept_once_and_results_by_name() -> None:
    say("stage", "step")
    say("note", "seen")
    say("note", "seen")
    say("keep", "answer", 3)
    assert ENGINE.store["stage"] == "step"
    assert ENGINE.store["notes"] == ["seen"]
    assert ENGINE.store["kept"]["answer"].d == 3


def test_inside_says_who_runs_what_follows():
    run = run_torch(
        """
        import mlapath_api
        class M(torch.nn.Module):
            def forward(self): pass
        m, n = M(), M()
        c = torch.compile(m.forward, fullgraph=True)
        def f(): return torch.compiler.is_compiling()
        mlapath_api.inside([n, m])
        compiled = f()
        mlapath_api.inside([n])
        plain = f()
        mlapath_api.inside([])
        """,
        modules={"mlapath_api": Truth.TRUE},
    )
    assert (run.plain("compiled"), run.plain("plain")) == (True, False)
    regions = {region for region, _ in run.engine.trace.parts}
    assert regions == {"", "traced", "model"}
