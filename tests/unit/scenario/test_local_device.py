import pytest

from mlapath.base.errors import UsageError
from mlapath.scenario.local_device import find_local_device


def test_a_known_product():
    device = find_local_device(lambda command: "NVIDIA H200, 9.0\nNVIDIA A100-SXM4-80GB, 8.0\n")
    assert device.name == "h200"


def test_an_unknown_product_keeps_its_name_and_capability():
    device = find_local_device(lambda command: "NVIDIA Quux 9000, 12.0\n")
    assert (device.name, device.capability) == ("12.0", "12.0")
    assert device.product_name == "NVIDIA Quux 9000"
    assert device.memory_bytes is None


def test_a_driver_that_contradicts_our_table_wins():
    device = find_local_device(lambda command: "NVIDIA Thor, 10.1\n")
    assert device.capability == "10.1"


@pytest.mark.parametrize("output", [None, "", "No devices were found\n"])
def test_without_a_gpu_the_names_are_listed(output):
    with pytest.raises(UsageError, match="no GPU is visible.*--device.*h100"):
        find_local_device(lambda command: output)
