"""Wrong input, through the command line: one clear line, the right exit code, no traceback.

What vLLM itself refuses is an answer, not an error: exit code 0 and the refusal in the report.
"""

from __future__ import annotations

import json
import shutil
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mlapath.cli.main import main
from support.eras import site

LAYER = "vllm/model_executor/layers/attention/mla_attention.py"
MODELS = Path(__file__).resolve().parents[2] / "fixtures" / "models"
GLM5 = str(MODELS / "glm-5.json")
TREE = str(site("0.16"))


@dataclass
class Ran:
    code: int
    out: str
    err: str

    @property
    def report(self) -> dict[str, Any]:
        return dict(json.loads(self.out))


Run = Callable[..., Ran]


@pytest.fixture
def run(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> Run:
    """``analyze`` in a world of its own: no debug output, an empty cache."""
    monkeypatch.delenv("MLAPATH_DEBUG", raising=False)
    monkeypatch.setenv("MLAPATH_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))

    def analyze(
        *words: str, config: object = GLM5, vllm: object = TREE, device: str = "h100"
    ) -> Ran:
        options = ["--config", str(config), "--vllm", str(vllm), "--device", device]
        code = main(["analyze", *options, "--format", "json", *words])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.out + captured.err
        return Ran(code, captured.out, captured.err)

    return analyze


def fails(ran: Ran, *problem: str) -> None:
    """A usage error: one line on standard error that says what is wrong, nothing else."""
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("mlapath: ")
    assert ran.err.count("\n") == 1
    assert all(part in ran.err for part in problem), ran.err


def text_of_deep_json(levels: int) -> str:
    return '{"a": ' * levels + "1" + "}" * levels


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (None, "no such file"),
        ("", "is empty"),
        ('{"a": ', "not valid JSON"),
        ("[1]", "expected a JSON object"),
        ('{"a": "' + "x" * 17 * 1024**2 + '"}', "larger than 16 MiB"),
        (text_of_deep_json(200), "nested deeper than 100 levels"),
        (text_of_deep_json(100_000), "nested deeper than 100 levels"),
        ('{"a": ' + "9" * 10_000 + "}", "not usable as JSON"),
        (b"\xff\xfe{}", "not UTF-8"),
    ],
    ids=["missing", "empty", "cut", "list", "huge", "deep", "very-deep", "digits", "bytes"],
)
def test_json(run: Run, tmp_path: Path, text: str | bytes | None, problem: str) -> None:
    file = tmp_path / "config.json"
    if text is not None:
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    fails(run(config=file), str(file), problem)


def test_a_folder_without_configuration(run: Run, tmp_path: Path) -> None:
    fails(run(config=tmp_path), "config.json")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--device", "h101"], "unknown device 'h101'; did you mean h100"),
        (["--", "--kv-cache-dtipe", "fp8"], "--kv-cache-dtipe; did you mean --kv-cache-dtype"),
        (["--", "--block-size", "many"], "--block-size"),
        (["--target", "forward_mhaa"], "'forward_mhaa'; did you mean forward_mha"),
        (["--target", "MLAAtention.forward_impl"], "'MLAAtention'; did you mean MLAAttention"),
        (["--expect", "forward_mha=nevr"], "nevr"),
        (["--expect", "forward_mhaa=never"], "forward_mhaa"),
        (["--sett", "a=1"], "--sett"),
        (["--set", "a"], "--set"),
        (["--env", "VLLM_X"], "--env"),
        (["--format", "xml"], "xml"),
    ],
)
def test_words(run: Run, words: list[str], problem: str) -> None:
    fails(run(*words), problem)


@pytest.mark.parametrize(
    ("version", "problem"),
    [("0.16.x", "neither a version"), ("no/such/folder", "neither a version")],
)
def test_something_that_is_no_version(run: Run, version: str, problem: str) -> None:
    fails(run(vllm=version), version, problem)


@pytest.mark.network
def test_a_version_that_was_never_released(run: Run) -> None:
    ran = run(vllm="0.16.99")
    if "cannot be reached" in ran.err:
        pytest.skip(f"NOT TESTED: {ran.err}")
    fails(ran, "0.16.99", "newest there")


