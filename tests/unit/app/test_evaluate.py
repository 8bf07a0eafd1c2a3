"""From flags to the arguments of the engine."""

from mlapath.app.evaluate import engine_arguments
from mlapath.values.origin import ancestors
from mlapath.values.value import V
from support.differential import evaluate


def test_every_part_of_a_flag_comes_from_the_flag():
    it = evaluate("").engine
    flags = {"attention_config": {"backend": "FLASHMLA", "sizes": [1, 2]}, "seed": 0}
    given = engine_arguments(it, flags)
    config = it.getitem(given, V("attention_config"))
    parts = {
        "flag:attention_config": config,
        "flag:attention_config.backend": it.getitem(config, V("backend")),
        "flag:attention_config.sizes[1]": it.getitem(it.getitem(config, V("sizes")), V(1)),
        "flag:seed": it.getitem(given, V("seed")),
    }
    for label, value in parts.items():
        assert label in {o.label for o in ancestors(value.o)}
        assert {o.kind for o in ancestors(value.o)} <= {"flag", "expr"}
