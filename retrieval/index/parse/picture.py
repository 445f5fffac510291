"""A picture is what can be read on it and, where a model sees, what it shows."""

from pathlib import PurePosixPath

from retrieval.errors import Unreadable
from retrieval.index.parse.parsed import Parsed, Reading


def parse(data: bytes, reading: Reading) -> Parsed:
    """Raises Unreadable when nothing here reads pictures, or nothing is to be read on it."""
    if reading.see is None:
        raise Unreadable("nothing here reads pictures")
    name = PurePosixPath(reading.name).stem
    block = reading.see(data, name)
    if block is None:
        raise Unreadable("nothing is to be read on the picture")
    return Parsed((block,), title=name)
