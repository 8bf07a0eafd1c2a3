"""The call-and-branch graph of a trace."""
