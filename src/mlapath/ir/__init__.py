"""Source text to IR: nodes, lowering from libcst, codec."""
