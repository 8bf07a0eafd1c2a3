"""The lowering by way of CPython's own parser, for all that the running Python can read."""
