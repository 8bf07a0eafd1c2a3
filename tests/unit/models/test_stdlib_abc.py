import pytest

from support.differential import assert_same


@pytest.mark.parametrize("header", ["(abc.ABC)", "(metaclass=abc.ABCMeta)"])
def test_abstract_methods_hold_instances_back(header):
    assert_same(
        f"""
        import abc
        class A{header}:
            @abc.abstractmethod
            def f(self): ...
            @property
            @abc.abstractmethod
            def p(self): ...
            @classmethod
            @abc.abstractmethod
            def c(cls): ...
            @staticmethod
            @abc.abstractmethod
            def s(): ...
        class B(A):
            def f(self): return 1
            p = 2
            @classmethod
            def c(cls): return cls.__name__
        class C(B):
            @staticmethod
            def s(): return 4
        r = []
        for cls in (A, B, C):
            try:
                cls()
                r.append(cls.__name__)
            except TypeError as error:
                r.append("refused")
        r += [C().f(), C().p, C.c(), C.s(), sorted(B.__abstractmethods__)]
        r += [A.f.__isabstractmethod__, hasattr(C.f, "__isabstractmethod__")]
        r += [type(A) is abc.ABCMeta, isinstance(C(), A), issubclass(B, A)]
        """,
        "r",
    )


def test_virtual_subclasses():
    assert_same(
        """
        import abc
        class A(abc.ABC): pass
        class B: pass
        before = isinstance(B(), A)
        A.register(B)
        class C(B): pass
        r = [before, isinstance(B(), A), issubclass(C, A), isinstance(1, A)]
        """,
        "r",
    )


def test_a_class_without_the_metaclass_is_not_held_back():
    assert_same(
        """
        from abc import abstractmethod
        class A:
            @abstractmethod
            def f(self): return 1
        r = A().f()
        """,
        "r",
    )
