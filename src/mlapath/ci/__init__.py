"""Gates: what passes and what fails a build."""
