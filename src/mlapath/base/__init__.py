"""Shared ground: errors, exit codes. Imports nothing of mlapath."""
