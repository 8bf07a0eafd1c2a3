from support.differential import assert_same, evaluate
from support.unknowns import with_unknown


def test_loggers_are_the_same_for_the_same_name():
    assert_same(
        """
        import logging
        from logging import getLogger, Logger
        a = getLogger("a.b")
        r = [a is getLogger("a.b"), a is getLogger("a"), a.name, isinstance(a, Logger), bool(a),
             a.info("x %s", 1), a.warning("y"), a.exception("z"), getLogger().name,
             logging.root is getLogger(), a.getChild("c") is getLogger("a.b.c"),
             logging.disable(1), logging.disable(0)]
        """,
        "r",
    )


def test_levels():
    assert_same(
        """
        import logging
        a = logging.getLogger("levels")
        a.setLevel(logging.DEBUG)
        r = [logging.INFO, logging.getLevelName(40), logging.getLevelName("DEBUG"), a.level,
             logging._nameToLevel["WARN"]]
        """,
        "r",
    )


def test_what_depends_on_the_setup_is_not_known():
    run = evaluate(
        """
        import logging, logging.config
        logging.config.dictConfig({"version": 1})
        a = logging.getLogger("a")
        enabled, level = a.isEnabledFor(logging.DEBUG), a.getEffectiveLevel()
        handlers = len(a.handlers)
        other = a.parent
        """
    )
    assert run.unknown("enabled").hint == "bool"
    assert run.unknown("level").lo == 0
    run.unknown("handlers")
    run.unknown("other")


def test_classes_to_derive_from():
    assert_same(
        """
        import logging
        class Plain(logging.Formatter):
            def __init__(self, fmt, datefmt=None, style="%"):
                super().__init__(fmt, datefmt, style)
                self.mine = fmt
        class Quiet(logging.Handler):
            def emit(self, record): pass
        class Never(logging.Filter):
            def filter(self, record): return False
        class Loud(logging.Logger):
            def info_once(self, text): return text
        f, h, l = Plain("%(message)s"), Quiet(), Loud("loud")
        h.setFormatter(f)
        h.addFilter(Never())
        s = logging.StreamHandler()
        r = [f.mine, l.name, l.info_once("x"), isinstance(h, logging.Handler),
             isinstance(s, logging.Handler), issubclass(logging.FileHandler,
             logging.StreamHandler)]
        """,
        "r",
    )


def test_a_logger_first_asked_for_in_an_alternative_keeps_what_is_set_apart():
    run = with_unknown(
        """
        import logging
        if u:
            logging.getLogger("fresh").mark = 1
        else:
            logging.getLogger("fresh").mark = 2
        r = logging.getLogger("fresh").mark
        """
    )
    assert {o.d for o in run.value("r").d.options} == {1, 2}
