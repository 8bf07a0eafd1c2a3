"""Nothing that a value rests on is dropped."""

from mlapath.values.origin import ancestors
from support.differential import evaluate


def test_what_is_returned_rests_on_every_guard_that_was_passed():
    asked = [f"A{i}" for i in range(30)]
    skipped = "".join(
        f"    if os.environ.get('{name}') == 'x':\n        y = 1\n" for name in asked
    )
    run = evaluate(f"import os\ndef f():\n    y = 0\n{skipped}    return y\nfound = f()\n")
    labels = {origin.label for origin in ancestors(run.value("found").o)}
    assert {f"env:{name}" for name in asked} <= labels
