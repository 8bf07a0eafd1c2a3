from support.differential import FakeFacts, evaluate


def test_temporary_files():
    run = evaluate(
        """
        import tempfile, os
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a")
        with tempfile.NamedTemporaryFile() as f:
            written = f.write(b"x")
            name = f.name
        number, text = tempfile.mkstemp()
        """
    )
    for name in ("path", "name", "text"):
        assert run.unknown(name).hint == "str"
    assert run.unknown("number").hint == "int"


def test_which_files_there_are():
    run = evaluate(
        """
        import glob
        import shutil
        one = glob.glob("/model/config.json")
        many = glob.glob("/model/*.json")
        escaped = glob.escape("/a*")
        gone = shutil.rmtree("/x", ignore_errors=True)
        kind = issubclass(shutil.SameFileError, OSError)
        """,
        FakeFacts(files={"/model/config.json": "{}"}),
    )
    assert run.plain("one") == ["/model/config.json"]
    assert run.unknown("many").hint == "list"
    assert run.plain("escaped") == "/a[*]"
    assert run.plain("gone") is None
    assert run.plain("kind") is True
