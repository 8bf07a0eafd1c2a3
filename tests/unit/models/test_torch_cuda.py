from mlapath.scenario.devices import parse_device
from support.torches import run_torch

ASK = """
p = torch.cuda
r = [p.is_available(), p.device_count(), torch.version.cuda is None, torch.version.hip is None,
     torch.xpu.is_available(), torch.accelerator.is_available(), torch.backends.mps.is_available(),
     torch.distributed.is_xccl_available()]
"""


def test_by_platform():
    assert run_torch(ASK).plain("r") == [True, 1, False, True, False, True, False, False]
    amd = run_torch(ASK, device=parse_device("mi300x"))
    assert amd.plain("r") == [True, 1, True, False, False, True, False, False]
    cpu = run_torch(ASK, device=parse_device("cpu"))
    assert cpu.plain("r") == [False, 0, True, True, False, False, False, False]
    xpu = run_torch(ASK, device=parse_device("xpu"))
    assert xpu.plain("r") == [False, 0, True, True, True, True, False, True]


def test_properties_of_the_device():
    run = run_torch(
        """
        p = torch.cuda.get_device_properties(0)
        r = [p.name, p.total_memory, p.multi_processor_count, (p.major, p.minor), p.is_integrated,
             torch.cuda.get_device_capability(), torch.cuda.get_device_name(0),
             str(torch.accelerator.current_accelerator()), torch.cuda.is_bf16_supported()]
        free, total = torch.cuda.mem_get_info()
        torch.cuda.set_device("cuda:1")
        n = torch.cuda.current_device(), str(torch.zeros(1, device="cuda").device)
        """,
        device_count=2,
    )
    assert run.plain("r") == [
        "NVIDIA H100 80GB HBM3", 80 << 30, 132, (9, 0), False, (9, 0), "NVIDIA H100 80GB HBM3",
        "cuda", True,
    ]  # fmt: skip
    assert (run.unknown("free").lo, run.unknown("free").hi) == (0, 80 << 30)
    assert run.plain("total") == 80 << 30
    assert run.plain("n") == (1, "cuda:1")


def test_what_the_scenario_does_not_say_is_unknown():
    run = run_torch(
        """
        p = torch.cuda.get_device_properties(0)
        memory, name, own = p.total_memory, p.name, p.is_integrated
        cap = torch.cuda.get_device_capability()
        """,
        device=parse_device("sm87"),
    )
    assert run.unknown("memory").hint == "int"
    assert run.unknown("name").hint == "str"
    assert run.unknown("own").hint == "bool"
    assert run.plain("cap") == (8, 7)


def test_streams():
    run = run_torch(
        """
        a = torch.cuda.current_stream()
        s = torch.cuda.Stream()
        torch.cuda.set_stream(s)
        r = [torch.cuda.current_stream() is s, a is s, bool(s), isinstance(s, torch.cuda.Stream)]
        s.wait_stream(a)
        """
    )
    assert run.plain("r") == [True, False, True, True]


def test_no_device_raises():
    run = run_torch(
        """
        try:
            torch.cuda.get_device_capability()
        except RuntimeError as error:
            message = str(error)
        """,
        device=parse_device("cpu"),
    )
    assert run.plain("message") == "No CUDA GPUs are available"
