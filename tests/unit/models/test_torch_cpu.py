from mlapath.scenario.devices import parse_device
from support.torches import run_torch

ASK = """
c = torch.cpu
r = [c._is_avx2_supported(), c._is_avx512_supported(), c._is_avx512_bf16_supported(),
     c._is_amx_tile_supported()]
fp16 = c._is_amx_fp16_supported()
bf16 = c.get_capabilities().get("bf16", False)
"""


def test_instructions_by_device():
    for name, known in (
        ("cpu", [True, True, True, True]),
        ("cpu:avx512_bf16", [True, True, True, False]),
        ("cpu:avx512", [True, True, False, False]),
        ("cpu:avx2", [True, False, False, False]),
    ):
        run = run_torch(ASK, device=parse_device(name))
        assert run.plain("r") == known
        assert run.unknown("bf16") is not None


def test_amx_for_float16_is_known_only_where_there_is_no_amx():
    assert run_torch(ASK, device=parse_device("cpu:avx512")).plain("fp16") is False
    assert run_torch(ASK, device=parse_device("cpu:amx")).unknown("fp16").hint == "bool"


def test_of_the_host_of_a_gpu_nothing_is_known():
    run = run_torch("r = torch.cpu._is_amx_tile_supported()")
    assert run.unknown("r").hint == "bool"


def test_the_processor_is_one_device():
    run = run_torch(
        "c = torch.cpu\nr = [c.device_count(), c.is_available(), c.current_device(), "
        "c.synchronize()]",
        device=parse_device("cpu"),
    )
    assert run.plain("r") == [1, True, "cpu", None]
