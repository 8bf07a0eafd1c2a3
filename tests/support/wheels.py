"""Small wheels and sdists, whole or hostile, made for a test."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import tarfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

SOURCE = {
    "vllm/__init__.py": b"__version__ = '1.2.3'\n",
    "vllm/config/__init__.py": b"from .model import M\n",
    "vllm/config/model.py": b"class M:\n    x = 1\n",
    "vllm/_C.abi3.so": b"\x7fELF" + bytes(50_000),
    "vllm/sub/_D.cpython-312-x86_64-linux-gnu.so": b"\x7fELF",
    "vllm.libs/libgomp-1a2b.so.1": b"\x7fELF",
    "vllm/data/table.json": b"{}",
    "vllm/data/huge.json": b"[" + b"0," * 400_000 + b"0]",
}


def metadata(version: str, requires: Iterable[str] = ("transformers>=4,<5",)) -> bytes:
    lines = ["Metadata-Version: 2.1", "Name: vllm", f"Version: {version}"]
    lines += [f"Requires-Dist: {line}" for line in requires]
    return ("\n".join(lines) + "\n\nWords.\n").encode()


def record_line(name: str, data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def make_wheel(
    path: Path,
    files: Mapping[str, bytes] = SOURCE,
    *,
    version: str = "1.2.3",
    package: str = "vllm",
    requires: Iterable[str] = ("transformers>=4,<5",),
    recorded: Mapping[str, bytes] | None = None,
) -> Path:
    """Write a wheel; `recorded` are contents that RECORD hashes instead of the real ones."""
    info = f"{package}-{version}.dist-info"
    content = dict(files)
    content[f"{info}/METADATA"] = metadata(version, requires).replace(b"vllm", package.encode())
    content[f"{info}/entry_points.txt"] = (
        b"[vllm.general_plugins]\nmine = a.b:C\n\n[console_scripts]\nvllm = c:d\n"
    )
    lines = [record_line(name, (recorded or {}).get(name, data)) for name, data in content.items()]
    content[f"{info}/RECORD"] = ("".join(lines) + f"{info}/RECORD,,\n").encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, data in content.items():
            bundle.writestr(name, data)
    return path


def make_sdist(path: Path, files: Mapping[str, bytes] = SOURCE, *, version: str = "1.2.3") -> Path:
    content = {
        name: data
        for name, data in files.items()
        if name.startswith("vllm/") and not name.endswith(".so")
    }
    content["PKG-INFO"] = metadata(version)
    content["requirements/common.txt"] = b"transformers>=4,<5\n"
    content["csrc/a.cu"] = b"//"
    return make_tar(path, {f"vllm-{version}/{name}": data for name, data in content.items()})


def make_tar(
    path: Path, files: Mapping[str, bytes], extra: Iterable[tarfile.TarInfo] = ()
) -> Path:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as bundle:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            bundle.addfile(member, io.BytesIO(data))
        for member in extra:
            bundle.addfile(member)
    path.write_bytes(gzip.compress(raw.getvalue()))
    return path


def lay_out(folder: Path, files: Mapping[str, bytes | str]) -> Path:
    """Write `files` below `folder`."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
    return folder
