"""Check the built wheel and sdist: what must be inside, and what must not.

Usage: check_dist.py FOLDER (with exactly one .whl and one .tar.gz). Exits 1 with one line for
each fault.
"""

from __future__ import annotations

import sys
import tarfile
import zipfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src"
DATA = tuple(
    path.relative_to(SOURCE).as_posix()
    for path in sorted(SOURCE.rglob("*"))
    if path.is_file() and path.suffix not in (".py", ".pyc")
)
"""Everything in the package that is not Python: drivers, schemas, the typing marker."""
IN_WHEEL = (
    *DATA,
    ".dist-info/licenses/LICENSE",
    ".dist-info/entry_points.txt",
)
IN_SDIST = (
    "/pyproject.toml",
    "/README.md",
    "/CHANGELOG.md",
    "/LICENSE",
    "/fixtures/models/glm-5.json",
    "/src/mlapath/py.typed",
)


def _faults(folder: Path) -> list[str]:
    wheels, sdists = sorted(folder.glob("*.whl")), sorted(folder.glob("*.tar.gz"))
    if len(wheels) != 1 or len(sdists) != 1:
        return [f"expected one wheel and one sdist, found {wheels + sdists}"]
    with zipfile.ZipFile(wheels[0]) as wheel:
        in_wheel = wheel.namelist()
    with tarfile.open(sdists[0]) as sdist:
        in_sdist = sdist.getnames()
    faults = [
        f"wheel lacks {end}" for end in IN_WHEEL if not any(n.endswith(end) for n in in_wheel)
    ]
    faults += [
        f"sdist lacks {end}" for end in IN_SDIST if not any(n.endswith(end) for n in in_sdist)
    ]
    strays = [name for name in in_wheel if not name.startswith("mlapath")]
    faults += [f"wheel holds a stray file: {name}" for name in strays]
    faults += [f"compiled file inside: {n}" for n in in_wheel + in_sdist if n.endswith(".pyc")]
    return faults


def main() -> int:
    faults = _faults(Path(sys.argv[1]))
    for fault in faults:
        sys.stderr.write(fault + "\n")
    if not faults:
        sys.stdout.write("wheel and sdist are complete\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
