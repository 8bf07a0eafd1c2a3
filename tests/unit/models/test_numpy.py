"""Arrays of numpy, held by what numpy 2 gives."""

import json
from pathlib import Path

import pytest

from support.torches import agrees, known, plain, run_torch

RESULTS = json.loads(Path(__file__).with_name("numpy_results.json").read_text("utf-8"))
"""[expression, its value in numpy 2]; scalars are plain numbers, as they are in the summary."""


def without_library(value):
    """Types of arrays by their bare names; shapes as tuples."""
    if isinstance(value, list):
        if value[:1] == ["S"]:
            return ["tuple", value[1]]
        return [without_library(x) for x in value]
    return value


@pytest.fixture(scope="module")
def evaluated():
    lines = ["import numpy as np"]
    for i, (text, _) in enumerate(RESULTS):
        lines += [f"def f{i}(): return {text}", f"r{i} = f{i}()"]
    return run_torch("\n".join(lines))


@pytest.mark.parametrize("index", range(len(RESULTS)), ids=[text for text, _ in RESULTS])
def test_agrees_with_numpy(evaluated, index):
    found = without_library(plain(evaluated, evaluated.value(f"r{index}")))
    assert agrees(found, RESULTS[index][1]), found


def test_nearly_all_results_are_fully_known(evaluated):
    unknown = [
        text
        for i, (text, _) in enumerate(RESULTS)
        if not known(plain(evaluated, evaluated.value(f"r{i}")))
    ]
    assert unknown == []


def test_tensors_and_arrays_share_storage():
    run = run_torch(
        """
        import numpy as np
        cpu = torch.zeros(4, dtype=torch.int32)
        view = cpu.numpy()
        view[1:3] = [5, 6]
        np.cumsum(view, out=view)
        back = torch.from_numpy(view)
        back[0] = 9
        r = cpu.tolist()
        kinds = view.dtype == np.int32, back.dtype == torch.int32, isinstance(view, np.ndarray)
        """
    )
    assert run.plain("r") == [9, 5, 11, 11]
    assert run.plain("kinds") == (True, True, True)


def test_numbers_may_be_numpys():
    run = run_torch(
        """
        import numpy as np
        n = np.array([3])[0]
        r = [isinstance(n, (int, np.integer)), isinstance("x", np.integer)]
        maybe = isinstance(n, np.integer)
        """
    )
    assert run.plain("r") == [True, False]
    assert run.unknown("maybe").hint == "bool"


def test_unknown_lengths():
    run = run_torch(
        """
        import numpy as np
        a = np.zeros(int(u), dtype=np.int32)
        n = a.shape[0]
        first = a[0]
        total = a.sum()
        """
    )
    assert run.unknown("n").lo == 0
    assert run.unknown("first").hint == "int"
    assert run.unknown("total").hint == "int"


def test_places_in_an_array_of_which_nothing_is_known():
    run = run_torch(
        """
        import numpy as np
        places = np.flatnonzero(np.asarray(u))
        n, rank = len(places), places.ndim
        """
    )
    assert run.plain("rank") == 1
    assert run.unknown("n").hint == "int"
