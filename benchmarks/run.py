"""mlapath and its peers on the same machine in the same run: ``python benchmarks/run.py``.

Prints a table of CPU seconds (user and system, of the process and its children), wall seconds
and peak memory, each the median of ``--runs`` runs, and the ratios that the project cares about.
Peers are measured where they are installed (``benchmarks/requirements.txt``). Nothing fails for a
number.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONFIG = ROOT / "fixtures" / "models" / "deepseek-v3.2.json"
MLA = Path("vllm/model_executor/layers/attention/mla_attention.py")
MEASURE = """
import resource, subprocess, sys, time
start = time.perf_counter()
nowhere = subprocess.DEVNULL
code = subprocess.run(sys.argv[1:], stdout=nowhere, stderr=nowhere).returncode
wall = time.perf_counter() - start
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, wall, used.ru_maxrss, code)
"""
"""Run by an interpreter of its own for each run, so that what is counted is that run's alone."""


@dataclass(frozen=True)
class Cost:
    """CPU seconds, wall seconds and peak resident megabytes."""

    cpu: float
    wall: float
    peak: float


def cost(command: Sequence[str], env: dict[str, str], *, may_fail: bool = False) -> Cost:
    """What one run of a command takes."""
    said = subprocess.run(
        [sys.executable, "-c", MEASURE, *command],
        env=env, stdout=subprocess.PIPE, text=True, check=True,
    ).stdout.split()  # fmt: skip
    if int(said[3]) and not may_fail:
        raise SystemExit(f"exit code {said[3]}: {' '.join(command)}")
    unit = 1024**2 if platform.system() == "Darwin" else 1024
    return Cost(float(said[0]), float(said[1]), float(said[2]) / unit)


def median(costs: Sequence[Cost]) -> Cost:
    """The median of each number."""
    return Cost(*(statistics.median(getattr(c, name) for c in costs) for name in
                  ("cpu", "wall", "peak")))  # fmt: skip


@contextmanager
def copied(tree: Path) -> Iterator[Path]:
    """A copy of a tree that may be edited."""
    with tempfile.TemporaryDirectory(prefix="mlapath-bench-") as folder:
        yield Path(shutil.copytree(tree, Path(folder) / "site"))


