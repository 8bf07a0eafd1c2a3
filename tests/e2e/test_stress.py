"""Many processes on one empty cache, some of them killed: right answers, nothing left behind."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mlapath.cache import CacheDir
from mlapath.ir.codec import decode
from mlapath.ir.load import KIND
from support.eras import FIXTURES, site

pytestmark = pytest.mark.slow
CONFIG = FIXTURES / "models" / "deepseek-v3.2.json"


def question(era: str, cache: Path, *words: str, seed: str = "0") -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "mlapath", "analyze", "--config", str(CONFIG), "--device",
               "h100", "--vllm", str(site(era)), "--set", "num_hidden_layers=4", "-v",
               "--format", "json", *words]  # fmt: skip
    env = {**os.environ, "MLAPATH_CACHE_DIR": str(cache), "PYTHONHASHSEED": seed}
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_hash_seeds_and_caches_change_no_byte(tmp_path: Path) -> None:
    said = {
        question(
            "0.26", tmp_path / name, *(["--no-cache"] if name == "none" else []), seed=seed
        ).communicate()
        for name in ("none", "kept", "kept", "kept anew")
        for seed in ("1", "2")
    }
    assert len(said) == 1
    assert next(iter(said))[1] == b""


@pytest.mark.parametrize("seed", [1, 2])
def test_processes_that_are_killed_do_no_harm(tmp_path: Path, seed: int) -> None:
    eras = ("0.16", "0.26")
    right = {era: question(era, tmp_path / "own", "--no-cache").communicate() for era in eras}
    cache = tmp_path / "cache"
    draw = random.Random(seed)
    running = [(eras[at % 2], question(eras[at % 2], cache)) for at in range(8)]
    for _, process in draw.sample(running, 4):
        time.sleep(draw.uniform(0.1, 0.6))
        process.kill()
    for era, process in running:
        said = process.communicate()
        if process.returncode == 0:
            assert said == right[era]
        else:
            assert process.returncode < 0  # it was killed
    for era in eras:
        assert question(era, cache).communicate() == right[era]
    if os.name != "nt":
        question("0.16", cache, "--target", "forward_mha").communicate()  # writes, and so tidies
        assert CacheDir(cache).keys("tmp") == ()
    for key in CacheDir(cache).keys(KIND):
        stored = CacheDir(cache).read(KIND, key)
        assert stored is not None
        assert decode(stored[16:]).body is not None
