"""Random statements. Each writer gives source lines, indented from column 0."""

from __future__ import annotations

from soundness.expressions import Expressions
from soundness.scope import Scope

ERRORS = ("ValueError", "KeyError", "TypeError", "IndexError", "Stop")


def indented(lines: list[str]) -> list[str]:
    """The lines of a block, one level in."""
    return [f"    {line}" for line in lines]


class Statements(Expressions):
    """Writes statements that end, over the names of a scope."""

    def block(self, scope: Scope, size: int) -> list[str]:
        """A block of up to ``size`` statements."""
        inner = scope.inner()
        lines: list[str] = []
        for _ in range(self.rng.randint(1, size)):
            lines += self.statement(inner)
        return lines

    def statement(self, scope: Scope) -> list[str]:
        """One statement."""
        simple = [
            self.assign, self.assign, self.assign, self.update, self.mutate, self.mutate,
            self.attribute, self.attribute, self.call_, self.log, self.unpack, self.raise_,
            self.walrus, self.delete, self.alias, self.leave,
        ]  # fmt: skip
        compound = [
            self.if_, self.if_, self.if_, self.for_, self.for_, self.while_, self.try_, self.try_,
            self.with_, self.match_, self.nested,
        ]  # fmt: skip
        if scope.generator:
            simple += [self.yield_, self.yield_, self.yield_]
        if scope.depth >= 5 or self.rng.random() < 0.6:
            return self.rng.choice(simple)(scope)
        return self.rng.choice(compound)(scope)

    def assign(self, scope: Scope) -> list[str]:
        kind = self.rng.choice(["int", "int", "int", "bool", "list", "dict", "set", "str"])
        pool = scope.of(kind)
        name = self.rng.choice(pool) if pool and self.rng.random() < 0.8 else self.name("v")
        value = self.of(kind, scope)
        scope.add(kind, name)
        return [f"{name} = {value}"]

    def walrus(self, scope: Scope) -> list[str]:
        name = self.name("v")
        value = self.int_(scope, 1)
        body = self.log(scope)
        scope.add("int", name)
        return [f"if ({name} := {value}) > {self.rng.randint(0, 2)}:", *indented(body)]

    def alias(self, scope: Scope) -> list[str]:
        kind = self.rng.choice(["list", "dict", "set"])
        pool = scope.of(kind)
        if len(pool) < 2:
            return self.assign(scope)
        return [f"{self.rng.choice(pool)} = {self.rng.choice(pool)}"]

    def unpack(self, scope: Scope) -> list[str]:
        pool = scope.of("int")
        if len(pool) < 2:
            return self.assign(scope)
        a, b = self.rng.choice(pool), self.rng.choice(pool)
        rest = self.name("r")
        scope.add("list", rest)
        return [f"{a}, {b}, *{rest} = {self.int_(scope, 1)}, *{self.list_(scope, 0)}, 1"]

    def update(self, scope: Scope) -> list[str]:
        pool = scope.of("int")
        options: list[object] = []
        if pool:
            options.append(
                lambda: f"{self.rng.choice(pool)} {self.rng.choice('+-')}= {self.int_(scope, 1)}"
            )
        options += [f"{name} += {self.list_(scope, 1)}[:2]" for name in scope.of("list")[:2]]
        for name in scope.of("dict")[:2]:
            key = self.key()
            options += [f"{name}[{key}] = {name}.get({key}, 0) + {self.int_(scope, 1)}"]
        for name in scope.of("set")[:1]:
            options.append(f"{name} {self.rng.choice('|&-')}= {self.set_(scope, 0)}")
        return [str(self.pick(*options))] if options else self.assign(scope)

    def mutate(self, scope: Scope) -> list[str]:
        options: list[object] = []
        for name in scope.of("list"):
            options += [
                lambda name=name: f"{name}.append({self.int_(scope, 1)})",
                lambda name=name: f"{name}.extend(list({self.iterable(scope, 1)})[:2])",
                lambda name=name: f"{name} and {name}.pop()",
                lambda name=name: f"{name}.insert(0, {self.int_(scope, 0)})",
                f"{name}.clear()",
                f"{name}.sort()",
                f"{name}.reverse()",
                lambda name=name: f"{name}[0:1] = {self.list_(scope, 0)}",
            ]
        for name in scope.of("dict"):
            options += [
                lambda name=name: f"{name}[{self.key()}] = {self.int_(scope, 1)}",
                lambda name=name: f"{name}[{self.key()}] = {self.int_(scope, 1)}",
                lambda name=name: f"{name}.pop({self.key()}, None)",
                lambda name=name: f"{name}.setdefault({self.key()}, {self.int_(scope, 0)})",
                lambda name=name: f"{name}.update({self.dict_(scope, 1)})",
            ]
        for name in scope.of("set"):
            options += [
                lambda name=name: f"{name}.add({self.int_(scope, 1)})",
                lambda name=name: f"{name}.discard({self.int_(scope, 0)})",
            ]
        return [str(self.pick(*options))] if options else self.assign(scope)

    def attribute(self, scope: Scope) -> list[str]:
        if not self.classes:
            return self.assign(scope)
        cls = self.rng.choice(self.classes)
        names = scope.of(f"obj {cls.name}")
        if not names:
            name = self.name("o")
            value = self.obj_(scope, 0, cls)
            scope.add(f"obj {cls.name}", name)
            return [f"{name} = {value}"]
        base = self.rng.choice(names)
        fields = self.rng.choice([*cls.fields, "x", "y"])
        options: list[object] = [
            lambda: f"{base}.{fields} = {self.int_(scope, 1)}",
            lambda: f"{base}.{fields} = {self.int_(scope, 1)}",
            lambda: f"{base} = {self.obj_(scope, 0, cls)}",
            lambda: f'setattr({base}, "{self.rng.choice("xyz")}", {self.int_(scope, 0)})',
        ]
        if cls.fields:
            options.append(lambda: f"{base}.{self.rng.choice(cls.fields)} += 1")
        return [str(self.pick(*options))]

    def call_(self, scope: Scope) -> list[str]:
        return [self.int_(scope, 2)]

    def log(self, scope: Scope) -> list[str]:
        return [f"log.append({self.int_(scope, 1)})"]

    def raise_(self, scope: Scope) -> list[str]:
        if not scope.function and self.rng.random() < 0.7:
            return self.log(scope)
        error = self.rng.choice(ERRORS)
        lines = self.rng.choice([
            [f"if {self.bool_(scope, 1)}:", f'    raise {error}("m{self.rng.randint(0, 2)}")'],
            [f"if {self.bool_(scope, 1)}:", *indented(self.log(scope)), f"    fail({error})"],
            [f"if {self.bool_(scope, 1)}:", "    Gd[\"a\"] += 1", f"    fail({error})"],
            [f"assert {self.bool_(scope, 1)}"],
            ["risky(0)"],
            [f"{self.dict_(scope, 0)}[{self.key()}]"],
            [f"{self.list_(scope, 0)}[{self.rng.randint(0, 1)}]"],
        ])  # fmt: skip
        return list(lines)

    def delete(self, scope: Scope) -> list[str]:
        options = [f"{name}.pop({self.key()}, 0)" for name in scope.of("dict")]
        options += [f"del {name}[:1]" for name in scope.of("list")]
        return [self.rng.choice(options)] if options else self.assign(scope)

    def leave(self, scope: Scope) -> list[str]:
        """A guarded way out of the loop or function."""
        exits = []
        if scope.loop:
            exits += ["break", "continue", "continue"]
        if scope.function and not scope.generator:
            exits.append(f"return {self.int_(scope, 1)}")
        elif scope.generator:
            exits.append("return")
        if not exits:
            return self.assign(scope)
        return [f"if {self.bool_(scope, 1)}:", f"    {self.rng.choice(exits)}"]

    def yield_(self, scope: Scope) -> list[str]:
        if self.generators and self.rng.random() < 0.15:
            return [f"yield from {self.rng.choice(self.generators)}({self.int_(scope, 0)})"]
        return [f"yield {self.int_(scope, 1)}"]

    # -- compound ------------------------------------------------------------------------------

    def if_(self, scope: Scope) -> list[str]:
        lines = [f"if {self.bool_(scope, 2)}:", *indented(self.block(scope, 3))]
        if self.rng.random() < 0.3:
            lines += [f"elif {self.bool_(scope, 1)}:", *indented(self.block(scope, 2))]
        if self.rng.random() < 0.6:
            lines += ["else:", *indented(self.block(scope, 3))]
        return lines

    def for_(self, scope: Scope) -> list[str]:
        target = self.name("t")
        inner = scope.inner(loop=True)
        inner.add("int", target)
        source = self.iterable(scope, 1)
        if source in scope.of("list") or source.endswith(".values()"):
            source = f"list({source})"  # the body may change it
        header = f"for {target} in {source}:"
        roll = self.rng.random()
        if roll < 0.1:
            header = f"for {self.name('k')}, {target} in {self.dict_(scope, 0)}.copy().items():"
        elif roll < 0.2:
            header = f"for {self.name('k')}, {target} in enumerate({source}):"
        elif roll < 0.3:
            pair = self.rng.choice([(source, "(1, 2)"), ("(1, 2)", source)])
            header = f"for {self.name('k')}, {target} in zip({', '.join(pair)}):"
        elif roll < 0.35:
            header = f"for {target} in chain({source}, list({self.iterable(scope, 0)})):"
        elif roll < 0.4:
            header = f"for {target} in map(abs, {source}):"
        lines = [header, *indented(self.block(inner, 3))]
        if self.rng.random() < 0.25:
            lines += ["else:", *indented(self.block(scope, 2))]
        return lines

    def while_(self, scope: Scope) -> list[str]:
        fuel = self.name("n")
        inner = scope.inner(loop=True)
        test = self.rng.choice([f"{fuel} > 0", f"{fuel} > 0 and {self.bool_(scope, 1)}"])
        lines = [
            f"{fuel} = {self.rng.randint(1, 3)}",
            f"while {test}:",
            f"    {fuel} -= 1",
            *indented(self.block(inner, 3)),
        ]
        if self.rng.random() < 0.25:
            lines += ["else:", *indented(self.block(scope, 2))]
        return lines

    def try_(self, scope: Scope) -> list[str]:
        body = self.block(scope, 3)
        if self.rng.random() < 0.6:
            body += self.raise_(scope.inner(function=True))
            body += self.log(scope)
        lines = ["try:", *indented(body)]
        handlers = self.rng.randint(0, 2)
        for _ in range(handlers):
            error = self.rng.choice([*ERRORS, "Exception", "(KeyError, ValueError)"])
            lines.append(f"except {error}{self.rng.choice(['', ' as e'])}:")
            lines += indented(self.block(scope, 2))
            if self.rng.random() < 0.2:
                lines.append("    raise")
        if handlers and self.rng.random() < 0.3:
            lines += ["else:", *indented(self.block(scope, 2))]
        if not handlers or self.rng.random() < 0.3:
            inner = scope.inner(loop=False, function=False, generator=False)
            lines += ["finally:", *indented(self.block(inner, 2))]
            if scope.function and not scope.generator and self.rng.random() < 0.1:
                lines.append(f"    return {self.int_(scope, 0)}")
        return lines

    def with_(self, scope: Scope) -> list[str]:
        found = [c for c in self.classes if c.manager]
        options = [f"{m}({self.int_(scope, 0)})" for m in self.managers]
        options += [self.obj_(scope, 0, c) for c in found]
        if not options:
            return self.if_(scope)
        name = self.name("g")
        manager = self.rng.choice(options)
        inner = scope.inner()
        inner.add("int", name)
        body = self.block(inner, 3)
        if self.rng.random() < 0.3:
            body += self.raise_(inner.inner(function=True))
        return [f"with {manager} as {name}:", *indented(body)]

    def match_(self, scope: Scope) -> list[str]:
        name = self.name("v")
        cases = self.rng.sample(
            ["1", "0 | 2", "[a, *b]", "None", '"x" | "y"', "int()", "{1: z}", f"{name}"], 2
        )
        cases = [c for c in cases if c != name]
        lines = [f"match {self.rng.choice(['u1', 'u2', 'u4', self.int_(scope, 1), 'u3'])}:"]
        for case in cases:
            guard = f" if {self.bool_(scope, 0)}" if self.rng.random() < 0.3 else ""
            lines += [f"    case {case}{guard}:", *indented(indented(self.block(scope, 2)))]
        if self.rng.random() < 0.6 or len(lines) == 1:
            lines += ["    case _:", *indented(indented(self.block(scope, 2)))]
        return lines

    def nested(self, scope: Scope) -> list[str]:
        """A closure that may write to the names around it, and a call of it."""
        if not scope.function or scope.generator:
            return self.if_(scope)
        name = self.name("h")
        inner = scope.inner(loop=False, generator=False)
        outer = [n for n in scope.of("int") if n.startswith(("p", "v"))][:1]
        bound = sorted({n for names in inner.names.values() for n in names})
        body = [f"nonlocal {outer[0]}", f"{outer[0]} = {self.int_(scope, 1)}"] if outer else []
        if outer:
            body += [f"log.append({self.int_(scope, 1)})"]
        body += [f"return {self.int_(scope, 1)}"]
        body = [line for line in body if "w0 :=" not in line] or ["return 1"]
        del bound
        lines = [f"def {name}(q={self.int_(scope, 0)}):", *indented(body)]
        used = self.rng.choice([f"log.append({name}())", f"{name}({self.int_(scope, 0)})",
                                f"log.extend(map({name}, {self.list_(scope, 0)}))"])  # fmt: skip
        return [*lines, used]
