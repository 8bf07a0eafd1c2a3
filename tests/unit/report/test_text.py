import pytest

from mlapath.report.blocks import Cell, Fact, Headline, Table, Tone
from mlapath.report.text import print_blocks, render_text
from support import samples
from support.consoles import console, written
from support.golden import check_golden

REPORTS = samples.all_reports()


def text_of(reports, *, width=100, verbosity=0, **options):
    made = console(width, **options)
    render_text(reports, made, verbosity)
    return written(made)


@pytest.mark.parametrize("name", sorted(REPORTS))
def test_golden(name):
    check_golden(f"report/{name}.txt", text_of([REPORTS[name]]))


@pytest.mark.parametrize("name", sorted(REPORTS))
def test_golden_verbose(name):
    check_golden(f"report/{name}.verbose.txt", text_of([REPORTS[name]], verbosity=1))


def test_golden_quiet_narrow_and_coloured():
    check_golden("report/sparse.quiet.txt", text_of([REPORTS["sparse"]], verbosity=-1))
    check_golden("report/sparse.narrow.txt", text_of([REPORTS["sparse"]], width=40))
    check_golden("report/sparse.ansi", text_of([REPORTS["sparse"]], terminal=True))


def test_golden_table():
    check_golden("report/several.txt", text_of(list(REPORTS.values())))
    check_golden("report/several.narrow.txt", text_of(list(REPORTS.values()), width=50))


@pytest.mark.parametrize("width", [20, 40, 59, 60, 80, 200])
@pytest.mark.parametrize("name", sorted(REPORTS))
def test_every_width_holds_and_no_line_has_trailing_space(name, width):
    for line in text_of([REPORTS[name]], width=width, verbosity=1).splitlines():
        assert len(line) <= max(width, 28)
        assert line == line.rstrip()


def test_in_a_pipe_nothing_wraps():
    text = text_of([REPORTS["sparse"]], width=10_000, verbosity=1)
    name = f"{samples.OWN_CLASS.rpartition('.')[0]}.MLACommonImpl.forward_mha"
    assert f"  function          {name}  {samples.LAYER}:2365" in text.splitlines()
    assert "\x1b" not in text


@pytest.mark.parametrize("verbosity", [0, 1])
def test_hostile_text_cannot_reach_the_terminal(verbosity):
    for reports in ([REPORTS["unproven"]], [REPORTS["unproven"], REPORTS["plain"]]):
        text = text_of(reports, verbosity=verbosity)
        assert not any(c in text for c in "\x1b\r\u202e")
        assert "[bold]z" in text


def test_a_stream_of_ascii_gets_ascii():
    text = text_of([REPORTS["sparse"]], encoding="ascii")
    assert "16 -> 64: FLASHMLA_SPARSE" in text
    assert "(...)" in text


def test_an_old_code_page_keeps_what_it_can():
    made = console(encoding="cp1252")
    print_blocks([Fact("name", "→ é 中")], made)
    assert written(made).strip() == "name              -> é \\u4e2d"


def test_verbose_shows_several_in_full():
    text = text_of([REPORTS["sparse"], REPORTS["dense"]], verbosity=1)
    assert text.count("rests on") == 1
    assert text.count("call site") == 3


def test_answers_stand_together_and_parts_apart():
    made = console()
    answers = [Headline(name, "NEVER", Tone.BAD) for name in ("a", "b")]
    print_blocks([*answers, Table(("x",), ((Cell("1"),),))], made)
    assert written(made) == "a NEVER\nb NEVER\n\nx\n1\n"
