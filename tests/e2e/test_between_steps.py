"""What ``fires`` takes for granted of steps, on real trees: see ``app.absence``."""

import pytest

from mlapath.app.absence import PREPARING, REQUESTS, WORKERS
from mlapath.resolve.mentions import Mentions
from mlapath.resolve.names import Names
from support.realtree import real_tree

pytestmark = [pytest.mark.network, pytest.mark.slow]
STEPS = ("execute_model", "sample_tokens")


def said_in_steps(index: Mentions) -> set[str]:
    """What a file's functions name that a step runs, and the functions of it that they name."""
    words: dict[str, set[str]] = {}
    for found in (index.names, index.own, index.kept):
        for word, mentions in found.items():
            for mention in mentions:
                words.setdefault(mention.function, set()).add(word)
    queue = [name for name in STEPS if name in index.defined]
    for name in queue:
        queue.extend(w for w in words.get(name, ()) if w in index.defined and w not in queue)
    return {word for name in queue for word in words.get(name, ())}


@pytest.mark.parametrize("version", ["0.16.0", "0.20.0", "0.22.1", "0.26.0", "0.29.0", "0.33.0"])
def test_no_step_names_what_is_taken_to_run_between_steps(version):
    tree, _ = real_tree(version)
    names = Names(tree.root, tuple(f for f in tree.files if f.endswith(".py")))
    prepared = {
        name for path in names.paths if path.startswith(PREPARING)
        for name in names.index(path).functions
    }  # fmt: skip
    assert len(prepared) > 50
    stepped = []
    for path in names.paths:
        index = names.index(path) if path.startswith(WORKERS) else None
        if index is None or not index.defined.keys() & set(STEPS):
            continue
        said = said_in_steps(index)
        assert not said & REQUESTS, path
        assert not (said & prepared) - index.defined.keys(), path
        stepped.append(path)
    assert {f"{WORKERS}gpu_worker.py", f"{WORKERS}gpu_model_runner.py"} <= set(stepped)
