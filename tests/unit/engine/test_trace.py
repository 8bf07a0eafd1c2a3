from mlapath.values.truth import Truth
from support.differential import FakeFacts, evaluate


def test_functions_inside_containers_escape_to_code_that_is_not_looked_into():
    run = evaluate(
        """
        import some_lib
        class A:
            def method(self): pass
        def f(): pass
        def g(): pass
        def kept(): pass
        some_lib.register([f], {"k": g}, A().method)
        """,
        FakeFacts(modules={"some_lib": Truth.TRUE}),
    )
    assert run.engine.trace.escaped == {"subject.f", "subject.g", "subject.A.method"}
