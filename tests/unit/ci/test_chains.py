from mlapath.ci.chains import Weight, align, first_cause, is_edit, sentence
from mlapath.ci.snapshot import Step

CONFIG = Step("config", "index_topk=2048")
READ = Step("assign", "self.is_v32 = hasattr(config, 'index_topk')", "True")
SPARSE = Step("assign", "sparse = isinstance(impl, Sparse)", "True")
GUARD = Step("guard", "sparse", "True")
ZERO = Step("assign", "n = 0", "0")
COUNT = Step("guard", "n > 0", "False")
OPEN = Step("guard", "n > 0", "unknown until the step")
END = Step("no_call", "the call is not made")
CALL = Step("call", "impl.forward_mha(q)")
OLD = (CONFIG, READ, SPARSE, GUARD, ZERO, COUNT, END)


def test_equal_chains_have_no_cause():
    assert first_cause(align(OLD, OLD)) is None


def test_steps_that_vanish():
    rows = align(OLD, (CONFIG, READ, OPEN, CALL))
    assert [(row.old, row.new) for row in rows] == [
        (0, 0), (1, 1), (2, None), (3, None), (4, None), (5, 2), (6, None), (None, 3),
    ]  # fmt: skip
    assert sentence(first_cause(rows)) == f"no longer on the way: {SPARSE}"


def test_a_value_that_differs():
    rows = align(OLD, (CONFIG, READ._replace(value="False"), GUARD._replace(value="False")))
    cause = first_cause(rows)
    assert sentence(cause) == f"{READ.text}: was True, is False"
    assert not is_edit(cause)


def test_an_edit_is_named_as_one():
    edited = SPARSE._replace(text="sparse = False", value="False")
    rows = align((SPARSE, GUARD), (edited, GUARD._replace(value="False")), *_trees())
    cause = first_cause(rows)
    assert is_edit(cause)
    assert sentence(cause) == f"was: {SPARSE}; is: {edited}"


def _trees():
    return (lambda step: step.text != "sparse = False", lambda step: step.text != SPARSE.text)


def test_other_words_for_the_same_value_are_the_last_resort():
    other = READ._replace(text="self.is_v32 = bool(topk)")
    rows = align((CONFIG, READ, GUARD), (CONFIG, other, GUARD._replace(value="False")))
    assert [row.weight for row in rows] == [Weight.SAME, Weight.REWORDED, Weight.DIFFERENT]
    assert sentence(first_cause(rows)) == "sparse: was True, is False"
    assert first_cause(align((READ,), (other,))).weight is Weight.REWORDED


def test_a_step_that_hands_a_value_on_is_no_cause():
    passing = Step("return", "return self._flag", "True")
    rows = align((READ, COUNT), (READ, passing, OPEN))
    assert sentence(first_cause(rows)) == "n > 0: was False, is unknown until the step"


def test_what_follows_from_an_edit_elsewhere_is_not_an_edit():
    new = Step("guard", "m > 0", "unknown")
    (row,) = align((), (new,), old_has=lambda _step: True)
    assert row.edited is False
    (row,) = align((), (new,))
    assert row.edited is None
    (row,) = align((), (new,), old_has=lambda _step: False)
    assert row.edited is True
    assert sentence(row) == "new on the way: m > 0 → unknown"


def test_a_given_fact_that_differs_is_a_cause_of_its_own():
    rows = align((CONFIG,), (Step("config", "index_topk=2048", "1"),))
    assert is_edit(first_cause(rows))


def test_of_edits_that_are_apart_the_one_that_decides_counts():
    old = (
        CONFIG,
        Step("assign", "fp8 = kind == 'x'", "False"),
        Step("guard", "fp8", "False"),
        Step("assign", "sparse = isinstance(impl, S)", "True"),
        Step("guard", "sparse", "True"),
    )
    kept = {"fp8"}
    rows = align(old, (CONFIG, Step("guard", "n > 0", "unknown")),
                 old_has=lambda _step: 1, new_has=lambda step: int(step.text in kept))  # fmt: skip
    cause = first_cause(rows)
    assert cause is not None
    assert cause.before == old[3]
