import pytest

from mlapath.report.text import print_blocks
from mlapath.report.tree_document import tree_blocks
from support import samples
from support.consoles import console, written
from support.golden import check_golden


@pytest.mark.parametrize(("verbosity", "name"), [(0, "tree.txt"), (1, "tree.verbose.txt")])
def test_golden(verbosity, name):
    made = console()
    print_blocks(tree_blocks(samples.tree(), verbosity), made)
    check_golden(f"report/{name}", written(made))
