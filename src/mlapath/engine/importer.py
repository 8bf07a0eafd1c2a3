"""Imports: modules of the tree run once, on demand; others are external symbols."""

from __future__ import annotations

from typing import Any

from mlapath.engine.attrs import class_lookup
from mlapath.engine.control import Frame, Outcome
from mlapath.engine.effects import Effects
from mlapath.engine.fork import drop_uncaught, hand_on, protect, resume
from mlapath.engine.names import store_name
from mlapath.engine.namespaces import namespace
from mlapath.engine.stmt import block
from mlapath.ir import nodes as n
from mlapath.values.family import NotUniform
from mlapath.values.objects import ModuleObj
from mlapath.values.truth import Truth
from mlapath.values.union import may_be_absent
from mlapath.values.value import External, Unknown, V


def import_module(it: Any, name: str) -> V:
    """The module ``name``, its parents imported first; raises the program's ImportError."""
    known = it.modules.get(name)
    if known is not None:
        return _again(it, name, known)
    if "." in name:
        import_module(it, name.rpartition(".")[0])
        known = it.modules.get(name)
        if known is not None:
            return _again(it, name, known)
    summary = it.models.module(it, name)
    if summary is not None:
        return summary  # type: ignore[no-any-return]
    found = it.program.find(name)
    if found is not None:
        return V(_load(it, name, found))
    present = it.facts.has_module(name)
    if present is Truth.FALSE and it.store.get("modules_written"):
        present = Truth.UNKNOWN
    if present is Truth.FALSE:
        missing = it.exception("ModuleNotFoundError", [V(f"No module named '{name}'")])
        it.setattr(missing, "name", V(name))
        raise it.make_raise(missing)
    if present is Truth.UNKNOWN and it.tries:
        it.leave_pending(it.frame, f"import {name}")
    return V(External(name))


def _again(it: Any, name: str, module: ModuleObj) -> V:
    """A module that was imported before, though perhaps only in another alternative.

    Then what its code wrote to older objects is written here, too.
    """
    state = it.loaded.get(name)
    if name in it.imports and (state is None or may_be_absent(state)):
        if "." in name:
            import_module(it, name.rpartition(".")[0])
        it.imports[name].repeat(it.heap, certain=state is None)
    return V(module)


def _load(it: Any, name: str, path: str) -> ModuleObj:
    if it.rounds is not None:
        raise NotUniform(f"only one of the rounds imports {name}")
    ns = it.heap.cell()
    module = ModuleObj(name, ns, path)
    ns["__name__"] = V(name)
    ns["__file__"] = V(f"{it.program.root}/{path}")
    is_package = path.endswith("__init__.py")
    ns["__package__"] = V(name if is_package else name.rpartition(".")[0])
    ns["__doc__"] = V(None)
    ns["__spec__"] = V(Unknown("a module spec", "object"))
    if is_package:
        ns["__path__"] = V(it.heap.list([V(f"{it.program.root}/{path.rpartition('/')[0]}")]))
    it.modules[name] = module
    mark = it.heap.fork() if it.heap.marks else None
    it.heap.put(it.loaded, name, V(True))
    parent, _, last = name.rpartition(".")
    if parent in it.modules:
        it.heap.put(it.modules[parent].ns, last, V(module))
    try:
        body = it.program.load(path).body
    except it.program.unreadable as error:
        it.frontier(it.frame, None, str(error))
        it.store.setdefault("unreadable", {})[path] = str(error)
        module.state = "failed"
        if mark is not None:
            it.heap.close(mark)
        return module
    frame = Frame(module, ns, parent=it.frame)
    outcome = _execute(it, frame, body)
    if mark is not None:
        it.imports[name] = Effects(it.heap, mark)
        it.heap.close(mark)
    if outcome.kind != "normal":
        del it.modules[name]
        it.heap.drop(it.loaded, name)
        resume(outcome)
    module.state = "done"
    return module


def _execute(it: Any, frame: Frame, body: Any) -> Outcome:
    """Run a module's code. By assumption, code outside the tree does not fail in it."""
    outer, it.frame = it.frame, frame
    frame.module.state = "running"
    quiet, it.quiet = it.quiet, len(it.tries)
    it.depth += 1
    try:
        return protect(lambda: block(it, frame, body))
    finally:
        it.depth -= 1
        it.frame = outer
        it.quiet = quiet
        drop_uncaught(it, frame, 0)
        for pending in list(frame.pending):
            hand_on(pending, outer)


