"""Reading a file's text for what it mentions."""

from __future__ import annotations

import ast
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple, TypeGuard

from mlapath.resolve.mentions.bound import bound_in
from mlapath.resolve.mentions.model import HANDED_ON, Asked, Given, Mention, Mentions, Of, Read
from mlapath.resolve.mentions.uses import Lent, Uses, asks_for_signature, uses_in
from mlapath.resolve.mentions.words import OWN, is_own, is_reference, is_text, last_name, mentioned
from mlapath.resolve.writes import around

WORD = re.compile(r"[^\W\d]\w*")
ASKING = frozenset({"isinstance", "issubclass"})
CONSUMERS = frozenset({
    "all", "any", "dict", "frozenset", "list", "max", "min", "next", "set", "sorted", "sum",
    "tuple",
})  # fmt: skip
"""Builtins that run a generator which they are given."""
TYPING = frozenset({"NewType", "ParamSpec", "TypeVar", "TypeVarTuple"})
"""Functions of ``typing`` that only annotations use."""
PLAIN = frozenset({
    "abstractmethod", "asynccontextmanager", "cache", "cached_property", "classmethod",
    "contextmanager", "dataclass", "deleter", "final", "getter", "inference_mode", "jit",
    "lru_cache", "no_grad", "overload", "override", "property", "runtime_checkable", "setter",
    "staticmethod", "total_ordering", "unique", "wraps",
})  # fmt: skip
"""Decorators of the standard library, torch and Triton that keep nothing but for the name."""
USES = (
    ast.Attribute, ast.Subscript, ast.Compare, ast.Raise, ast.ExceptHandler, ast.UnaryOp,
    ast.BinOp, ast.If, ast.While, ast.Assert, ast.For, ast.FormattedValue,
)  # fmt: skip


def mentions_of(text: str) -> Mentions:
    """What a file's text mentions."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):  # newer than this Python
        return _by_lines(text)
    found = Mentions()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            found.imported.update((a.asname or a.name, node.module or "") for a in node.names
                                  if not node.level)  # fmt: skip
        elif isinstance(node, ast.Import):
            found.imported.update(((a.asname or a.name).partition(".")[0], a.name)
                                  for a in node.names)  # fmt: skip
    own = bound_in(tree.body)
    tables = own.assigned - own.imported - own.functions - own.classes - own.other
    _body(tree.body, found, _Place("", "", tables=tables))
    return found


class _Place(NamedTuple):
    """The class and the function around code, and the names that are variables there.

    inner: those of functions that a function around it defines. method: the outermost function.
    tables: variables of the module; what they hold is not read where something is put into them
    or asked to be in them. late: whether the code is a lambda's or a generator expression's.
    called: variables of the function that are but called. lent: those that are but looked at, and
    given to one function.
    """

    owner: str
    function: str
    variables: frozenset[str] = frozenset()
    inner: frozenset[str] = frozenset()
    method: str = ""
    tables: frozenset[str] = frozenset()
    late: bool = False
    called: frozenset[str] = frozenset()
    lent: tuple[Lent, ...] = ()

    def into(self, function: str) -> _Place:
        return self._replace(function=function)

    def at(self, node: ast.AST) -> Mention:
        return Mention(getattr(node, "lineno", 0), self.owner, self.function)


def _by_lines(text: str) -> Mentions:
    found = Mentions(parsed=False)
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("#"):
            continue
        for word in dict.fromkeys(WORD.findall(line)):
            mention = Mention(number, *around(lines, number))
            found.names.setdefault(word, []).append(mention)
            found.kept.setdefault(word, []).append(mention)
    return found


def _body(body: list[ast.stmt], found: Mentions, here: _Place) -> None:
    for s in body:
        _visit(s, found, here)


def _visit(node: ast.AST, found: Mentions, here: _Place, *, kept: bool = True) -> None:
    """Note what a node mentions; kept: and may keep, not only call or look into."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        _function(node, found, here)
    elif isinstance(node, ast.ClassDef):
        _class(node, found, here)
    elif isinstance(node, ast.Call):
        _call(node, found, here, kept=kept)
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        targets: list[ast.expr] = (
            list(node.targets) if isinstance(node, ast.Assign) else [node.target]
        )
        for target in targets:
            _visit(target, found, here)
        if node.value is not None:
            _stored(node.value, targets, found, here)
    elif _is_filled(node, here):
        _visit(node.slice, found, here)
    elif isinstance(node, ast.Compare | ast.IfExp | ast.BoolOp):
        _operator(node, found, here, kept=kept)
    elif isinstance(node, ast.AugAssign) and _is_filled(node.target, here):  # and read
        _inside(node.target, found, here)
        _visit(node.value, found, here)
    elif isinstance(node, ast.Attribute) and _is_mention(node.value, here):
        _note(node, found, here, kept=kept)
        if isinstance(node.value, ast.Name) and node.value.id in here.inner:
            _visit(node.value, found, here, kept=False)
        else:
            if mentioned(node.value) == here.owner:
                found.calls.setdefault((here.owner, here.method), set()).add(node.attr)
            read = Read(here.at(node.value), node.attr, is_own(node.value))
            found.read.setdefault(mentioned(node.value), []).append(read)
            _inside(node.value, found, here)
    else:
        if _is_mention(node, here):
            _note(node, found, here, kept=kept)
        if isinstance(node, ast.Name) and node.id in (*OWN, here.owner):
            found.calls.setdefault((here.owner, here.method), set()).add("")
        if not (is_own(node) and isinstance(node, ast.Attribute) and _is_name(node.value)):
            _inside(node, found, here)


