"""Shows earlier answers again: by the same words, by the same meaning, or not at all."""
