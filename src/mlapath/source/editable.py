"""Where the finder of an editable installation leads, read without running it.

setuptools writes `__editable___NAME_VERSION_finder.py` with a literal dictionary `MAPPING` from
top-level module to path. A `.pth` file with plain paths needs no care here when an interpreter is
asked (its search path has them); for a bare folder they are read.
"""

from __future__ import annotations

import ast
from pathlib import Path


def mapped_package(folder: Path, package: str) -> Path | None:
    """Follow the editable finders and `.pth` files of `folder` to `package`.

    Gives the folder that holds the package, or None.
    """
    for finder in sorted(folder.glob("__editable__*_finder.py")):
        target = _mapping(finder).get(package)
        if target and Path(target, "__init__.py").is_file():
            return Path(target).parent
    for lines in sorted(folder.glob("*.pth")):
        for line in _lines(lines):
            place = folder / line
            if (place / package / "__init__.py").is_file():
                return place
    return None


def _mapping(finder: Path) -> dict[str, str]:
    try:
        module = ast.parse(finder.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return {}
    for statement in module.body:
        if isinstance(statement, ast.AnnAssign):
            targets: list[ast.expr] = [statement.target]
        elif isinstance(statement, ast.Assign):
            targets = statement.targets
        else:
            continue
        named = any(isinstance(one, ast.Name) and one.id == "MAPPING" for one in targets)
        if named and statement.value is not None:
            return _literal(statement.value)
    return {}


def _literal(value: ast.expr) -> dict[str, str]:
    try:
        found = ast.literal_eval(value)
    except ValueError:
        return {}
    if not isinstance(found, dict):
        return {}
    return {str(name): str(path) for name, path in found.items()}


def _lines(path: Path) -> list[str]:
    try:
        lines = path.read_text("utf-8", "replace").splitlines()
    except OSError:
        return []
    stripped = (line.strip() for line in lines)
    return [
        line for line in stripped if line and not line.startswith(("#", "import ", "import\t"))
    ]
