"""Classes inside torch that the program derives from or checks for, otherwise opaque."""

from __future__ import annotations

from mlapath.models.api import Factory, make_class
from mlapath.models.support import opaque_class
from mlapath.values.value import V

CLASSES = (
    "torch._dynamo.aot_compile.SerializableCallable", "torch.fx.GraphModule", "torch.fx.Node",
    "torch.fx.Graph", "torch.fx.Interpreter", "torch.fx.Proxy", "torch.fx.Tracer",
    "torch.fx.passes.split_module.Partition",
    "torch._inductor.pattern_matcher.PatternMatcherPass",
    "torch._subclasses.fake_tensor.FakeTensor", "torch._inductor.codecache.FxGraphHashDetails",
    "torch._dynamo.repro.after_aot.InputReader", "torch.fx.passes.shape_prop.ShapeProp",
    "torch.utils.data.Dataset", "torch.utils.data.IterableDataset", "torch.utils.data.DataLoader",
    "torch.fx._graph_pickler.GraphPickler", "torch.fx._graph_pickler.Options",
    "torch._guards.TracingContext", "torch._inductor.output_code.CompiledFxGraph",
)  # fmt: skip
EMPTY = (
    "torch._opaque_base.OpaqueBase", "torch._inductor.custom_graph_pass.CustomGraphPass",
    "torch._inductor.custom_graph_pass.CustomInferenceAwareGraphPass",
    "torch._inductor.custom_graph_pass.CustomPartitionerFn",
)  # fmt: skip
"""Bases without attributes of their own that a subclass would see."""


def _empty(full: str) -> Factory:
    return lambda it: V(make_class(it, full))


VALUES: dict[str, Factory] = {
    **{name: _empty(name) for name in EMPTY},
    **{name: opaque_class(name, facts={"truthy": True}) for name in CLASSES},
}
ALIASES = {
    "torch.fx.graph_module.GraphModule": "torch.fx.GraphModule",
    "torch.fx.node.Node": "torch.fx.Node", "torch.fx.graph.Graph": "torch.fx.Graph",
}  # fmt: skip
