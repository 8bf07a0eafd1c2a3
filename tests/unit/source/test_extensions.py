from mlapath.source.extensions import extension_modules


def test_modules_are_told_from_libraries() -> None:
    names = [
        "vllm/_C.abi3.so",
        "vllm/_C.pyd",
        "vllm/sub/_D.cpython-312-x86_64-linux-gnu.so",
        "vllm/sub/_E.cp312-win_amd64.pyd",
        "vllm/plain.so",
        "vllm.libs/libgomp-1a2b.so.1",
        "vllm.libs/libgomp.so",
        "vllm/lib-x.so",
        "vllm/a.py",
    ]
    assert extension_modules(names) == ("vllm._C", "vllm.plain", "vllm.sub._D", "vllm.sub._E")
