"""From the bytes of a source to passages in the index."""
