"""The evaluator against CPython: random programs, and the properties that must hold of them."""
