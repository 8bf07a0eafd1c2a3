"""``--with`` and ``--without``: which distributions and compiled modules the deployment has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mlapath.base.errors import UsageError

_PACKAGE = re.compile(r"([A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?)(?:==(\S+))?")


@dataclass(frozen=True)
class PackageFacts:
    """What the user says is installed, in the user's spelling.

    Names are distributions (``flashinfer-python``) or modules (``vllm._flashmla_C``). ``present``
    maps a name to its version, None where none was given. A name in neither is not spoken of.
    """

    present: Mapping[str, str | None] = field(default_factory=dict)
    absent: tuple[str, ...] = ()


def parse_packages(present: Iterable[str], absent: Iterable[str]) -> PackageFacts:
    """Read ``NAME`` and ``NAME==VERSION`` arguments.

    Raises:
        UsageError: not of that form, a version for an absent package, or a name on both sides.
    """
    versions: dict[str, str | None] = {}
    for text in present:
        name, version = _split(text, "--with")
        if versions.get(name) not in (None, version):
            raise UsageError(f"--with gives {name!r} two versions")
        versions[name] = version or versions.get(name)
    missing: dict[str, None] = {}
    for text in absent:
        name, version = _split(text, "--without")
        if version is not None:
            raise UsageError(f"--without {text!r}: an absent package has no version")
        missing[name] = None
    both = sorted({_fold(name) for name in versions} & {_fold(name) for name in missing})
    if both:
        raise UsageError(f"--with and --without both name {both[0]!r}")
    return PackageFacts(versions, tuple(missing))


def _split(text: str, option: str) -> tuple[str, str | None]:
    match = _PACKAGE.fullmatch(text.strip())
    if match is None:
        raise UsageError(f"{option} {text!r}: expected a package or module name, or NAME==VERSION")
    return match[1], match[2]


def _fold(name: str) -> str:
    """Distribution names ignore case and the kind of separator; a dot keeps modules apart."""
    return re.sub(r"[-_]+", "-", name).lower()
