"""Nothing that a value rests on is dropped."""

import pytest

from mlapath.values.origin import ancestors
from support.differential import evaluate


def test_what_is_returned_rests_on_every_guard_that_was_passed():
    asked = [f"A{i}" for i in range(30)]
    skipped = "".join(
        f"    if os.environ.get('{name}') == 'x':\n        y = 1\n" for name in asked
    )
    run = evaluate(f"import os\ndef f():\n    y = 0\n{skipped}    return y\nfound = f()\n")
    labels = {origin.label for origin in ancestors(run.value("found").o)}
    assert {f"env:{name}" for name in asked} <= labels


WHICH = """import os
class Part:
    def __init__(self, size):
        self.size = size
    def more(self, extra):
        return self.size + extra
class Layer:
    pass
layer = Layer()
layer.part = Part(len(os.environ.get("SIZE", "")))
extra = len(os.environ.get("EXTRA", ""))
"""


@pytest.mark.parametrize(
    "asked",
    [
        "layer.part.size",
        "layer.part.more(extra)",
        "getattr(layer.part, 'size')",
        "{'a': layer.part}['a'].size",
        "[x for x in [layer.part]][0].size",
        "next(iter([layer.part])).size",
        "{'a': layer.part}.get('a').size",
    ],
)
def test_what_an_object_gives_rests_on_which_object_it_is(asked):
    run = evaluate(f"{WHICH}found = {asked}\n")
    lines = {origin.pos[0] for origin in ancestors(run.value("found").o) if origin.pos}
    assert {4, 10} <= lines


HELD = """class Part:
    def __init__(self, size):
        self.size = 0 + size
class Layer:
    pass
layer = Layer()
layer.parts = {"a": Part(3)}
layer.listed = [Part(3)]
layer.key = "a"
layer.at = 0
"""


@pytest.mark.parametrize(
    ("asked", "lines"),
    [
        ("layer.parts[layer.key].size", {7, 9}), ("layer.parts.get(layer.key).size", {7, 9}),
        ("layer.parts.get('z', layer.key)", {7, 9}), ("layer.listed[layer.at].size", {8, 10}),
        ("next(iter(layer.listed)).size", {8}), ("hasattr(layer, layer.key)", {9}),
        ("[y for x in layer.listed for y in [x.size]][0]", {8}),
    ],
)  # fmt: skip
def test_an_item_rests_on_where_it_was_and_under_what(asked, lines):
    run = evaluate(f"{HELD}found = {asked}\n")
    seen = {origin.pos[0] for origin in ancestors(run.value("found").o) if origin.pos}
    assert lines <= seen


@pytest.mark.parametrize("pick", ["min(valid)", "valid[0]", "max(valid, key=str)"])
def test_an_item_that_is_picked_rests_on_what_kept_others_out(pick):
    run = evaluate(
        "import os\nvalid = []\nfor size in (1, 2):\n"
        "    if size == 1 and os.environ.get('FIRST') is None:\n        continue\n"
        f"    valid.append(size)\nfound = {pick}\n"
    )
    assert run.value("found").d == 2
    assert "env:FIRST" in {origin.label for origin in ancestors(run.value("found").o)}