def test_an_empty_folder(run: Run, tmp_path: Path) -> None:
    fails(run(vllm=tmp_path), str(tmp_path), "is empty")


def test_a_folder_without_vllm(run: Run, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing", "utf-8")
    fails(run(vllm=tmp_path), str(tmp_path), "vllm")


def test_a_vllm_without_an_engine(run: Run, tmp_path: Path) -> None:
    (tmp_path / "vllm").mkdir()
    (tmp_path / "vllm" / "__init__.py").write_text("", "utf-8")
    fails(run(vllm=tmp_path), "EngineArgs")


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An index address at which nothing listens."""
    for name in ("UV_INDEX", "UV_INDEX_URL", "UV_DEFAULT_INDEX", "PIP_EXTRA_INDEX_URL",
                 "PIP_FIND_LINKS", "PIP_NO_INDEX"):  # fmt: skip
        monkeypatch.delenv(name, raising=False)
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{held.getsockname()[1]}/simple/"
        monkeypatch.setenv("PIP_INDEX_URL", url)
        monkeypatch.setenv("UV_DEFAULT_INDEX", url)
        yield url


def test_no_network(run: Run, nowhere: str) -> None:
    fails(run(vllm="0.16.0"), "127.0.0.1", "cannot be reached")


def copied(into: Path) -> Path:
    root = into / "site-packages"
    shutil.copytree(TREE, root)
    return root


def refused(ran: Ran) -> dict[str, Any]:
    """An answer: vLLM refuses."""
    assert (ran.code, ran.err) == (0, "")
    assert ran.report["outcome"] == "refuses"
    return dict(ran.report["refusal"])


@pytest.mark.parametrize("architectures", [["NoSuchForCausalLM"], [], None, "Llama"])
def test_an_unknown_architecture_is_refused_by_vllm(run: Run, architectures: object) -> None:
    refusal = refused(run("--set", f"architectures={json.dumps(architectures)}"))
    assert refusal["exception"] == "ValueError"
    assert "not supported" in refusal["message"]
    assert refusal["at"].startswith("vllm/model_executor/models/registry.py:")


def test_a_number_that_is_none_is_refused_by_torch(run: Run) -> None:
    assert refused(run("--set", 'hidden_size="wide"'))["exception"] == "TypeError"


def test_a_tree_without_the_layer_is_refused_by_python(run: Run, tmp_path: Path) -> None:
    root = copied(tmp_path)
    (root / LAYER).unlink()
    refusal = refused(run(vllm=root))
    assert refusal["exception"] == "ModuleNotFoundError"
    assert "mla_attention" in refusal["message"]
    assert refusal["at"].startswith("vllm/")


def test_a_file_on_the_path_with_a_syntax_error(run: Run, tmp_path: Path) -> None:
    root = copied(tmp_path)
    with (root / LAYER).open("a", encoding="utf-8") as file:
        file.write("\ndef (\n")
    line = len((root / LAYER).read_text("utf-8").splitlines())
    ran = run(vllm=root)
    assert (ran.code, ran.err) == (0, "")
    assert (ran.report["outcome"], ran.report["refusal"]) == ("unproven", None)
    notes = [note for note in ran.report["notes"] if f"{LAYER}:{line}" in note]
    assert len(notes) == 1
    strict = run("--strict", vllm=root)
    assert strict.code == 3
    assert strict.err.count("\n") == 1


def test_a_syntax_error_where_flags_are_defined(run: Run, tmp_path: Path) -> None:
    root = copied(tmp_path)
    with (root / "vllm/engine/arg_utils.py").open("a", encoding="utf-8") as file:
        file.write("\ndef (\n")
    fails(run(vllm=root), "vllm/engine/arg_utils.py", "invalid syntax")


def test_sizes_beyond_reason(run: Run) -> None:
    ran = run("--set", f"num_hidden_layers={10**30}")
    assert ran.code == 0
    assert ran.report["outcome"] == "unproven"
