"""``contextlib``: managers made of generators, and the small ready-made ones."""

from __future__ import annotations

from typing import Any

from mlapath.ir import nodes as n
from mlapath.models.api import Fn, Library, argument, make_class
from mlapath.models.class_tools import library_class
from mlapath.models.stdlib_contextlib_stack import stack_class
from mlapath.models.support import instance, unknown, wrapper
from mlapath.values.objects import FuncObj, GeneratorObj, Instance
from mlapath.values.truth import Truth
from mlapath.values.value import Unknown, V

MANAGER = "contextlib._GeneratorContextManager"
EXITS = "contextlib.exits"


def contextmanager(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``contextmanager(func)``; ``asynccontextmanager`` likewise: coroutines run when called."""
    function = args[0]

    def run(engine: Any, given: list[V], named: dict[str, V], opened: str) -> V:
        def make() -> V:
            generator = engine.call(function, given, dict(named), opened)
            if type(generator.d) is not GeneratorObj:
                return unknown("a context manager that is not known", "", generator.o)
            cls = library_class(engine, MANAGER)
            made = instance(engine, cls, {"gen": generator, "func": function})
            _remake(engine)[made.d] = make
            return made

        return make()

    return wrapper(it, "contextlib.contextmanager", function, run)


def _remake(it: Any) -> dict[Any, Any]:
    """How to make each manager again, as its use as a decorator does."""
    table: dict[Any, Any] = it.store.setdefault("contextlib.remake", {})
    return table


def _enter(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    entered, left = it.enter_generator(args[0].d.attrs["gen"].d)
    it.store.setdefault(EXITS, {})[args[0].d] = left
    if entered is None:
        it.throw("RuntimeError", "generator didn't yield")
    result: V = entered
    return result


def _exit(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    d = args[0].d
    it.leave_generator(it.store.get(EXITS, {}).get(d, ()))
    raised = len(args) > 2 and args[2].d is not None
    function = d.attrs["func"].d
    if raised and (type(function) is not FuncObj or _catches(function.node)):
        return unknown("whether the context manager swallows an exception", "bool")
    return V(False)


def _catches(node: Any) -> bool:
    """Whether there is a ``try`` with handlers in a function's body."""
    if isinstance(node, n.Try) and node.handlers:
        return True
    if isinstance(node, tuple):
        return any(_catches(part) for part in node)
    return False


def _decorate(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """A manager used as a decorator: each call runs inside it."""
    manager, function = args[0], args[1]

    def run(engine: Any, given: list[V], named: dict[str, V], opened: str) -> V:
        make = _remake(engine).get(manager.d)
        fresh = manager if make is None else make()
        return engine.within(fresh, lambda _: engine.call(function, given, named, opened))  # type: ignore[no-any-return]

    return wrapper(it, "contextlib.ContextDecorator", function, run)


def _generator_manager(it: Any) -> V:
    methods: dict[str, Fn] = {
        "__enter__": _enter, "__exit__": _exit, "__aenter__": _enter, "__aexit__": _exit,
        "__call__": _decorate,
    }  # fmt: skip
    facts = {"contextmanager": True, "frozen": True, "calls": ("func",)}
    bases = (library_class(it, "contextlib.AbstractContextManager"),)
    return V(make_class(it, MANAGER, bases, methods=methods, facts=facts))


def _self(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return args[0]


def _none(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return V(None)


def _abstract(full: str, prefix: str) -> Any:
    """``AbstractContextManager``: anything with entry and exit is an instance."""
    names = (f"__{prefix}enter__", f"__{prefix}exit__")

    def instances(it: Any, value: V) -> Truth:
        if type(value.d) is Unknown or type(value.d) is Instance and value.d.cls.foreign:
            return Truth.UNKNOWN
        return Truth.of(all(it.lookup_special(value, name) is not None for name in names))

    methods: dict[str, Fn] = {names[0]: _self, names[1]: _none}
    return lambda it: V(make_class(it, full, methods=methods, facts={"instances": instances}))


def _manager(full: str, parameter: str, enter: Fn, leave: Fn, **facts: Any) -> Any:
    """A ready-made manager with one argument, kept under the argument's name."""

    def construct(it: Any, cls: Any, args: list[V], kwargs: dict[str, V]) -> V:
        value = argument(args, kwargs, 0, parameter, V(None))
        return instance(it, cls, {parameter: value or V(None)})

    methods = {"__enter__": enter, "__exit__": leave, "__aenter__": enter, "__aexit__": leave}
    return lambda it: V(
        make_class(
            it, full, (library_class(it, "contextlib.AbstractContextManager"),),
            methods=methods, construct=construct, facts={"frozen": True, **facts},
        )
    )  # fmt: skip


def _close(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    it.call(it.getattr(it.getattr(args[0], "thing"), "close"), [], {})
    return V(None)


def _attribute(name: str) -> Fn:
    return lambda it, args, kwargs: args[0].d.attrs[name]


def _suppress(it: Any) -> V:
    def construct(engine: Any, cls: Any, args: list[V], kwargs: dict[str, V]) -> V:
        return instance(engine, cls, {"exceptions": V(tuple(args))})

    def leave(engine: Any, args: list[V], kwargs: dict[str, V]) -> V:
        if len(args) < 3 or args[2].d is None:
            return V(False)
        truth = engine.exception_matches(args[2], args[0].d.attrs["exceptions"])
        if truth is Truth.UNKNOWN:
            return unknown("whether an exception is suppressed", "bool")
        return V(truth is Truth.TRUE)

    cls = make_class(it, "contextlib.suppress",
                     (library_class(it, "contextlib.AbstractContextManager"),),
                     methods={"__enter__": _none, "__exit__": leave}, construct=construct,
                     facts={"suppresses": True, "frozen": True})  # fmt: skip
    return V(cls)


LIBRARY = Library(
    functions={
        "contextlib.contextmanager": contextmanager,
        "contextlib.asynccontextmanager": contextmanager,
    },
    values={
        MANAGER: _generator_manager,
        "contextlib.AbstractContextManager": _abstract("contextlib.AbstractContextManager", ""),
        "contextlib.AbstractAsyncContextManager": _abstract(
            "contextlib.AbstractAsyncContextManager", "a"
        ),
        "contextlib.ContextDecorator": lambda it: V(
            make_class(it, "contextlib.ContextDecorator", methods={"__call__": _decorate})
        ),
        "contextlib.nullcontext": _manager(
            "contextlib.nullcontext", "enter_result", _attribute("enter_result"), _none
        ),
        "contextlib.closing": _manager(
            "contextlib.closing", "thing", _attribute("thing"), _close, calls=("thing",)
        ),
        "contextlib.aclosing": _manager(
            "contextlib.aclosing", "thing", _attribute("thing"), _none, calls=("thing",)
        ),
        "contextlib.redirect_stdout": _manager(
            "contextlib.redirect_stdout", "new_target", _attribute("new_target"), _none
        ),
        "contextlib.redirect_stderr": _manager(
            "contextlib.redirect_stderr", "new_target", _attribute("new_target"), _none
        ),
        "contextlib.chdir": _manager("contextlib.chdir", "path", _none, _none),
        "contextlib.suppress": _suppress,
        "contextlib.ExitStack": stack_class("contextlib.ExitStack"),
        "contextlib.AsyncExitStack": stack_class("contextlib.AsyncExitStack"),
    },
    aliases={"contextlib.AsyncContextDecorator": "contextlib.ContextDecorator"},
)
