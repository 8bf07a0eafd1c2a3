"""From names to files: the modules of a program."""
