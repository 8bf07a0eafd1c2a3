"""Packages whose source vLLM reads its defaults from, above all `transformers`."""

from __future__ import annotations

from packaging.markers import default_environment
from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from mlapath.source.platforms import Platform
from mlapath.source.tree import Companion, SourceTree


def beside(tree: SourceTree, package: str) -> Companion | None:
    """Give `package` as Python finds it in the environment of `tree`; None if it is not there."""
    module = package.replace("-", "_")
    for folder in tree.search_path:
        if (folder / module / "__init__.py").is_file():
            version = (tree.distributions or {}).get(canonicalize_name(package))
            return Companion(
                package=module, root=folder, listed=None, name=package, version=version
            )
    return None


def requirement_of(tree: SourceTree, package: str, platform: Platform) -> SpecifierSet | None:
    """Join what `tree` requires of `package` on `platform`, extras aside; None if nothing."""
    wanted = canonicalize_name(package)
    environment = _environment(platform)
    specifier: SpecifierSet | None = None
    for line in tree.requires:
        try:
            requirement = Requirement(line)
        except InvalidRequirement:
            continue
        if canonicalize_name(requirement.name) != wanted:
            continue
        if requirement.marker is None or requirement.marker.evaluate(environment):
            specifier = requirement.specifier & (specifier or SpecifierSet())
    return specifier


def _environment(platform: Platform) -> dict[str, str]:
    """Give the marker variables of `platform`; the Python version is the running one's."""
    systems = {
        "linux": ("linux", "Linux", "posix"),
        "macosx": ("darwin", "Darwin", "posix"),
        "win": ("win32", "Windows", "nt"),
    }
    sys_platform, platform_system, os_name = systems[platform.system]
    return {
        **{name: str(value) for name, value in default_environment().items()},
        "extra": "",
        "sys_platform": sys_platform,
        "platform_system": platform_system,
        "os_name": os_name,
        "platform_machine": platform.machine,
    }
