"""``transformers``: its configuration classes are evaluated from source where that is at hand.

Summarised are only the ways in and out: reading ``config.json``, the lazy top-level names, and
helpers that look at the machine.
"""

from __future__ import annotations

import re
from typing import Any

from mlapath.models.api import Library, make_class
from mlapath.models.huggingface_strict import as_validated_field, strict
from mlapath.models.remote_config import from_checkpoint, lookup
from mlapath.values.objects import DictObj, Native
from mlapath.values.origin import Origin
from mlapath.values.truth import Truth
from mlapath.values.value import Unknown, V

SOURCE = re.compile(
    r"transformers\.(configuration_utils|modeling_rope_utils|models\.auto\.(configuration_auto|"
    r"auto_mappings)|models\.\w+\.configuration_\w+|integrations\.heterogeneity(\..+)?|"
    r"generation\.configuration_utils|utils\.type_validators)"
)
"""The modules that are evaluated; the rest of the package is code that is not looked into."""


def given_value(it: Any, value: Any, label: str, kind: str = "config") -> V:
    """The abstract value of a JSON value; its parts, too, have ``KIND:key`` as their origin."""
    origin = Origin(kind, label=f"{kind}:{label}", value=value)
    if isinstance(value, dict):
        made = it.heap.dict()
        for key, item in value.items():
            path = f"{label}.{key}" if label else key
            it.dict_set(made, V(key), given_value(it, item, path, kind))
        return V(made, origin if label else None)
    if isinstance(value, list):
        items = [given_value(it, x, f"{label}[{i}]", kind) for i, x in enumerate(value)]
        return V(it.heap.list(items), origin)
    return V(value, origin)


def get_config_dict(it: Any, f: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``PreTrainedConfig.get_config_dict``: the scenario's configuration."""
    rest = it.heap.dict()
    for name, value in kwargs.items():
        if not name.startswith("_"):
            it.dict_set(rest, V(name), value)
    return V((given_value(it, it.store["hf_config"], ""), V(rest)))


def from_source(module: str, *names: str) -> Any:
    """A factory: the first of ``names`` that the module's source defines."""

    def factory(it: Any) -> V | None:
        if it.program.find(module) is None:
            return V(Unknown(f"{module} is not at hand", lib=f"{module}.{names[0]}"))
        found = it.import_module(module)
        for name in names:
            value = it.find_attr(found, name)
            if value is not None:
                return value  # type: ignore[no-any-return]
        return V(Unknown(f"{module} has no {names[0]}", lib=f"{module}.{names[0]}"))

    return factory


def resolve(it: Any, name: str) -> V | None:
    """Configuration classes by the names that packages export them under.

    ``transformers.XConfig`` by the package's own table of them, ``transformers.models.x.XConfig``
    from that package's configuration module.
    """
    package, _, last = name.rpartition(".")
    module = package.removeprefix("transformers.models.")
    if module != package and "." not in module:
        source = f"{package}.configuration_{module}"
        if it.program.find(source) is not None:
            return it.find_attr(it.import_module(source), last)  # type: ignore[no-any-return]
    if package != "transformers" or not last.endswith("Config"):
        return None
    if it.program.find("transformers.models.auto.configuration_auto") is None:
        return None
    auto = it.import_module("transformers.models.auto.configuration_auto")
    table = it.find_attr(auto, "CONFIG_MAPPING_NAMES")
    for key, value in it.mapping_items(table) or ():
        if value.d == last:
            loader = it.getattr(auto, "model_type_to_module_name")
            folder = it.call(loader, [key], {}).d
            source = f"transformers.models.{folder}.configuration_{folder}"
            if it.program.find(source) is not None:
                return it.find_attr(it.import_module(source), last)  # type: ignore[no-any-return]
    return None


def resolve_trust_remote_code(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``dynamic_module_utils.resolve_trust_remote_code``: the answer without asking anyone."""
    trust = args[0]
    if trust.d is None and len(args) > 2 and it.truth(args[2]) is Truth.TRUE:
        return V(False)
    return trust if trust.d is not None else V(Unknown("whether remote code is trusted", "bool"))


def documented(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``auto_docstring``, with or without options: gives what it gets."""
    if args:
        return args[0]
    return V(Native("auto_docstring", lambda i, a, k: a[0]))


def generation_config(it: Any) -> V:
    """``GenerationConfig``: no parameter names, so none is taken out of a configuration."""

    def nothing(engine: Any, args: list[V], kwargs: dict[str, V]) -> V:
        made: DictObj = engine.heap.dict()
        return V(made)

    return V(make_class(
        it, "transformers.generation.configuration_utils.GenerationConfig",
        static={"_get_default_generation_params": nothing}, foreign="GenerationConfig",
    ))  # fmt: skip


def push_to_hub_mixin(it: Any) -> V:
    """``PushToHubMixin``: nothing that an engine calls."""
    upload = {"push_to_hub": lambda i, a, k: V(Unknown("push_to_hub()"))}
    return V(make_class(it, "transformers.utils.PushToHubMixin", methods=upload))


def version(it: Any) -> V:
    """``transformers.__version__``."""
    known = it.facts.version("transformers")
    return V(known) if known is not None else V(Unknown("the version of transformers", "str"))


CONFIG = from_source("transformers.configuration_utils", "PreTrainedConfig", "PretrainedConfig")

LIBRARY = Library(
    functions={
        "transformers.dynamic_module_utils.resolve_trust_remote_code": resolve_trust_remote_code,
        "transformers.dynamic_module_utils.get_class_from_dynamic_module": from_checkpoint,
        "transformers.utils.is_torch_available": lambda it, a, k: V(True),
        "transformers.utils.generic.is_timm_config_dict": lambda it, a, k: V(False),
        "transformers.utils.hub.is_timm_config_dict": lambda it, a, k: V(False),
        "transformers.utils.import_utils.is_torch_available": lambda it, a, k: V(True),
        "huggingface_hub.dataclasses.strict": strict,
        "huggingface_hub.dataclasses.as_validated_field": as_validated_field,
        "transformers.utils.auto_docstring": documented,
        "transformers.utils.resolve_revision": lambda it, a, k: V(None),
        "transformers.utils.logging.get_logger": lambda it, a, k: it.call(
            it.models.symbol(it, "logging.getLogger"), [], {}),
    },
    values={
        "transformers.PretrainedConfig": CONFIG,
        "transformers.PreTrainedConfig": CONFIG,
        "transformers.AutoConfig": from_source(
            "transformers.models.auto.configuration_auto", "AutoConfig"
        ),
        "transformers.CONFIG_MAPPING": from_source(
            "transformers.models.auto.configuration_auto", "CONFIG_MAPPING"
        ),
        "transformers.utils.PushToHubMixin": push_to_hub_mixin,
        "transformers.generation.configuration_utils.GenerationConfig": generation_config,
        "transformers.__version__": version,
        "transformers.utils.CONFIG_NAME": lambda it: V("config.json"),
    },
    resolve={"transformers": resolve},
    hooks={
        "transformers.models.auto.configuration_auto._LazyConfigMapping.__getitem__": lookup,
        "transformers.configuration_utils.PretrainedConfig.get_config_dict": get_config_dict,
        "transformers.configuration_utils.PreTrainedConfig.get_config_dict": get_config_dict,
    },
)  # fmt: skip
