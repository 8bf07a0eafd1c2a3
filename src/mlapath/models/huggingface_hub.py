"""``huggingface_hub``: what the hub holds is not known, but a path is no name of a repository.

A name is ``name`` or ``namespace/name``, of letters, digits, ``-``, ``_`` and ``.``, at most 96
long, without ``..`` or ``--``, not beginning or ending with ``-`` or ``.``, not ending in
``.git`` (the documentation of its validators).
"""

from __future__ import annotations

import re
from typing import Any

from mlapath.models.api import Fn, Library, make_class
from mlapath.models.class_tools import library_class
from mlapath.models.support import gives
from mlapath.values.value import V

NAME = re.compile(r"(\b[\w\-.]+\b/)?\b[\w\-.]{1,96}\b")
ERROR = "huggingface_hub.errors.HFValidationError"


def is_repository(name: str) -> bool:
    """Whether ``name`` can name a repository."""
    wrong = "--" in name or ".." in name or name.endswith(".git")
    return not wrong and NAME.fullmatch(name) is not None


def asks(name: str, *, raises: bool = True) -> Fn:
    """A function of the hub whose first parameter is ``repo_id``."""
    result = gives(name, raises=raises)

    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        repo = kwargs.get("repo_id", args[0] if args else V(None))
        if type(repo.d) is str and not is_repository(repo.d):
            text = (f"Repo id must be in the form 'repo_name' or 'namespace/repo_name': "
                    f"'{repo.d}'.")  # fmt: skip
            raise it.make_raise(it.instantiate(library_class(it, ERROR), [V(text)], {}))
        return result(it, args, kwargs)

    return fn


LIBRARY = Library(
    functions={
        "huggingface_hub.try_to_load_from_cache": asks(
            "huggingface_hub.try_to_load_from_cache", raises=False),
        **{f"huggingface_hub.{name}": asks(f"huggingface_hub.{name}") for name in (
            "hf_hub_download", "snapshot_download", "file_exists", "repo_exists",
            "list_repo_files", "model_info")},
    },
    values={
        ERROR: lambda it: V(make_class(it, ERROR, (it.builtins["ValueError"].d,))),
    },
    aliases={
        "huggingface_hub.utils.HFValidationError": ERROR,
        "huggingface_hub.file_download.try_to_load_from_cache":
            "huggingface_hub.try_to_load_from_cache",
    },
)  # fmt: skip
