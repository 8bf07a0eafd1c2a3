"""Use cases: each command's work, from its request to its findings."""
