"""Summaries of code that is not in the tree, one library a file."""
