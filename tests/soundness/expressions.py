"""Random expressions of a wanted kind."""

from __future__ import annotations

from random import Random

from soundness.scope import INPUTS, Class, Function, Scope


class Expressions:
    """Writes expressions over the names of a scope and the declarations so far."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.functions: list[Function] = []
        self.classes: list[Class] = []
        self.generators: list[str] = []
        self.managers: list[str] = []
        self.fresh = 0

    def pick(self, *options: object) -> object:
        """One of the options; a callable among them is called."""
        chosen = self.rng.choice(options)
        return chosen() if callable(chosen) else chosen

    def name(self, prefix: str) -> str:
        """A name not used before."""
        self.fresh += 1
        return f"{prefix}{self.fresh}"

    def of(self, kind: str, scope: Scope, depth: int = 2) -> str:
        """An expression of a kind: ``int bool str list dict set obj``."""
        made: str = getattr(self, f"{kind}_")(scope, depth)
        return made

    def int_(self, scope: Scope, depth: int) -> str:
        names = scope.of("int")
        simple = [str(self.rng.randint(-2, 4)), *(self.rng.sample(names, min(4, len(names))))]
        if depth <= 0:
            return self.rng.choice(simple)
        inner = depth - 1

        def sub() -> str:
            return self.int_(scope, inner)

        options = [
            *simple, *simple, *simple,
            lambda: f"({sub()} {self.rng.choice('+-*')} {sub()})",
            lambda: f"({sub()} % 3)",
            lambda: f"len({self.list_(scope, inner)})",
            lambda: f"sum({self.list_(scope, inner)})",
            lambda: f"max({sub()}, {sub()})",
            lambda: f"({sub()} if {self.bool_(scope, inner)} else {sub()})",
            lambda: f"{self.dict_(scope, 0)}.get({self.key()}, {sub()})",
            lambda: f"len({self.set_(scope, inner)})",
            lambda: f"(w0 := {sub()})" if scope.function or not scope.method else sub(),
            lambda: self.call(scope, "int", inner),
            lambda: self.call(scope, "int", inner),
            lambda: self.field(scope, inner),
            lambda: self.field(scope, inner),
            lambda: f"next(({self.comp_body(scope, inner)}), {sub()})",
            lambda: f"int({self.bool_(scope, inner)})",
            lambda: "(u1 or 0)",
            lambda: "given(1)",
            lambda: f"(u2 if u2 is not None else {sub()})",
            lambda: f"(lambda a, b={sub()}: a + b)({sub()})",
        ]  # fmt: skip
        return str(self.pick(*options))

    def key(self) -> str:
        """A literal dict key."""
        return self.rng.choice(['"a"', '"b"', '"c"', "1", "True"])

    def call(self, scope: Scope, result: str, depth: int) -> str:
        """A call of a function or method of the program, or something simpler."""
        found = [f for f in self.functions if f.result == result]
        if scope.depth > 6 or not found:
            return self.of(result, scope, 0)
        function = self.rng.choice(found)
        args = ", ".join(self.int_(scope, depth - 1) for _ in range(function.params))
        return f"{function.name}({args})"

    def field(self, scope: Scope, depth: int) -> str:
        """An attribute, property or method call of an object."""
        if not self.classes:
            return self.int_(scope, 0)
        cls = self.rng.choice(self.classes)
        base = self.obj_(scope, depth - 1, cls)
        options: list[object] = [f"{base}.{name}" for name in (*cls.fields, *cls.properties)]
        options += [
            f"{base}.{m.name}({', '.join(self.int_(scope, 0) for _ in range(m.params))})"
            for m in cls.methods
        ]
        return str(self.pick(*options)) if options else self.int_(scope, 0)

    def bool_(self, scope: Scope, depth: int) -> str:
        flags = [n for n, kind in INPUTS.items() if kind in ("flag", "number", "maybe", "items")]
        names = scope.of("bool")
        simple = ["True", "False", *flags, *flags, *names, "given(0)", "given(5)"]
        if depth <= 0:
            return self.rng.choice(simple)
        inner = depth - 1

        def sub() -> str:
            return self.bool_(scope, inner)

        def num() -> str:
            return self.int_(scope, inner)

        options = [
            *simple,
            lambda: f"{num()} {self.rng.choice(['<', '<=', '==', '!=', '>', '>='])} {num()}",
            lambda: f"u1 {self.rng.choice(['<', '==', '!=', '>='])} {self.rng.randint(0, 3)}",
            lambda: f"{num()} < {num()} <= {num()}",
            lambda: f"(not {sub()})",
            lambda: f"({sub()} and {sub()})",
            lambda: f"({sub()} or {sub()})",
            lambda: f"({num()} in {self.list_(scope, inner)})",
            lambda: f"({self.key()} in {self.dict_(scope, 0)})",
            lambda: self.rng.choice(["u2 is None", "u2 is not None"]),
            lambda: self.rng.choice(['u4 == "x"', 'u4 in ("x", "y")', "isinstance(u2, int)"]),
            lambda: f"any({self.comp_body(scope, inner, 'bool')})",
            lambda: f"all({self.comp_body(scope, inner, 'bool')})",
            lambda: (
                f"isinstance({self.obj_(scope, 0)}, {self.rng.choice(self.classes).name})"
                if self.classes
                else sub()
            ),
            lambda: (
                f'hasattr({self.obj_(scope, 0)}, "{self.rng.choice("xyz")}")'
                if self.classes
                else sub()
            ),
            lambda: f"bool({self.list_(scope, inner)})",
        ]
        return str(self.pick(*options))

    def str_(self, scope: Scope, depth: int) -> str:
        names = scope.of("str")
        options = ['"p"', '"q"', *names, lambda: f'f"{{{self.int_(scope, 0)}}}-"']
        return str(self.pick(*options))

    def comp_body(self, scope: Scope, depth: int, kind: str = "int") -> str:
        """The inside of a comprehension or generator expression."""
        target = self.name("c")
        inner = scope.inner()
        inner.add("int", target)
        source = self.iterable(scope, depth)
        test = f" if {self.bool_(inner, depth)}" if self.rng.random() < 0.5 else ""
        return f"{self.of(kind, inner, depth)} for {target} in {source}{test}"

    def iterable(self, scope: Scope, depth: int) -> str:
        """Something that gives ints."""
        options: list[object] = [
            lambda: self.list_(scope, depth),
            lambda: self.list_(scope, depth),
            lambda: f"range({self.rng.randint(0, 3)})",
            lambda: f"{self.dict_(scope, 0)}.values()",
            "u3",
            lambda: f"sorted({self.set_(scope, 0)})",
        ]
        if self.generators and scope.depth < 5:
            options += [lambda: f"{self.rng.choice(self.generators)}({self.int_(scope, 0)})"] * 2
        return str(self.pick(*options))

    def list_(self, scope: Scope, depth: int) -> str:
        names = scope.of("list")
        literal = f"[{', '.join(self.int_(scope, 0) for _ in range(self.rng.randint(0, 3)))}]"
        simple = [literal, *names, *names]
        if depth <= 0:
            return self.rng.choice(simple)
        inner = depth - 1
        options = [
            *simple, *simple,
            lambda: f"[{self.comp_body(scope, inner)}]",
            lambda: f"({self.list_(scope, inner)} + {self.list_(scope, inner)})",
            lambda: f"list({self.iterable(scope, inner)})",
            lambda: f"[*{self.iterable(scope, inner)}, {self.int_(scope, inner)}]",
            lambda: f"sorted({self.list_(scope, inner)})",
            lambda: f"{self.list_(scope, 0)}[{self.rng.choice(['1:', ':1', '-1:', ':'])}]",
            lambda: f"[a + b for a, b in zip({self.list_(scope, 0)}, {self.list_(scope, 0)})]",
            lambda: f"list(map(lambda a: a + {self.int_(scope, 0)}, {self.list_(scope, 0)}))",
            lambda: f"list({self.dict_(scope, 0)}.values())",
        ]  # fmt: skip
        return str(self.pick(*options))

    def dict_(self, scope: Scope, depth: int) -> str:
        names = scope.of("dict")
        entries = ", ".join(
            f"{self.key()}: {self.int_(scope, depth - 1)}" for _ in range(self.rng.randint(0, 2))
        )
        options = ["{" + entries + "}", *names, *names, *names]
        if depth > 0:
            options.append("{**" + self.dict_(scope, 0) + ", " + f"{self.key()}: 1" + "}")
        return self.rng.choice(options)

    def set_(self, scope: Scope, depth: int) -> str:
        names = scope.of("set")
        options = [
            "{" + f"{self.int_(scope, 0)}, {self.int_(scope, 0)}" + "}",
            f"set({self.list_(scope, 0)})", *names, *names,
        ]  # fmt: skip
        if depth > 0:
            op = self.rng.choice("|&-^")
            options.append(f"({self.set_(scope, 0)} {op} {self.set_(scope, 0)})")
        return self.rng.choice(options)

    def obj_(self, scope: Scope, depth: int, cls: Class | None = None) -> str:
        """An object of ``cls``; without it, of any class."""
        if cls is None:
            if not self.classes:
                return self.int_(scope, 0)
            cls = self.rng.choice(self.classes)
        made = f"{cls.name}({', '.join(self.int_(scope, 0) for _ in range(cls.init))})"
        names = scope.of(f"obj {cls.name}")
        return self.rng.choice([made, *names, *names, *names])
