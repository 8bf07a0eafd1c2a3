"""Values: what the evaluator knows, with provenance. Pure: no I/O, no libcst, no vLLM."""