def _compare(node: ast.Compare, found: Mentions, here: _Place) -> None:
    _visit(node.left, found, here, kept=False)
    for op, part in zip(node.ops, node.comparators, strict=True):
        if not (isinstance(op, ast.In | ast.NotIn) and _is_table(part, here)):
            _visit(part, found, here, kept=False)


def _operator(
    node: ast.Compare | ast.IfExp | ast.BoolOp, found: Mentions, here: _Place, *, kept: bool
) -> None:  # fmt: skip
    """A comparison, or one of several values: what is done with it is done with each."""
    if isinstance(node, ast.Compare):
        _compare(node, found, here)
        return
    if isinstance(node, ast.IfExp):
        _visit(node.test, found, here, kept=False)
    for part in node.values if isinstance(node, ast.BoolOp) else (node.body, node.orelse):
        _visit(part, found, here, kept=kept)


def _inside(node: ast.AST, found: Mentions, here: _Place) -> None:
    if isinstance(node, ast.Lambda | ast.GeneratorExp):
        here = here._replace(late=True)
    for run in _run_at_once(node):
        _consume(run, found, here)
    for child in ast.iter_child_nodes(node):
        _visit(child, found, here, kept=not isinstance(node, USES) or _is_stored_into(node))


def _run_at_once(node: ast.AST) -> list[ast.expr]:
    """What a node has run to its end, if it is a generator, or awaits."""
    if isinstance(node, ast.For | ast.AsyncFor):
        return [node.iter]
    if isinstance(node, ast.YieldFrom | ast.Await):
        return [node.value]
    if isinstance(node, ast.With | ast.AsyncWith):
        return [item.context_expr for item in node.items]
    if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp):
        return [part.iter for part in node.generators]
    return []


def _consume(node: ast.expr, found: Mentions, here: _Place) -> None:
    if isinstance(node, ast.Call):
        found.consumed.setdefault(last_name(node.func), []).append(here.at(node.func))


def _note(node: ast.AST, found: Mentions, here: _Place, *, kept: bool) -> None:
    """Note a name, an attribute or a text."""
    word = mentioned(node)
    if not word:
        return
    inner = isinstance(node, ast.Name) and word in here.inner
    into = found.inner if inner else found.own if is_own(node) else found.names
    into.setdefault(word, []).append(here.at(node))
    if into is found.names and isinstance(node, ast.Attribute) and _is_of_class(node.value, here):
        found.of.setdefault(word, []).append(Of(here.at(node), node.value.id))
    if into is found.own:
        found.calls.setdefault((here.owner, here.method), set()).add(word)
    if here.late:
        found.late.setdefault(word, []).append(here.at(node))
    if kept and here.function and is_reference(node):
        keeps = found.inner_kept if inner else found.kept
        keeps.setdefault(word, []).append(here.at(node))


def _is_of_class(node: ast.AST, here: _Place) -> TypeGuard[ast.Name]:
    """Whether a node is a name that may be a class's, as they are spelt."""
    return (
        isinstance(node, ast.Name) and node.id.lstrip("_")[:1].isupper()
        and node.id not in here.variables and node.id not in here.inner
    )  # fmt: skip


