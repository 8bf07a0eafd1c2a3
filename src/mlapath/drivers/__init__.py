"""The programs that drive vLLM: what a server runs, written for the evaluator."""
