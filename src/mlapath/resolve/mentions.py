"""Every name that a file's code mentions, with the class and the function around it."""

from __future__ import annotations

import ast
import re
import warnings

from mlapath.resolve.writes import around

Mentions = dict[str, list[tuple[int, str, str]]]
"""A name -> (line, class or "", innermost function or "")."""

WORD = re.compile(r"[^\W\d]\w*")
ASKING = frozenset({"isinstance", "issubclass"})
HANDED_ON = "<handed on>"


def mentions_of(text: str) -> Mentions:
    """What a text mentions: names, attributes, and texts that end in a name after a dot.

    What the code of a module or class stores and does not call is mentioned by the variable that
    it is stored in; by ``HANDED_ON`` where it is an argument of something. What reads that may
    call it.

    Texts have keys of their own: those that are just a name ``'name``, others ``.name``.

    Not: definitions, imports, annotations, and classes that are only asked for.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):  # newer than this Python
        return _by_lines(text)
    found: Mentions = {}
    _body(tree.body, found, "", "")
    return found


def _by_lines(text: str) -> Mentions:
    found: Mentions = {}
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("#"):
            continue
        for word in dict.fromkeys(WORD.findall(line)):
            found.setdefault(word, []).append((number, *around(lines, number)))
    return found


def _body(body: list[ast.stmt], found: Mentions, owner: str, function: str) -> None:
    for s in body:
        _visit(s, found, owner, function)


def _visit(node: ast.AST, found: Mentions, owner: str, function: str) -> None:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        for part in (*node.decorator_list, *node.args.defaults, *node.args.kw_defaults):
            if part is not None:
                _visit(part, found, owner, function)
        _body(node.body, found, owner, node.name)
    elif isinstance(node, ast.ClassDef):
        _class(node, found, owner, function)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ASKING:
        for part in node.args[:1]:
            _visit(part, found, owner, function)
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        targets: list[ast.expr] = [
            node.target
        ] if isinstance(node, ast.AnnAssign) else node.targets  # fmt: skip
        for target in targets:
            _visit(target, found, owner, function)
        if node.value is not None:
            _stored(node.value, targets, found, owner, function)
    elif isinstance(node, ast.Call) and not function:
        _visit(node.func, found, owner, function)
        for part in (*node.args, *(k.value for k in node.keywords)):
            _visit(part, found, owner, HANDED_ON if _is_reference(part) else function)
    else:
        word = _word(node)
        if word:
            line = getattr(node, "lineno", 0)
            found.setdefault(word, []).append((line, owner, function))
        for child in ast.iter_child_nodes(node):
            _visit(child, found, owner, function)


def _class(node: ast.ClassDef, found: Mentions, owner: str, function: str) -> None:
    for part in node.decorator_list:
        _visit(part, found, owner, function)
    for base in (*node.bases, *(k.value for k in node.keywords)):
        for name in ast.walk(base):
            if isinstance(name, ast.Name | ast.Attribute):
                word = name.id if isinstance(name, ast.Name) else name.attr
                found.setdefault(word, []).append((node.lineno, node.name, "__init__"))
    _body(node.body, found, node.name, "")


def _stored(
    value: ast.expr, targets: list[ast.expr], found: Mentions, owner: str, function: str
) -> None:  # fmt: skip
    """A value that is assigned: references in it outlive the code of a module or class."""
    if function or not any(_is_reference(part) for part in _parts(value)):
        _visit(value, found, owner, function)
        return
    names = [_word_of(target) or HANDED_ON for target in targets]
    for part in _parts(value):
        for name in names if _is_reference(part) else names[:1]:
            _visit(part, found, owner, name if _is_reference(part) else function)


def _parts(value: ast.expr) -> list[ast.expr]:
    """A value, or what a display of several is made of."""
    if isinstance(value, ast.Tuple | ast.List | ast.Set):
        return [part for item in value.elts for part in _parts(item)]
    if isinstance(value, ast.Dict):
        return [part for item in (*value.keys, *value.values) if item is not None
                for part in _parts(item)]  # fmt: skip
    if isinstance(value, ast.IfExp):
        return [value.test, *_parts(value.body), *_parts(value.orelse)]
    if isinstance(value, ast.Starred):
        return _parts(value.value)
    return [value]


def _is_reference(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Attribute | ast.Lambda)


def _word_of(target: ast.expr) -> str:
    if isinstance(target, ast.Subscript):
        return _word_of(target.value)
    if isinstance(target, ast.Attribute):
        return target.attr
    return target.id if isinstance(target, ast.Name) else ""


def _word(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id if isinstance(node.ctx, ast.Load) else ""
    if isinstance(node, ast.Attribute):
        return node.attr if isinstance(node.ctx, ast.Load) else ""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        last = node.value.rpartition(".")[2].rpartition(":")[2]
        if not last.isidentifier():
            return ""
        return in_text(last) if last == node.value else in_path(last)
    return ""


def in_text(name: str) -> str:
    """The key of texts that are just a name."""
    return f"'{name}"


def in_path(name: str) -> str:
    """The key of texts that end in a name, such as dotted paths."""
    return f".{name}"


__all__ = ["HANDED_ON", "Mentions", "in_path", "in_text", "mentions_of"]
