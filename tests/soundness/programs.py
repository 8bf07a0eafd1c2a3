"""Random programs: valid, terminating Python with unknown inputs."""

from __future__ import annotations

from random import Random

from soundness.scope import INPUTS, Class, Function, Scope
from soundness.statements import Statements, indented

HEADER = """\
from contextlib import contextmanager
from itertools import chain
from outside import given, risky
log = []
def fail(kind):
    raise kind("f")
class Stop(Exception):
    pass
"""


class Programs(Statements):
    """Writes declarations and whole programs."""

    def locals_of(self, scope: Scope) -> list[str]:
        """Names of each kind, bound at the start of a function."""
        lines = []
        for kind, value in (("int", "1"), ("int", "0"), ("list", "[1]"), ("dict", '{"a": 1}'),
                            ("bool", "True"), ("set", "{1}")):  # fmt: skip
            if self.rng.random() < 0.7:
                name = self.name("v")
                scope.add(kind, name)
                lines.append(f"{name} = {value}")
        lines.append("w0 = 0")
        scope.add("int", "w0")
        return lines

    def function(self, outer: Scope, *, method: bool = False) -> tuple[Function, list[str]]:
        """A function or method."""
        made = Function(self.name("f"), self.rng.randint(0, 2), "int")
        scope = outer.inner(function=True, loop=False)
        scope.names = {k: [n for n in v if n.startswith(("u", "G"))] for k, v in
                       outer.names.items() if k in ("int", "list", "dict", "set")}  # fmt: skip
        params = [self.name("p") for _ in range(made.params)]
        for name in params:
            scope.add("int", name)
        defaults = [f"{n}={self.int_(outer, 0)}" if not method and self.rng.random() < 0.3 else n
                    for n in params]  # fmt: skip
        if any("=" in d for d in defaults):
            defaults = [d if "=" in d else f"{d}=1" for d in defaults]
        head = ", ".join(["self", *defaults] if method else defaults)
        body: list[str] = []
        written = [n for n in ("G1", "G2") if n in outer.of("int") and self.rng.random() < 0.4]
        if written:
            body.append(f"global {', '.join(written)}")
        scope.names["int"] = [n for n in scope.of("int") if not n.startswith("G") or n in written]
        body += self.locals_of(scope)
        if method:
            body.append(f"log.append(self.{self.rng.choice('xy')})")
        body += self.block(scope, 4)
        body.append(f"return {self.int_(scope, 1)}")
        return made, [f"def {made.name}({head}):", *indented(body)]

    def generator_(self, outer: Scope) -> list[str]:
        """A generator function; with luck a context manager."""
        name = self.name("y")
        scope = outer.inner(function=True, generator=True, loop=False)
        scope.names = {}
        scope.add("int", "p")
        body = self.locals_of(scope)
        if self.rng.random() < 0.4:
            scope.generator = False
            scope.function = False
            before, after = self.block(scope, 2), self.block(scope, 2)
            shape = self.rng.choice(["plain", "finally", "except"])
            if shape == "plain":
                body += [*before, "yield p", *after]
            elif shape == "finally":
                body += [*before, "try:", "    yield p", "finally:", *indented(after)]
            else:
                error = self.rng.choice(["ValueError", "Exception"])
                body += [*before, "try:", "    yield p", f"except {error}:", *indented(after)]
            self.managers.append(name)
            return ["@contextmanager", f"def {name}(p):", *indented(body)]
        body += [*self.block(scope, 3), *self.yield_(scope), *self.block(scope, 2)]
        self.generators.append(name)
        return [f"def {name}(p):", *indented(body)]

    def class_(self, outer: Scope) -> list[str]:
        """A class, with luck derived from one before it."""
        made = Class(self.name("C"))
        base = self.rng.choice(self.classes) if self.classes and self.rng.random() < 0.5 else None
        lines: list[str] = []
        if base is not None:
            made.fields += base.fields
            made.methods += base.methods
            made.properties += base.properties
            made.manager = base.manager
            made.init = base.init
        for attr in ("x", "y"):
            if attr not in made.fields or self.rng.random() < 0.4:
                made.fields = [*dict.fromkeys([*made.fields, attr])]
                lines.append(f"{attr} = {self.int_(outer, 1)}")
        if self.rng.random() < 0.6:
            own = self.rng.randint(0, 1)
            made.init = own
            params = ["self", *[f"a{i}" for i in range(own)]]
            body = ["super().__init__(*([1] * " + str(base.init) + "))"] if base else []
            scope = outer.inner(function=True, loop=False, depth=3)
            scope.names = {"int": params[1:]}
            body.append(f"self.x = {self.int_(scope, 1)}")
            if self.rng.random() < 0.4:
                body += [f"if {self.bool_(scope, 1)}:", f"    self.z = {self.int_(scope, 0)}"]
            lines += [f"def __init__({', '.join(params)}):", *indented(body)]
        for _ in range(self.rng.randint(0, 2)):
            method, text = self.function(outer, method=True)
            overridden = [m for m in made.methods if m.params == method.params]
            if overridden and self.rng.random() < 0.5:
                text[0] = text[0].replace(method.name, overridden[0].name)
                if base is not None and self.rng.random() < 0.6:
                    call = f"super().{overridden[0].name}({', '.join('1' * method.params)})"
                    if overridden[0] in base.methods:
                        text.insert(-1, f"    log.append({call})")
            else:
                made.methods = [*made.methods, method]
            lines += text
        if self.rng.random() < 0.4:
            name = self.name("q")
            scope = outer.inner(function=True, loop=False)
            scope.names = {}
            lines += ["@property", f"def {name}(self):",
                      *indented([*self.locals_of(scope), *self.block(scope, 2),
                                 "return self.x"])]  # fmt: skip
            made.properties = [*made.properties, name]
        if not made.manager and self.rng.random() < 0.3:
            made.manager = True
            scope = outer.inner(function=True, loop=False)
            scope.names = {}
            lines += ["def __enter__(self):", *indented([*self.locals_of(scope), "return self.x"])]
            result = self.rng.choice(["False", "None", "True", "kind is ValueError", "u0",
                                      "kind is not None"])  # fmt: skip
            lines += ["def __exit__(self, kind, error, trace):",
                      *indented([*self.locals_of(scope), *self.block(scope, 2),
                                 "log.append(7)", f"return {result}"])]  # fmt: skip
        if self.rng.random() < 0.15:
            lines += ["def __getattr__(self, name):", "    if name == 'z':", "        return 5",
                      "    raise AttributeError(name)"]  # fmt: skip
        if self.rng.random() < 0.15:
            lines += ["def __setattr__(self, name, value):", "    log.append(3)",
                      "    super().__setattr__(name, value)"]  # fmt: skip
        self.classes.append(made)
        head = f"class {made.name}({base.name if base else ''}):"
        return [head, *indented(lines or ["pass"])]

    def program(self) -> str:
        """A whole program."""
        scope = Scope()
        lines = [f"{name} = given({number})" for number, name in enumerate(INPUTS)]
        lines += ["w0 = 0"]
        for name, kind, value in (("G1", "int", "1"), ("G2", "int", "2"), ("Gl", "list", "[1, 2]"),
                                  ("Gd", "dict", '{"a": 1}'), ("Gs", "set", "{1}")):  # fmt: skip
            scope.add(kind, name)
            lines.append(f"{name} = {value}")
        for _ in range(self.rng.randint(1, 4)):
            roll = self.rng.random()
            if roll < 0.45:
                function, text = self.function(scope)
                self.functions.append(function)
                lines += text
            elif roll < 0.65:
                lines += self.generator_(scope)
            else:
                lines += self.class_(scope)
        for cls in self.classes:
            name = self.name("o")
            lines.append(f"{name} = {self.obj_(Scope(), 0, cls)}")
            scope.add(f"obj {cls.name}", name)
        for _ in range(self.rng.randint(2, 6)):
            lines += self.statement(scope)
        return HEADER + "\n".join(lines) + "\n"


def program(seed: int) -> str:
    """The program of a seed."""
    return Programs(Random(seed)).program()
