"""The command line: options in, a use case called, a renderer chosen, an exit code out."""
