from mlapath.scenario.devices import parse_device
from support.torches import run_torch

ASK = """
import triton
r = [torch.__version__, torch.version.cuda, torch.version.hip, triton.__version__]
"""


def test_releases_tell_what_they_pin():
    old = run_torch(ASK, versions={"torch": "2.9.1"})
    assert old.plain("r") == ["2.9.1", "12.8", None, "3.5.1"]
    new = run_torch(ASK, versions={"torch": "2.11.0+cu130"})
    assert new.plain("r") == ["2.11.0+cu130", "13.0", None, "3.6.0"]


def test_what_is_said_wins():
    said = run_torch(ASK, versions={"torch": "2.9.1", "triton": "9.9"})
    assert said.plain("r")[3] == "9.9"


def test_without_a_release():
    run = run_torch(ASK.replace("r =", "a, b, c, d ="), device=parse_device("mi300x"))
    assert run.unknown("a").hint == run.unknown("d").hint == "str"
    assert run.plain("b") is None
    assert run.plain("c").startswith("7")
