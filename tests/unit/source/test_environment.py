import json
from pathlib import Path

import pytest

from mlapath.source.environment import Distribution, distributions_in
from support.wheels import lay_out, metadata


def test_distributions(tmp_path: Path) -> None:
    lay_out(
        tmp_path,
        {
            "a/Torch_Thing-2.1+cu1.dist-info/METADATA": "",
            "a/vllm-1.0.dist-info/METADATA": metadata("1.0"),
            "a/old.egg-info/PKG-INFO": "Name: Old_One\nVersion: 3\n",
            "a/flat-0.5-py3.11.egg-info": "Name: flat\nVersion: 0.5\n",
            "a/bare.egg-info/SOURCES.txt": "",
            "a/broken.dist-info/METADATA": "",
            "b/vllm-9.dist-info/METADATA": "",
        },
    )
    found = distributions_in([tmp_path / "a", tmp_path / "none", tmp_path / "b"])
    assert {one.name: one.version for one in found} == {
        "torch-thing": "2.1+cu1",
        "vllm": "1.0",
        "old-one": "3",
        "flat": "0.5",
        "bare": "",
    }


def test_plugins_of_vllm_only(tmp_path: Path) -> None:
    text = "[vllm.platform_plugins]\nmine = a:b\n[console_scripts]\nx = y:z\n"
    lay_out(tmp_path, {"p-1.dist-info/entry_points.txt": text, "q-1.dist-info/METADATA": ""})
    points = [point for one in distributions_in([tmp_path]) for point in one.plugins()]
    assert [(p.group, p.name, p.value, p.distribution) for p in points] == [
        ("vllm.platform_plugins", "mine", "a:b", "p")
    ]


def test_unreadable_entry_points_count_as_none(tmp_path: Path) -> None:
    lay_out(tmp_path, {"p-1.dist-info/entry_points.txt": "no section"})
    (one,) = distributions_in([tmp_path])
    assert one.plugins() == ()


@pytest.mark.parametrize(
    ("direct_url", "source"),
    [
        ({"url": "file:///src/v%20llm", "dir_info": {"editable": True}}, Path("/src/v llm")),
        ({"url": "file:///src/vllm", "dir_info": {}}, None),
        ({"url": "https://h/v.whl", "archive_info": {}}, None),
        ({"url": "https://h/v", "dir_info": {"editable": True}}, None),
        ([], None),
    ],
)
def test_editable_source(tmp_path: Path, direct_url: object, source: Path | None) -> None:
    lay_out(tmp_path, {"direct_url.json": json.dumps(direct_url)})
    assert Distribution("vllm", "1", tmp_path).editable_source() == source


def test_no_direct_url(tmp_path: Path) -> None:
    assert Distribution("vllm", "1", tmp_path).editable_source() is None
