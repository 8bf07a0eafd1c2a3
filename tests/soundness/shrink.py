"""Making a failing program small."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator


def _bodies(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            if isinstance(getattr(node, name, None), list):
                yield node, name


def _smaller(tree: ast.Module) -> Iterator[ast.Module]:
    """Programs with one statement less, or with a compound statement's block in its place."""
    places = [(i, name, k) for i, (node, name) in enumerate(_bodies(tree))
              for k in range(len(getattr(node, name)))]  # fmt: skip
    for i, name, k in places:
        made = copy.deepcopy(tree)
        node = list(_bodies(made))[i][0]
        old = getattr(node, name)[k]
        del getattr(node, name)[k]
        yield made
        inner = getattr(old, "body", None)
        if isinstance(inner, list) and not isinstance(old, (ast.FunctionDef, ast.ClassDef)):
            lifted = copy.deepcopy(made)
            target = getattr(list(_bodies(lifted))[i][0], name)
            if name in ("body", "orelse", "finalbody") and all(
                isinstance(x, ast.stmt) for x in inner
            ):
                target[k:k] = copy.deepcopy(inner)
                yield lifted
    yield from _simpler_expressions(tree)


def _simpler_expressions(tree: ast.Module) -> Iterator[ast.Module]:
    """Programs with an expression replaced by one of its parts."""
    nodes = list(ast.walk(tree))
    for i, node in enumerate(nodes):
        for name, value in ast.iter_fields(node):
            parts = value if isinstance(value, list) else [value]
            for k, part in enumerate(parts):
                if not isinstance(part, ast.expr) or isinstance(part, (ast.Name, ast.Constant)):
                    continue
                if isinstance(getattr(part, "ctx", ast.Load()), ast.Store):
                    continue
                for child in ast.iter_child_nodes(part):
                    if isinstance(child, ast.expr):
                        made = copy.deepcopy(tree)
                        parent = list(ast.walk(made))[i]
                        if isinstance(value, list):
                            getattr(parent, name)[k] = copy.deepcopy(child)
                        else:
                            setattr(parent, name, copy.deepcopy(child))
                        yield made


def _text(tree: ast.Module) -> str | None:
    try:
        for node, name in _bodies(tree):
            if name == "body" and not getattr(node, name):
                node.body = [ast.Pass()]  # type: ignore[attr-defined]
        text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        compile(text, "x", "exec")
    except (SyntaxError, ValueError, AttributeError, TypeError):
        return None
    return text


def shrink(source: str, fails: Callable[[str], bool], tries: int = 1500) -> str:
    """A smaller program for which ``fails`` still holds."""
    best = _text(ast.parse(source)) or source
    if not fails(best):
        return source
    improved = True
    while improved and tries > 0:
        improved = False
        for candidate in _smaller(ast.parse(best)):
            text = _text(candidate)
            if text is None or len(text) >= len(best):
                continue
            tries -= 1
            if tries <= 0:
                break
            if fails(text):
                best, improved = text, True
                break
    return best
