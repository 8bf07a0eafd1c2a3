import pytest

from mlapath.base.errors import UsageError
from mlapath.scenario.devices import PRODUCTS, device_names, parse_device, products


@pytest.mark.parametrize(
    ("name", "platform", "capability", "runtime"),
    [
        ("a100", "cuda", "8.0", (8, 0)),
        ("l40s", "cuda", "8.9", (8, 9)),
        ("h20", "cuda", "9.0", (9, 0)),
        ("h100", "cuda", "9.0", (9, 0)),
        ("h200", "cuda", "9.0", (9, 0)),
        ("b200", "cuda", "10.0", (10, 0)),
        ("gb200", "cuda", "10.0", (10, 0)),
        ("b300", "cuda", "10.3", (10, 3)),
        ("gb300", "cuda", "10.3", (10, 3)),
        ("rtx-5090", "cuda", "12.0", (12, 0)),
        ("rtx-pro-6000", "cuda", "12.0", (12, 0)),
        ("dgx-spark", "cuda", "12.1", (12, 1)),
        ("mi300x", "rocm", "gfx942", (9, 4)),
        ("mi355x", "rocm", "gfx950", (9, 5)),
        ("cpu", "cpu", None, None),
        ("xpu", "xpu", None, None),
    ],
)
def test_products_of_the_contract(name, platform, capability, runtime):
    device = parse_device(name)
    assert (device.name, device.platform, device.capability) == (name, platform, capability)
    assert device.compute_capability == runtime


@pytest.mark.parametrize("text", ["RTX 5090", "rtx5090", "NVIDIA GeForce RTX 5090", "rtx_5090"])
def test_spellings_of_one_product(text):
    assert parse_device(text).name == "rtx-5090"


@pytest.mark.parametrize(
    ("text", "capability"),
    [
        ("9.0", "9.0"),
        ("cuda:9.0", "9.0"),
        ("sm90", "9.0"),
        ("SM_90a", "9.0"),
        ("sm103", "10.3"),
        ("12.1", "12.1"),
        ("gfx942", "gfx942"),
        ("rocm:gfx90a", "gfx90a"),
    ],
)
def test_capabilities_leave_the_product_unknown(text, capability):
    device = parse_device(text)
    assert device.capability == capability
    assert device.memory_bytes is device.sm_count is device.product_name is None


@pytest.mark.parametrize("text", ["", "nvidia", "h1000", "9.99", "sm999", "90", "gfx", "4.0"])
def test_unknown_names_are_one_line_with_the_names(text):
    with pytest.raises(UsageError) as caught:
        parse_device(text)
    assert "\n" not in str(caught.value)
    assert "h100" in str(caught.value)
    assert "rtx-pro-6000" in str(caught.value)


def test_nearest_name():
    with pytest.raises(UsageError, match="did you mean rtx-pro-6000"):
        parse_device("rtx-pro-600")


def test_every_product_is_found_by_both_of_its_names():
    for device in PRODUCTS:
        assert parse_device(device.name) == device
        if device.product_name is not None:
            assert parse_device(device.product_name) == device
    assert len(set(device_names())) == len(PRODUCTS)


def test_a_capability_stands_for_the_products_that_have_it():
    assert {p.name for p in products(parse_device("10.0"))} == {"b200", "gb200"}
    assert [p.name for p in products(parse_device("h200"))] == ["h200"]
    assert products(parse_device("8.7")) == ()
    assert products(parse_device("cpu")) == ()


@pytest.mark.parametrize(
    ("text", "name", "instructions"),
    [
        ("cpu", "cpu", ("avx2", "avx512", "avx512_bf16", "amx")),
        ("cpu:amx", "cpu:amx", ("avx2", "avx512", "avx512_bf16", "amx")),
        ("CPU:AVX512-BF16", "cpu:avx512_bf16", ("avx2", "avx512", "avx512_bf16")),
        ("cpu:avx512", "cpu:avx512", ("avx2", "avx512")),
        ("cpu:avx2", "cpu:avx2", ("avx2",)),
    ],
)
def test_instructions_of_a_processor(text, name, instructions):
    device = parse_device(text)
    assert (device.name, device.platform) == (name, "cpu")
    assert device.instructions == instructions


def test_an_unknown_set_of_instructions_is_an_error_with_the_nearest():
    with pytest.raises(UsageError, match=r"did you mean cpu:(amx|avx\w+)"):
        parse_device("cpu:amx2")