class Bench:
    """The measurements of one release."""

    def __init__(self, version: str, runs: int) -> None:
        self.version, self.runs = version, runs
        self.env = {k: v for k, v in os.environ.items() if k != "MLAPATH_CACHE_DIR"}
        said = subprocess.run(
            [*MLAPATH, "tree", version, "--format", "json"],
            env=self.env, stdout=subprocess.PIPE, text=True, check=True,
        )  # fmt: skip
        self.tree = Path(json.loads(said.stdout)["root"])
        self.costs: dict[str, Cost] = {}

    def measure(self) -> None:
        """Fill ``costs``."""
        question = [*MLAPATH, "analyze", "--config", str(CONFIG), "--device", "h100"]
        with copied(self.tree) as tree, tempfile.TemporaryDirectory() as folder:
            here = [*question, "--vllm", str(tree)]
            self._keep("cold", lambda at: self._in(folder, f"cold{at}", here))
            self._in(folder, "warm", here)
            self._keep("warm", lambda _at: self._warm(folder, here))
            few = [*here, "--set", "num_hidden_layers=4"]
            self._keep("warm, 4 layers", lambda _at: self._warm(folder, few))
            self._in(folder, "warm", here)
            self._keep("repeat", lambda _at: self._in(folder, "warm", here))
            self._keep("one file edited", lambda at: self._edited(folder, here, tree / MLA, at))
        self._peers()

    def _keep(self, name: str, run: object) -> None:
        costs = [run(at) for at in range(self.runs)]  # type: ignore[operator]
        self.costs[name] = median(costs)
        sys.stderr.write(f"{self.version} {name}: {self.costs[name].cpu:.2f} s CPU\n")

    def _in(self, folder: str, name: str, command: Sequence[str]) -> Cost:
        """A run with the cache ``name``, which has transformers' source from the start."""
        from mlapath.cache import CacheDir

        place = Path(folder) / name
        if not place.exists():
            for kind in ("companions", "pins"):
                shutil.copytree(CacheDir.default().root / kind, place / kind)
        return cost(command, {**self.env, "MLAPATH_CACHE_DIR": os.path.join(folder, name)})

    def _warm(self, folder: str, command: Sequence[str]) -> Cost:
        """A run that has the IR and no answer."""
        for kind in ("answers", "said"):
            shutil.rmtree(Path(folder) / "warm" / kind, ignore_errors=True)
        return self._in(folder, "warm", command)

    def _edited(self, folder: str, command: Sequence[str], file: Path, at: int) -> Cost:
        with file.open("a", encoding="utf-8") as stream:
            stream.write(f"\n# edit {at}\n")
        return self._in(folder, "warm", command)

    def _peers(self) -> None:
        file = str(self.tree / MLA)
        line = _line_of(self.tree / MLA, "def forward_mha")
        jedi = (
            "import jedi, sys; s = jedi.Script(path=sys.argv[1], project=jedi.Project("
            f"sys.argv[2])); s.get_references({line}, 8)"
        )
        graph = (
            f"import sys; sys.path.insert(0, {str(self.tree)!r}); "
            "import grimp; grimp.build_graph('vllm', cache_dir=None)"
        )
        peers: dict[str, tuple[str, list[str]]] = {
            "python -c 'import typer, rich'": ("typer", [PYTHON, "-c", "import typer, rich"]),
            "jedi, references of forward_mha":
                ("jedi", [PYTHON, "-c", jedi, file, str(self.tree)]),
            "mypy, cold":
                ("mypy", [PYTHON, "-m", "mypy", "--follow-imports=silent",
                          f"--cache-dir={os.devnull}", file]),
            "basedpyright": ("basedpyright", [PYTHON, "-m", "basedpyright", file]),
            "grimp, import graph of vllm": ("grimp", [PYTHON, "-c", graph]),
        }  # fmt: skip
        for name, (module, command) in peers.items():
            if subprocess.run([PYTHON, "-c", f"import {module}"], stderr=subprocess.DEVNULL,
                              check=False).returncode:  # fmt: skip
                sys.stderr.write(f"{self.version} {name}: not installed\n")
                continue
            self._keep(name, lambda _at, command=command: cost(command, self.env, may_fail=True))


def _line_of(file: Path, text: str) -> int:
    lines = file.read_text("utf-8").splitlines()
    return next(at for at, line in enumerate(lines, 1) if text in line)


BARS = (
    ("cold / mypy", "cold", "mypy, cold", 0.6),
    ("warm / jedi", "warm", "jedi, references of forward_mha", 0.5),
    ("repeat / import typer, rich", "repeat", "python -c 'import typer, rich'", 1.6),
    ("one file edited / warm", "one file edited", "warm", 1.3),
    ("61 layers / 4 layers", "warm", "warm, 4 layers", 1.3),
)
"""Ratios of CPU seconds that the project aims at."""


def table(bench: Bench) -> Iterator[str]:
    """The results as Markdown."""
    yield f"### vLLM {bench.version}"
    yield ""
    yield "| what | CPU s | wall s | peak MB |"
    yield "| --- | --- | --- | --- |"
    for name, found in bench.costs.items():
        yield f"| {name} | {found.cpu:.2f} | {found.wall:.2f} | {found.peak:.0f} |"
    yield ""
    yield "| ratio | is | aim |"
    yield "| --- | --- | --- |"
    for name, above, below, aim in BARS:
        if above in bench.costs and below in bench.costs:
            ratio = bench.costs[above].cpu / bench.costs[below].cpu
            yield f"| {name} | {ratio:.2f} | {aim} |"
    yield ""


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--versions", default="0.33.0,0.16.0")
    options.add_argument("--runs", type=int, default=5)
    chosen = options.parse_args()
    print(f"{time.strftime('%Y-%m-%d')}, Python {platform.python_version()}, "
          f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, "
          f"median of {chosen.runs} runs\n")  # fmt: skip
    for version in chosen.versions.split(","):
        bench = Bench(version, chosen.runs)
        bench.measure()
        print("\n".join(table(bench)), flush=True)


PYTHON = sys.executable
MLAPATH = (PYTHON, "-m", "mlapath")

if __name__ == "__main__":
    main()
