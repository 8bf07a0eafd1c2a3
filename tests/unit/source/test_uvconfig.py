import sys
from pathlib import Path

import pytest

from mlapath.source.uvconfig import uv_environment, uv_files
from support.wheels import lay_out

TEXT = """
extra-index-url = ["https://legacy"]
find-links = ["/wheels"]
[[index]]
name = "corp"
url = "https://corp"
[[index]]
url = "https://main"
default = true
[[index]]
url = "https://only-torch"
explicit = true
[pip]
index-url = "https://pip-table"
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the places are those of POSIX")
def test_files(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "XDG_CONFIG_DIRS": ""}
    assert uv_files(env, tmp_path / "etc") == {}
    lay_out(tmp_path, {".config/uv/uv.toml": TEXT, "etc/uv/uv.toml": 'index-url = "https://sys"'})
    found = uv_files(env, tmp_path / "etc")
    assert found["index-url"][-1] == "https://main"
    assert found["extra-index-url"] == ["https://legacy", "https://corp"]
    assert found["find-links"] == ["/wheels"]
    assert uv_files({**env, "UV_NO_CONFIG": "1"}) == {}
    own = lay_out(tmp_path, {"own.toml": "no-index = true"}) / "own.toml"
    assert uv_files({**env, "UV_CONFIG_FILE": str(own)}) == {"no-index": ["true"]}
    own.write_text("not toml [")
    assert uv_files({**env, "UV_CONFIG_FILE": str(own)}) == {}


def test_environment() -> None:
    assert uv_environment({}) == {}
    found = uv_environment(
        {
            "UV_INDEX": "corp=https://corp/?a=b https://plain/?x=y",
            "UV_FIND_LINKS": "/a,/b",
            "UV_INSECURE_HOST": "h",
            "UV_NO_INDEX": "1",
        }
    )
    assert found == {
        "extra-index-url": ["https://corp/?a=b", "https://plain/?x=y"],
        "find-links": ["/a", "/b"],
        "trusted-host": ["h"],
        "no-index": ["1"],
    }
