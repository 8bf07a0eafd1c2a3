import pytest

from mlapath.base.errors import UsageError
from mlapath.scenario.cmdline import CommandLine, split_command_line

FLAGS = ["--kv-cache-dtype", "fp8", "-tp", "8"]


@pytest.mark.parametrize(
    "tokens",
    [
        ["vllm", "serve", "org/model", *FLAGS],
        ["vllm", "serve", *FLAGS, "--model", "org/model"],
        ["/opt/venv/bin/vllm", "serve", "org/model", *FLAGS],
        ["uv", "run", "vllm", "serve", "org/model", *FLAGS],
        ["python", "-m", "vllm.entrypoints.openai.api_server", "--model", "org/model", *FLAGS],
        ["python3.11", "-m", "vllm.entrypoints.openai.api_server", *FLAGS, "--model=org/model"],
        ["python3", "-m", "vllm.entrypoints.cli.main", "serve", "org/model", *FLAGS],
        [r"C:\py\python.exe", "-m", "vllm", "serve", "org/model", *FLAGS],
        ["vllm serve org/model --kv-cache-dtype fp8 -tp 8"],
        ["vllm serve org/model \\\n  --kv-cache-dtype fp8 \\\r\n  -tp 8\n"],
    ],
)
def test_ways_to_start_a_server(tokens):
    assert split_command_line(tokens) == CommandLine(tuple(FLAGS), "org/model", {})


def test_bare_flags_and_nothing():
    assert split_command_line([]) == CommandLine()
    assert split_command_line(FLAGS) == CommandLine(tuple(FLAGS))


def test_environment_before_the_command():
    line = split_command_line(
        ["env", "VLLM_X=1", "VLLM_Y=a=b", "nohup", "vllm", "serve", "m", "--enforce-eager"]
    )
    assert line == CommandLine(("--enforce-eager",), "m", {"VLLM_X": "1", "VLLM_Y": "a=b"})
    assert split_command_line(["VLLM_X=", "-tp", "2"]) == CommandLine(
        ("-tp", "2"), None, {"VLLM_X": ""}
    )


def test_quoted_values_stay_whole():
    line = split_command_line(["vllm serve m --hf-overrides '{\"index_topk\": 4}' --x ''"])
    assert line.flags == ("--hf-overrides", '{"index_topk": 4}', "--x", "")
    tokens = ["--hf-overrides", '{"index_topk": 4}', "--x", ""]
    assert split_command_line(tokens).flags == tuple(tokens)


def test_assignments_behind_the_command_are_not_environment():
    line = split_command_line(["vllm", "serve", "m", "--x", "A=1"])
    assert line.env == {}
    assert line.flags == ("--x", "A=1")


def test_a_positional_model_wins_over_the_flag():
    line = split_command_line(["vllm", "serve", "first", "--model", "second", "-tp", "2"])
    assert (line.model, line.flags) == ("first", ("-tp", "2"))


@pytest.mark.parametrize(
    ("tokens", "problem"),
    [
        (["vllm", "bench", "latency"], "'vllm bench' is not a server command"),
        (["vllm"], "'vllm' is not a server command"),
        (["VLLM_X=1", "sglang", "serve"], "pasted command starts with 'sglang serve'"),
        (["org/model", "-tp", "8"], "expected engine flags"),
        (["python", "-m", "http.server"], "expected engine flags"),
        (["python", "serve.py"], "expected engine flags"),
        (["vllm serve 'm"], "No closing quotation"),
        (["vllm", "serve", "--model"], "--model has no value"),
    ],
)
def test_what_is_refused(tokens, problem):
    with pytest.raises(UsageError, match=problem) as caught:
        split_command_line(tokens)
    assert "\n" not in str(caught.value)
