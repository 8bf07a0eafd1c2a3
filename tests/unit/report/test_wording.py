import pytest

from mlapath.report.wording import (
    count,
    layer_names,
    ranges,
    short_method,
    short_name,
    shorten,
)


@pytest.mark.parametrize(
    ("layers", "text"),
    [
        (["model.layers.0.attn"], "model.layers.0.attn"),
        ([f"model.layers.{i}.attn" for i in range(61)], "model.layers.{0-60}.attn"),
        ([f"m.{i}" for i in (0, 1, 2, 5, 7, 8)], "m.{0-2,5,7-8}"),
        (["a.0.x", "b.1.x", "a.1.x"], "a.{0-1}.x, b.1.x"),
        (["a.0.b.0", "a.1.b.1"], "a.0.b.0, a.1.b.1"),
        (["attn"], "attn"),
        (["layer10.x", "layer11.x"], "layer10.x, layer11.x"),
    ],
)
def test_layer_names(layers, text):
    assert layer_names(layers) == text


def test_ranges_sort_and_drop_repeats():
    assert ranges([3, 1, 2, 2, 9]) == "1-3,9"


def test_short_forms():
    assert short_name("a.b.C") == "C"
    assert short_name(None) == "none"
    assert short_method("a.b.C.m") == "C.m"
    assert shorten("a" * 10, 5) == "aaaa…"
    assert shorten("abc", 3) == "abc"
    assert (count(1, "layer"), count(0, "layer")) == ("1 layer", "0 layers")
