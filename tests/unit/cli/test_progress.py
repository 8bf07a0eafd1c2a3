import io
import sys

from mlapath.cli.progress import show_progress
from mlapath.source.ports import silent


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self):
        return True


def test_bars_on_a_terminal_only(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm-256color")
    with show_progress(quiet=False) as progress:
        progress("vllm [0.16.0]", 0, None)
        progress("vllm [0.16.0]", 500, 1000)
        progress("vllm [0.16.0]", 1000, 1000)
    assert "vllm [0.16.0]" in stream.getvalue()


def test_nothing_when_quiet_or_in_a_pipe(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with show_progress(quiet=True) as progress:
        assert progress is silent
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with show_progress(quiet=False) as progress:
        assert progress is silent
    assert stream.getvalue() == ""