def module_attr(it: Any, d: ModuleObj, attr: str) -> V | None:
    """``module.attr``, with module-level ``__getattr__`` and lazily imported submodules."""
    value: V | None = d.ns.get(attr)
    if value is not None:
        return value
    if d.state == "failed":
        return V(Unknown(f"{d.path} could not be parsed"))
    if f"{d.name}.{attr}" in it.modules:
        return V(it.modules[f"{d.name}.{attr}"])
    if attr == "__dict__":
        return namespace(it, d.ns)
    getter = d.ns.get("__getattr__")
    if getter is not None:
        return it.call_getattr(getter, attr)  # type: ignore[no-any-return]
    foreign = d.ns.get("*")
    if foreign is not None:
        return it.models.symbol(it, f"{foreign.d.name}.{attr}")  # type: ignore[no-any-return]
    return None


def import_(it: Any, fr: Frame, s: n.Import) -> None:
    for alias in s.names:
        module = import_module(it, alias.name)
        if alias.asname is not None:
            store_name(it, fr, alias.asname, module)
        else:
            top = alias.name.partition(".")[0]
            store_name(it, fr, top, import_module(it, top))


def import_from(it: Any, fr: Frame, s: n.ImportFrom) -> None:
    name = absolute(fr, s)
    module = import_module(it, name)
    for alias in s.names:
        if alias.name == "*":
            _import_star(it, fr, module)
            continue
        value = from_module(it, module, name, alias.name)
        store_name(it, fr, alias.asname or alias.name, value)


def from_module(it: Any, module: V, name: str, attr: str) -> V:
    """The value of ``attr`` in ``from name import attr``."""
    if type(module.d) is External:
        symbol = it.models.symbol(it, f"{module.d.name}.{attr}")
        if symbol is None:
            it.throw("ImportError", f"cannot import name '{attr}' from '{name}'", name=V(name))
        return symbol  # type: ignore[no-any-return]
    value = it.find_attr(module, attr)
    if value is not None:
        return value  # type: ignore[no-any-return]
    full = f"{name}.{attr}"
    if it.program.find(full) is not None or full in it.modules or it.models.module(it, full):
        return import_module(it, full)
    package = type(module.d) is ModuleObj and module.d.path.endswith("__init__.py")
    if package and it.facts.has_module(full) is Truth.TRUE:
        return V(External(full))
    it.throw("ImportError", f"cannot import name '{attr}' from '{name}'", name=V(name))
    raise AssertionError("unreachable")


def absolute(fr: Frame, s: n.ImportFrom) -> str:
    """The absolute name of the module that an import statement names."""
    if not s.level:
        return s.module
    package: str = fr.module.ns["__package__"].d
    parts = package.split(".")
    base = ".".join(parts[: len(parts) - s.level + 1])
    return f"{base}.{s.module}" if s.module else base


def _import_star(it: Any, fr: Frame, module: V) -> None:
    d = module.d
    if type(d) is not ModuleObj:
        it.heap.put(fr.module.ns, "*", module)
        return
    names = d.ns.get("__all__")
    listed = it.iterate(names) if names is not None else None
    if listed is not None:
        for item in listed:
            value = it.find_attr(module, item.d)
            if value is not None:
                store_name(it, fr, item.d, value)
        return
    for key, value in list(d.ns.items()):
        if not key.startswith("_") or key == "*":
            store_name(it, fr, key, value)


def qualname_lookup(it: Any, qualname: str) -> V | None:
    """The value at a dotted name, for drivers: the module is imported, the rest looked up."""
    parts = qualname.split(".")
    for cut in range(len(parts), 0, -1):
        name = ".".join(parts[:cut])
        if it.program.find(name) is not None:
            value: V | None = import_module(it, name)
            for part in parts[cut:]:
                value = None if value is None else it.find_attr(value, part)
            return value
    return None


IMPORTS: dict[type, Any] = {n.Import: import_, n.ImportFrom: import_from}

__all__ = ["IMPORTS", "class_lookup", "import_module", "module_attr", "qualname_lookup"]
