"""The abstract interpreter: it knows Python, not vLLM."""
