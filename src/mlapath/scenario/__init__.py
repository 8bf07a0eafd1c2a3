"""What the user says about a deployment, read and checked: nothing here knows vLLM's code."""