def _function(
    node: ast.FunctionDef | ast.AsyncFunctionDef, found: Mentions, here: _Place
) -> None:  # fmt: skip
    for part in (*node.decorator_list, *node.args.defaults, *node.args.kw_defaults):
        if part is not None:
            _visit(part, found, here)
    _decorated(node, found, here)
    if node.name == "__init_subclass__":
        found.telling.append(here.at(node))
    uses = uses_in(node)
    elsewhere_defined = here.owner or here.function
    into = found.methods if elsewhere_defined else found.functions
    into.setdefault(node.name, []).append(_asked(node, uses))
    bound = bound_in(node.body)
    elsewhere = bound.imported | bound.classes | bound.other
    own = (_parameters(node) | bound.assigned) - elsewhere
    variables = own | here.variables - elsewhere
    inner = (here.inner - own | bound.functions) - elsewhere
    method = here.method or node.name
    found.defined.setdefault(node.name, []).append(here.at(node))
    if bound.yields or isinstance(node, ast.AsyncFunctionDef):
        found.generators.setdefault(node.name, []).append(here.at(node))
    inside = here._replace(
        function=node.name, variables=variables - inner, inner=inner, method=method, late=False,
        called=bound.assigned - bound.other - uses.kept - {p.name for p in uses.passed},
        lent=_lent_once(bound.assigned - bound.other - uses.more, uses, variables | inner),
    )  # fmt: skip
    _body(node.body, found, inside)


def _decorated(
    node: ast.FunctionDef | ast.AsyncFunctionDef, found: Mentions, here: _Place
) -> None:
    """What a decorator gets it may keep."""
    for part in node.decorator_list:
        function = part.func if isinstance(part, ast.Call) else part
        if last_name(function) not in PLAIN:
            given = Given(here.at(part), last_name(function), int(function is not part))
            found.decorated.setdefault(node.name, []).append(given)


def _call(node: ast.Call, found: Mentions, here: _Place, *, kept: bool) -> None:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if last_name(node.func) in TYPING:
        return
    _visit(node.func, found, here, kept=False)
    if isinstance(node.func, ast.Subscript) and _is_mention(node.func.value, here):
        of = node.func.value
        found.picked.setdefault(mentioned(of), []).append(here.at(of))
    if name == "getattr" and len(node.args) > 1 and is_text(node.args[1]):
        _got(node, found, here, kept=kept)
        return
    if name in CONSUMERS:
        for part in node.args:
            _consume(part, found, here)
    if name in ASKING:
        for part in node.args[:1]:
            _visit(part, found, here)
        return
    if asks_for_signature(node):
        for part in node.args:
            _visit(part, found, here, kept=False)
        for keyword in node.keywords:
            _visit(keyword.value, found, here)
        return
    starred = any(isinstance(part, ast.Starred) for part in node.args)
    places: list[tuple[int | str | None, ast.expr]] = [
        *enumerate(node.args), *((k.arg, k.value) for k in node.keywords),
    ]  # fmt: skip
    for place, part in places:
        if isinstance(place, str) and is_reference(part) and mentioned(part):
            given = Given(here.at(part), last_name(node.func), place)
            found.handed.setdefault(mentioned(part), []).append(given)
        if not here.function and is_reference(part):
            _visit(part, found, here.into(HANDED_ON))
        elif (
            isinstance(part, ast.Name) and _is_mention(part, here) and place is not None
            and part.id not in here.inner and name and name not in here.variables and not starred
        ):  # fmt: skip
            given = Given(here.at(part), name, place)
            found.given.setdefault(part.id, []).append(given)
            found.kept.setdefault(part.id, []).append(given.mention)
        else:
            _visit(part, found, here)


def _got(node: ast.Call, found: Mentions, here: _Place, *, kept: bool) -> None:
    """``getattr(x, "name")`` mentions what ``x.name`` does."""
    of, name, *rest = node.args
    assert isinstance(name, ast.Constant)
    assert isinstance(name.value, str)
    read = ast.copy_location(ast.Attribute(of, name.value, ast.Load()), node)
    _visit(read, found, here, kept=kept)
    for part in rest:
        _visit(part, found, here, kept=kept)


