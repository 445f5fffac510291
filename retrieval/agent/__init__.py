"""The road of questions that need several steps: a model plans and calls tools, within a budget."""
