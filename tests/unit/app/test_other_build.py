"""A CPU build in place of a release's CUDA wheel."""

from types import SimpleNamespace

import pytest

from mlapath.app.assumptions import assumptions_of
from mlapath.app.build import make_facts
from mlapath.app.other_build import common, other_build, packages_left_out, version_of
from mlapath.scenario.devices import parse_device
from mlapath.scenario.packages import PackageFacts
from mlapath.values.truth import Truth

CPU, CPU_AMX, GPU = parse_device("cpu"), parse_device("cpu:amx"), parse_device("h100")
AMD = parse_device("mi300x")
REQUIRES = (
    "numpy", "numba==0.65.0", "ray[cgraph]>=2.48.0", "torch==2.13.0", "torchvision==0.28.0",
    "flashinfer-python==0.7.0", "nvidia-cutlass-dsl==4.8.0", 'pandas; extra == "bench"',
)  # fmt: skip
EXTENSIONS = ("vllm._C", "vllm._flashmla_C", "vllm.third_party.deep_gemm._C",
              "vllm.vllm_flash_attn._vllm_fa2_C")  # fmt: skip


def tree(**changes):
    values = {"version": "0.33.0", "distributions": None, "requires": REQUIRES, "plugins": (),
              "extensions": EXTENSIONS, "built": True, "origin": "index", **changes}  # fmt: skip
    return SimpleNamespace(**values)


def facts(device, **changes):
    return make_facts(tree(**changes), None, device, {}, PackageFacts(), {})


def test_the_wheel_of_another_platform_stands_for_a_cpu_build():
    assert other_build(tree(), CPU) == "cpu"
    assert other_build(tree(), AMD) == "rocm"
    assert other_build(tree(), GPU) == ""


@pytest.mark.parametrize("known", [{"distributions": {}}, {"version": "0.33.0+cpu"}])
def test_what_is_installed_or_a_cpu_wheel_is_taken_as_it_is(known):
    assert other_build(tree(**known), CPU) == ""


def test_version_packages_and_extensions():
    cpu, gpu = facts(CPU), facts(GPU)
    assert (cpu.version("vllm"), gpu.version("vllm")) == ("0.33.0+cpu", "0.33.0")
    for name in ("numpy", "numba", "torch", "torchvision", "vllm._C", "vllm._C_AVX2"):
        assert cpu.has_module(name) is Truth.TRUE
    for name in ("flashinfer", "cutlass", "triton", "cuda", "vllm._flashmla_C"):
        assert cpu.has_module(name) is Truth.FALSE
        assert gpu.has_module(name) is Truth.TRUE
    assert version_of("0.33.0+cu130", "cpu") == "0.33.0+cpu"


def test_a_build_for_amds_devices():
    amd = facts(AMD)
    assert amd.version("vllm") == "0.33.0+rocm"
    for name in ("numpy", "torch", "triton", "vllm._C", "vllm._rocm_C"):
        assert amd.has_module(name) is Truth.TRUE
    assert amd.has_module("vllm._flashmla_C") is Truth.UNKNOWN
    for name in ("flashinfer", "cutlass", "tokenspeed_mla"):
        assert amd.has_module(name) is Truth.FALSE
    for name in ("aiter", "flash_attn"):
        assert amd.has_module(name) is Truth.UNKNOWN
        assert facts(GPU).has_module(name) is Truth.FALSE
        assert facts(AMD, distributions={}).has_module(name) is Truth.FALSE
    assert amd.has_distribution("flash-attn") is Truth.UNKNOWN
    said = PackageFacts(present={"aiter": None}, absent=("flash-attn",))
    told = make_facts(tree(), None, AMD, {}, said, {})
    assert (told.has_module("aiter"), told.has_module("flash_attn")) == (Truth.TRUE, Truth.FALSE)


def test_requirements_of_every_platform():
    assert list(common(REQUIRES)) == [*REQUIRES[:5]]


def test_packages_that_the_build_for_cuda_takes_from_other_projects():
    assert packages_left_out(tree()) == {"vllm.third_party.deep_gemm", "vllm.vllm_flash_attn"}


def test_only_nvidias_devices_may_have_the_files_of_a_jetson():
    assert facts(CPU).path_kind("/etc/nv_tegra_release") == "absent"
    assert facts(GPU).path_kind("/etc/nv_tegra_release") is None
    assert facts(AMD).path_kind("/etc/nv_tegra_release") == "absent"
    assert facts(CPU).path_kind("/proc/cpuinfo") == "file"


def test_assumptions():
    def ids(device, **changes):
        return [a.id for a in assumptions_of(tree(**changes), None, device)]

    assert ids(GPU) == ["A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A10"]
    assert ids(AMD) == ["A1", "A2", "A3", "A4", "A6", "A7", "A8", "A10", "A14"]
    assert ids(CPU) == ["A1", "A2", "A3", "A4", "A6", "A7", "A8", "A10", "A11", "A12"]
    assert ids(CPU_AMX) == ["A1", "A2", "A3", "A4", "A6", "A7", "A8", "A10", "A12"]
    assert ids(CPU_AMX, distributions={}) == ["A1", "A2", "A5", "A6", "A7", "A8", "A10"]
