"""Values of flags that stand for a configuration class: JSON objects with that class's keys."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mlapath.base.nearest import did_you_mean
from mlapath.scenario.engine_flags_natives import ValidationError
from mlapath.scenario.engine_flags_values import CannotReadError, Host

if TYPE_CHECKING:
    from mlapath.scenario.engine_flags_walker import Walker

MAX_DEPTH = 50


class ConfigValue(dict[str, Any]):
    """An object that vLLM makes an instance of ``config_class`` (module and name) of."""

    config_class: str = ""


class Adapter(Host):
    """pydantic's ``TypeAdapter`` over a stand-in: reads JSON, checks the keys.

    Values are left to the class's own validators, which the evaluation runs.
    """

    def __init__(self, walker: Walker, cls: Any) -> None:
        self._walker = walker
        self._cls = cls

    def validate_json(self, text: str) -> Any:
        """The object; raises ValidationError as pydantic does."""
        if self._walker.classes.info(self._cls) is None:
            raise CannotReadError(f"{self._cls!r} is not a class of the tree")
        try:
            value = json.loads(text)
        except ValueError as error:
            raise ValidationError(f"not JSON: {error}") from None
        except RecursionError:
            raise ValidationError("nested too deeply") from None
        if not isinstance(value, dict):
            raise ValidationError(f"expected a JSON object with the keys of {self._cls.__name__}")
        self._check(self._cls, value, 0)
        found = ConfigValue(value)
        found.config_class = f"{self._cls.__module__}.{self._cls.__name__}"
        return found

    def _check(self, cls: type, value: dict[str, Any], depth: int) -> None:
        """Refuse keys that the class refuses, in it and in the classes of its fields."""
        classes = self._walker.classes
        if depth > MAX_DEPTH or not classes.forbids_extra(cls):
            return
        names = classes.init_names(cls)
        for key in value:
            if key not in names:
                near = did_you_mean(key, (n for n in names if not n.startswith("_")))
                raise ValidationError(f"{cls.__name__} has no field {key!r}{near}")
        for fact in classes.fields(cls):
            inner = value.get(fact.name)
            if isinstance(inner, dict):
                for hint in classes.parts(fact.type):
                    if classes.is_dataclass(hint):
                        self._check(hint, inner, depth + 1)