def _asked(function: ast.FunctionDef | ast.AsyncFunctionDef, uses: Uses) -> Asked:
    """The parameters of a function, and those that it does but some things with."""
    args = function.args
    places = [a.arg for a in (*args.posonlyargs, *args.args)]
    names = {*places, *(a.arg for a in args.kwonlyargs)}
    known = frozenset(names)
    asking = {
        id(node.args[1]) for node in ast.walk(function)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        and node.func.id in ASKING and len(node.args) > 1
    }  # fmt: skip
    hints = {id(x) for hint in _hints(function) for x in ast.walk(hint)}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and id(node) not in asking and id(node) not in hints:
            names.discard(node.id)
    passed = tuple(p for p in uses.passed if p.name in known - uses.kept)
    looked = known - uses.more
    lent = tuple(x for x in uses.lent if x.name in looked and x.callee not in known)
    looked -= {x.name for x in uses.lent if x.callee in known}
    keywords = known - {a.arg for a in args.posonlyargs} | ({"**"} if args.kwarg else set())
    loose = tuple((name, line) for name, line in uses.loose if name in known or not name)
    return Asked(tuple(places), frozenset(names), known - uses.kept, loose, uses.given, keywords,
                 passed, looked, lent)  # fmt: skip


def _lent_once(
    variables: frozenset[str], uses: Uses, local: frozenset[str]
) -> tuple[Lent, ...]:  # fmt: skip
    """Of variables that are but looked at or given to functions, those given to one.

    local: names that may stand for another function than the one that a module defines.
    """
    times = Counter(lent.name for lent in uses.lent)
    return tuple(
        x for x in uses.lent
        if x.name in variables and times[x.name] == 1 and x.callee not in local
    )  # fmt: skip


def _hints(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.expr]:
    """The annotations in a function: nothing is done with what they name."""
    for node in ast.walk(function):
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
            yield node.annotation
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns is not None:
            yield node.returns


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    args = function.args
    rest = [a.arg for a in (args.vararg, args.kwarg) if a is not None]
    return frozenset((*(a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)), *rest))


def _class(node: ast.ClassDef, found: Mentions, here: _Place) -> None:
    for part in node.decorator_list:
        _visit(part, found, here)
    made = Mention(node.lineno, node.name, "__init__")
    for base in (*node.bases, *(k.value for k in node.keywords)):
        for name in ast.walk(base):
            if isinstance(name, ast.Name | ast.Attribute):
                found.names.setdefault(last_name(name), []).append(made)
        if any(isinstance(part, ast.Call) for part in ast.walk(base)):
            _visit(base, found, here)
    own = bound_in(node.body).assigned
    inside = _Place(
        node.name, "", here.variables - own, here.inner - own, tables=here.tables - own
    )
    _body(node.body, found, inside)


def _stored(value: ast.expr, targets: list[ast.expr], found: Mentions, here: _Place) -> None:
    """A value that is assigned: references in it outlive the code of a module or class."""
    if here.function or not any(is_reference(part) for part in _parts(value)):
        kept = not all(isinstance(t, ast.Name) and t.id in here.called for t in targets)
        if kept and len(targets) == 1:
            _lend(value, targets[0], found, here)
        _visit(value, found, here, kept=kept)
        return
    names = [last_name(target) or HANDED_ON for target in targets]
    for part in _parts(value):
        for name in names if is_reference(part) else names[:1]:
            _visit(part, found, here.into(name) if is_reference(part) else here)


def _lend(value: ast.expr, target: ast.expr, found: Mentions, here: _Place) -> None:
    """Note a reference that a variable holds and but lends to a function."""
    word = mentioned(value) if is_reference(value) else ""
    if isinstance(value, ast.Call) and last_name(value.func) == "getattr" and len(value.args) > 1:
        name = value.args[1]
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            word = name.value
    variable = target.id if isinstance(target, ast.Name) else ""
    for lent in here.lent if word else ():
        if lent.name == variable:
            given = Given(here.at(value), lent.callee, lent.place)
            found.lent.setdefault(word, []).append(given)


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


def _is_mention(node: ast.AST, here: _Place) -> bool:
    """Whether a node is a name, an attribute or a text that may be something's elsewhere."""
    return bool(mentioned(node)) and not (isinstance(node, ast.Name) and node.id in here.variables)


def _is_table(node: ast.AST, here: _Place) -> bool:
    return isinstance(node, ast.Name) and node.id in here.tables


def _is_filled(node: ast.AST, here: _Place) -> TypeGuard[ast.Subscript]:
    """Whether something is put into what a variable of the module holds, or deleted of it."""
    return (
        isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load)
        and _is_table(node.value, here)
    )  # fmt: skip


def _is_stored_into(node: ast.AST) -> bool:
    """Whether a node puts something under a key, which is kept with it."""
    return isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)


def _is_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Name)


__all__ = ["mentions_of"]
