"""What code may find of a device of which only the capability is given."""

import pytest

from mlapath.scenario.devices import GIB, parse_device
from mlapath.values.value import Unknown
from support.torches import run_torch

ASKED = """import torch
found = torch.cuda.get_device_properties(0)
large = found.total_memory >= 70 * 2**30
ampere = "a100" in found.name.lower()
"""


def asked(device):
    return run_torch(ASKED, device=parse_device(device))


@pytest.mark.parametrize(
    ("device", "large", "ampere"),
    [("10.0", True, False), ("9.0", True, False), ("8.9", False, False), ("h200", True, False),
     ("a100", True, True)],
)  # fmt: skip
def test_what_all_products_of_a_capability_have_in_common_is_known(device, large, ampere):
    run = asked(device)
    assert (run.plain("large"), run.plain("ampere")) == (large, ampere)


def test_where_they_differ_it_is_not_known():
    run = asked("8.0")
    assert run.unknown("large").hint == "bool"
    assert run.unknown("ampere").hint == "bool"
    memory = run.engine.getattr(run.value("found"), "total_memory").d
    assert type(memory) is Unknown
    assert (memory.lo, memory.hi) == (24 * GIB, 80 * GIB)


def test_of_a_capability_that_no_known_product_has_nothing_is_known():
    run = asked("8.7")
    assert run.unknown("large").hint == "bool"
    assert run.unknown("ampere").hint == "bool"
