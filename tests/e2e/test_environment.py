"""A real tree's table of environment variables, read through the evaluator."""

from __future__ import annotations

from typing import Any

import pytest

from mlapath.app.build import make_facts, make_program
from mlapath.engine.control import PyRaise
from mlapath.engine.interp import Engine, run_deep
from mlapath.ir.lower import lower_module
from mlapath.models.libraries import LIBRARIES
from mlapath.models.registry import Models
from mlapath.scenario.devices import parse_device
from mlapath.scenario.packages import PackageFacts
from mlapath.values.concrete import to_py
from mlapath.values.origin import ancestors
from mlapath.values.value import Unknown, V
from support.realtree import real_tree

pytestmark = pytest.mark.network

ENV = {"VLLM_MLA_DISABLE": "1", "VLLM_LOGGING_LEVEL": "debug", "VLLM_PORT": "8000"}


def read(version: str, env: dict[str, str], names: list[str]) -> tuple[Engine, dict[str, V]]:
    tree, companion = real_tree(version)
    facts = make_facts(tree, companion, parse_device("h100"), env, PackageFacts(), {})
    engine = Engine(make_program(tree, companion, lower_module), Models(LIBRARIES), facts)

    def task() -> dict[str, V]:
        envs = engine.import_module("vllm.envs")
        return {name: engine.getattr(envs, name) for name in names}

    return engine, run_deep(task)


@pytest.mark.parametrize("version", ["0.16.0", "0.26.0", "0.33.0"])
def test_variables_of_a_release(version: str) -> None:
    names = ["VLLM_MLA_DISABLE", "VLLM_LOGGING_LEVEL", "VLLM_PORT", "VLLM_TARGET_DEVICE",
             "LOCAL_RANK", "VLLM_HOST_IP", "CUDA_VISIBLE_DEVICES", "VLLM_PLUGINS",
             "VLLM_WORKER_MULTIPROC_METHOD", "VLLM_ENGINE_READY_TIMEOUT_S"]  # fmt: skip
    engine, found = read(version, ENV, names)
    plain: dict[str, Any] = {name: to_py(value) for name, value in found.items()}
    assert plain == {
        "VLLM_MLA_DISABLE": True, "VLLM_LOGGING_LEVEL": "DEBUG", "VLLM_PORT": 8000,
        "VLLM_TARGET_DEVICE": "cuda", "LOCAL_RANK": 0, "VLLM_HOST_IP": "",
        "CUDA_VISIBLE_DEVICES": None, "VLLM_PLUGINS": None,
        "VLLM_WORKER_MULTIPROC_METHOD": "fork", "VLLM_ENGINE_READY_TIMEOUT_S": 600,
    }  # fmt: skip
    assert set(names) - {"VLLM_TARGET_DEVICE"} <= engine.store["env_reads"]
    labels = {o.label for o in ancestors(found["VLLM_MLA_DISABLE"].o) if o.kind == "env"}
    assert labels == {"env:VLLM_MLA_DISABLE"}


def test_paths_follow_the_home_folder() -> None:
    _, known = read("0.26.0", {"HOME": "/elsewhere"}, ["VLLM_CACHE_ROOT"])
    assert known["VLLM_CACHE_ROOT"].d == "/elsewhere/.cache/vllm"
    _, other = read("0.26.0", {}, ["VLLM_CACHE_ROOT"])
    assert type(other["VLLM_CACHE_ROOT"].d) is Unknown
    assert other["VLLM_CACHE_ROOT"].d.hint == "str"


def test_a_value_that_is_no_number_is_refused_where_it_is_read() -> None:
    with pytest.raises(PyRaise) as raised:
        read(
            "0.26.0",
            {"VLLM_ENGINE_READY_TIMEOUT_S": "soon"},
            ["VLLM_ENGINE_READY_TIMEOUT_S"],
        )
    assert raised.value.exc.d.cls.name == "ValueError"
