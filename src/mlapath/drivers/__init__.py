"""How vLLM is driven: Python source that the evaluator runs (never CPython), in the order in
which a deployment starts and serves. It calls vLLM's own functions by name.

The files end in ``.pysrc`` so that no tool takes them for modules of mlapath.
"""
