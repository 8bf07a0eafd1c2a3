from mlapath.ir import codec, nodes
from mlapath.ir.lower import lower_module
from mlapath.ir.walk import walk


def test_every_node_is_found_also_in_stored_bodies() -> None:
    lowered = lower_module("def f():\n    def g():\n        return [h(1)]\n    return g\n", "p.py")
    kinds = [type(node) for node in walk(lowered)]
    assert kinds == [type(node) for node in walk(codec.decode(codec.encode(lowered)))]
    assert kinds[0] is nodes.ModuleIR
    assert kinds.count(nodes.FunctionDef) == 2
    assert nodes.Call in kinds
