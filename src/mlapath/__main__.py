"""Run the command line as ``python -m mlapath``."""

from mlapath.cli.main import entry

if __name__ == "__main__":
    entry()
