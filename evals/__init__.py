"""Measures quality and speed on public sets and on our own cases."""
