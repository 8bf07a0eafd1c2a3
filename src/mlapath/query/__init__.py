"""Questions to the graph: verdicts, evidence, proofs."""
