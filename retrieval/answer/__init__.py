"""From evidence to a checked answer with citations."""
