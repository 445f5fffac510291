"""Where knowledge lies: each kind of place is one `Source`."""
