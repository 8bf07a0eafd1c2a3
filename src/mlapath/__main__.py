"""Run the command line as ``python -m mlapath``."""

import sys

from mlapath.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
