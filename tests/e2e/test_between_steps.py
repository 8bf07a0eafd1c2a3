"""What ``fires`` takes for granted of steps, on real trees: see ``app.absence``."""

import pytest

from mlapath.app.absence import LOADING, REQUESTS, SCALING, STEPS, WORKERS
from mlapath.query.stepping import named_from
from mlapath.resolve.names import Names
from support.realtree import real_tree

pytestmark = [pytest.mark.network, pytest.mark.slow]


@pytest.mark.parametrize("version", ["0.16.0", "0.20.0", "0.22.1", "0.26.0", "0.29.0", "0.33.0"])
def test_no_step_names_what_is_taken_to_run_between_steps(version):
    tree, _ = real_tree(version)
    names = Names(tree.root, tuple(f for f in tree.files if f.endswith(".py")))
    workers = [path for path in names.paths if path.startswith(WORKERS)]
    said = named_from(names, workers, STEPS)
    assert {"_prepare_inputs", "_update_states", "_model_forward"} <= said
    assert not (REQUESTS | LOADING) & said
    assert not any("elastic" in name for name in said)
    for path in SCALING:
        users = {other for other, _ in names.importers(path)} - set(SCALING)
        assert all(x.startswith((WORKERS, "vllm/v1/engine/")) for x in users), users
    defined = {name for path in workers for name in names.index(path).defined}
    assert all(names.holding(name) for name in LOADING)
    assert {"load_model", "reload_weights", "initialize_from_config", *STEPS} <= defined
