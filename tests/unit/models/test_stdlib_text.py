import pytest

from support.differential import assert_same
from support.unknowns import with_unknown


@pytest.mark.parametrize(
    "call",
    [
        "textwrap.dedent('  a\\n  b')", "textwrap.indent('a\\nb', '> ')",
        "textwrap.fill('a b c', width=3)", "textwrap.wrap('a b c', 3)",
        "string.ascii_letters", "string.digits", "string.capwords('a b')",
        "string.Template('$a b').substitute(a=1)", "string.Template('$a').safe_substitute({})",
        "shlex.split('a \"b c\"')", "shlex.quote('a b')", "shlex.join(['a b'])",
        "fnmatch.fnmatch('a.py', '*.py')", "fnmatch.filter(['a', 'b'], 'a*')",
        "html.escape('<')", "difflib.get_close_matches('ab', ['abc', 'x'])",
        "unicodedata.normalize('NFC', 'a')",
        "urllib.parse.quote('a b')", "urllib.parse.urlencode({'a': 1})",
        "urllib.parse.parse_qs('a=1&a=2')", "urllib.parse.urljoin('http://h/a', 'b')",
        "urllib.parse.urlparse('http://u:p@h:80/a?b=1#c').hostname",
        "urllib.parse.urlparse('http://h:80/a').port", "urllib.parse.urlsplit('//h/a').netloc",
        "urllib.parse.urlparse('tcp://h')[0]",
        "urllib.parse.urlparse('a')._replace(path='b').path",
        "urllib.parse.urlparse('http://h/a').geturl()", "list(urllib.parse.urlsplit('http://h/a'))",
        "base64.b64encode(b'ab')", "base64.b64decode('YWI=')", "binascii.hexlify(b'ab')",
        "struct.pack('<I', 5)", "struct.unpack('<I', b'abcd')", "struct.calcsize('<IQ')",
        "struct.Struct('<H').size", "struct.Struct('<H').pack(3)", "zlib.crc32(b'ab')",
    ],
)  # fmt: skip
def test_by_cpython(call):
    name = "urllib.parse" if "urllib" in call else call.partition(".")[0]
    assert_same(f"import {name}\nr = {call}\n", "r")


def test_errors_are_the_programs():
    assert_same(
        """
        import string, struct
        said = []
        try:
            string.Template("$a").substitute()
        except KeyError as error:
            said.append(error.args)
        """,
        "said",
    )


def test_unknown_text():
    run = with_unknown(
        """
        import textwrap, urllib.parse, base64
        a = textwrap.dedent(u)
        b = urllib.parse.urlparse(u)
        c, d = b.scheme, b.port
        e = base64.b64encode(u)
        """
    )
    assert run.unknown("a").hint == "str"
    assert run.unknown("c").hint == "str"
    run.unknown("d")
    assert run.unknown("e").hint == "bytes"
