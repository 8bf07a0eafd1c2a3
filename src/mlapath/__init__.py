"""mlapath: which attention path will this vLLM deployment take, and why."""

__version__ = "0.1.0"
