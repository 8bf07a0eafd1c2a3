"""A batch that no step of a deployment can have is told, with the number that says so."""

import pytest

from mlapath.app.evaluate import Evaluation, Stop
from mlapath.app.fit import check_fit
from mlapath.base.errors import UsageError
from mlapath.scenario.batch import parse_batch
from support.torches import run_torch

LIMITS = """
class Config:
    pass

config = Config()
config.scheduler_config = Config()
config.scheduler_config.max_num_seqs = 16
config.scheduler_config.max_num_batched_tokens = {tokens}
config.model_config = Config()
config.model_config.max_model_len = 4096
"""


def deployment(tokens="2048"):
    run = run_torch(LIMITS.format(tokens=tokens))
    return Evaluation(run.engine, config=run.value("config"))


@pytest.mark.parametrize("spec", ["2048", "1@4095x16", "1000+1000", "1"])
def test_a_batch_that_fits(spec):
    check_fit(deployment(), parse_batch(spec))


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("2049", "2049 new tokens are more .*max_num_batched_tokens is 2048"),
        ("1000x3", "3000 new tokens"),
        ("1@100x17", "17 requests are more .*max_num_seqs is 16"),
        ("1@4096", "4097 tokens in one sequence .*max_model_len is 4096"),
    ],
)
def test_a_batch_that_does_not(spec, said):
    with pytest.raises(UsageError, match=said):
        check_fit(deployment(), parse_batch(spec))


def test_no_batch_no_known_limit_and_no_engine_are_no_reason():
    check_fit(deployment(), None)
    check_fit(deployment("u"), parse_batch("3000"))
    stopped = deployment()
    stopped.stop = Stop("config", None, "too large")
    check_fit(stopped, parse_batch("2049"))
