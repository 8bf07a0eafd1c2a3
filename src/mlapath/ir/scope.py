"""Which names a function body binds, collected while its statements are lowered."""

from __future__ import annotations

from dataclasses import dataclass, field

from mlapath.ir import nodes as ir


@dataclass
class ScopeBuilder:
    """Names bound so far in one scope; comprehension targets never come here."""

    bound: set[str] = field(default_factory=set)
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)
    is_generator: bool = False

    def bind_target(self, target: ir.Expr) -> None:
        """Bind the names of an assignment, ``for``, ``with`` or ``del`` target."""
        kind = type(target)
        if kind is ir.Name:
            self.bound.add(target.id)  # type: ignore[union-attr]
        elif isinstance(target, (ir.Tuple, ir.List)):
            for elt in target.elts:
                self.bind_target(elt)
        elif isinstance(target, ir.Starred):
            self.bind_target(target.value)

    def bind_params(self, params: ir.Params) -> None:
        """Bind every parameter's name."""
        for group in (params.posonly, params.args, params.kwonly):
            self.bound.update(param.name for param in group)
        for param in (params.vararg, params.kwarg):
            if param is not None:
                self.bound.add(param.name)

    def bind_alias(self, alias: ir.Alias) -> None:
        """Bind what one import alias binds: ``import a.b`` binds ``a``; ``*`` nothing."""
        if alias.asname is not None:
            self.bound.add(alias.asname)
        elif alias.name != "*":
            self.bound.add(alias.name.partition(".")[0])

    def finish(self) -> ir.Scope:
        """The finished scope: names declared global or nonlocal are not ``bound``."""
        declared = self.globals | self.nonlocals
        return ir.Scope(
            tuple(sorted(self.bound - declared)),
            tuple(sorted(self.globals)),
            tuple(sorted(self.nonlocals)),
            self.is_generator,
        )
