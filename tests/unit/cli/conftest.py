"""The command line with a stand-in for the analysis, and a cache of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from mlapath.app.ask import Answer
from mlapath.app.parallel import Told
from mlapath.app.request import AnalyzeRequest
from mlapath.base.errors import MlapathError
from mlapath.base.stamps import Folder
from mlapath.cli.main import main
from mlapath.findings.model import Report
from support import samples


@dataclass
class Ran:
    code: int
    out: str
    err: str


@dataclass
class FakeAnalysis:
    """Answers with ``report(request)`` and keeps the requests.

    ``folders``: what the answers claim to have been made from.
    """

    report: Callable[[AnalyzeRequest], Report] = lambda _request: samples.sparse()
    requests: list[AnalyzeRequest] = field(default_factory=list)
    folders: tuple[Folder, ...] = ()

    def __call__(self, request: AnalyzeRequest, progress: Any) -> Answer:
        self.requests.append(request)
        return Answer(self.report(request), self.folders)

    def ask_all(self, requests: Sequence[AnalyzeRequest], progress: Any) -> list[Told]:
        return [self._told(request, progress) for request in requests]

    def _told(self, request: AnalyzeRequest, progress: Any) -> Told:
        try:
            return Told(self(request, progress))
        except MlapathError as error:
            return Told(None, str(error), error.exit_code)


@pytest.fixture(autouse=True)
def _own_world(monkeypatch, tmp_path_factory):
    monkeypatch.setenv("MLAPATH_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
    for name in ("MLAPATH_DEBUG", "NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def analysis(monkeypatch):
    fake = FakeAnalysis()
    monkeypatch.setattr("mlapath.app.ask.ask", fake)
    monkeypatch.setattr("mlapath.app.parallel.ask_all", fake.ask_all)
    return fake


@pytest.fixture
def run(capsys):
    def run_main(*words: str) -> Ran:
        code = main(words)
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run_main


@pytest.fixture
def glm5(models):
    return str(models / "glm-5.json")
