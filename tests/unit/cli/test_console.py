import sys

import pytest
from rich.text import Text

from mlapath.cli.console import capture

LONG = "word " * 100


class Terminal:
    """A standard output that is a terminal."""

    encoding = "utf-8"

    def isatty(self):
        return True


def show(console):
    console.print(Text(LONG.strip(), "red"), highlight=False)


@pytest.fixture
def on_terminal(monkeypatch):
    """Give a function that captures as for a terminal of 60 columns.

    The stream is swapped inside the test: pytest puts its own back between set-up and test.
    """

    def capture_there(**env):
        for name, value in {"TERM": "xterm-256color", "COLUMNS": "60", **env}.items():
            monkeypatch.setenv(name, value)
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", Terminal())
            return capture(show, for_stdout=True)

    return capture_there


def test_a_file_is_plain_and_whole(monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "50")
    assert capture(show, for_stdout=False) == LONG.strip() + "\n"


def test_a_pipe_is_plain_and_whole():
    assert capture(show, for_stdout=True) == LONG.strip() + "\n"


def test_a_terminal_wraps_and_colours(on_terminal):
    text = on_terminal()
    assert "\x1b[31m" in text
    assert text.count("\n") > 5


def test_no_color(on_terminal):
    assert "31m" not in on_terminal(NO_COLOR="1")


def test_a_dumb_terminal(on_terminal):
    assert "\x1b" not in on_terminal(TERM="dumb")


def test_a_pipe_with_forced_colour_and_width(monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "50")
    monkeypatch.setenv("TERM", "xterm-256color")
    text = capture(show, for_stdout=True)
    assert "\x1b[" in text
    assert text.count("\n") > 5
