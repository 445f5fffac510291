"""Other people's retrieval on our sets. `stores` and `ask` run in an environment of their own."""
