import pytest

from mlapath.source.keep import keep_companion, keep_sdist, keep_source


@pytest.mark.parametrize(
    ("name", "size", "kept"),
    [
        ("vllm/a.py", 10_000_000, True),
        ("vllm-1.dist-info/RECORD", 10_000_000, True),
        ("vllm-1.dist-info/licenses/LICENSE", 10, False),
        ("vllm/x.json", 10, True),
        ("vllm/x.json", 10_000_000, False),
        ("vllm/_C.abi3.so", 10, False),
        ("vllm/x.cuh", 10, False),
    ],
)
def test_source(name: str, size: int, kept: bool) -> None:
    assert keep_source(name, size) is kept


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("vllm/a.py", True),
        ("PKG-INFO", True),
        ("vllm.egg-info/requires.txt", True),
        ("requirements/cuda.txt", True),
        ("requirements/x.in", False),
        ("tests/a.py", False),
    ],
)
def test_sdist(name: str, kept: bool) -> None:
    assert keep_sdist(name, 10) is kept


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("transformers/__init__.py", True),
        ("transformers/integrations/heterogeneity/configuration_utils.py", True),
        ("transformers/integrations/accelerate.py", False),
        ("transformers/modeling_rope_utils.py", True),
        ("transformers/utils/import_utils.py", True),
        ("transformers/models/auto/configuration_auto.py", True),
        ("transformers/models/deepseek_v3/configuration_deepseek_v3.py", True),
        ("transformers/models/deepseek_v3/__init__.py", True),
        ("transformers/models/deepseek_v3/modeling_deepseek_v3.py", False),
        ("transformers/generation/utils.py", False),
        ("transformers-5.dist-info/METADATA", True),
        ("other/configuration_x.py", False),
    ],
)
def test_companion(name: str, kept: bool) -> None:
    assert keep_companion("transformers")(name, 10) is kept
