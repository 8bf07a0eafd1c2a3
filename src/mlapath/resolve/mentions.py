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


def mentions_of(text: str) -> Mentions:
    """What a text mentions: names, attributes, and texts that are just a name.

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
        for part in node.decorator_list:
            _visit(part, found, owner, function)
        for base in (*node.bases, *(k.value for k in node.keywords)):
            for name in ast.walk(base):
                if isinstance(name, ast.Name | ast.Attribute):
                    word = name.id if isinstance(name, ast.Name) else name.attr
                    found.setdefault(word, []).append((node.lineno, node.name, "__init__"))
        _body(node.body, found, node.name, "")
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ASKING:
        for part in node.args[:1]:
            _visit(part, found, owner, function)
    elif isinstance(node, ast.AnnAssign):
        _visit(node.target, found, owner, function)
        if node.value is not None:
            _visit(node.value, found, owner, function)
    else:
        word = _word(node)
        if word:
            line = getattr(node, "lineno", 0)
            found.setdefault(word, []).append((line, owner, function))
        for child in ast.iter_child_nodes(node):
            _visit(child, found, owner, function)


def _word(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id if isinstance(node.ctx, ast.Load) else ""
    if isinstance(node, ast.Attribute):
        return node.attr if isinstance(node.ctx, ast.Load) else ""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        last = node.value.rpartition(".")[2].rpartition(":")[2]
        return last if last.isidentifier() else ""
    return ""


__all__ = ["Mentions", "mentions_of"]
