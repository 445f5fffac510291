"""Files within files (attachments, members of archives), no deeper and no more than the limits say."""

from collections.abc import Iterable
from dataclasses import replace

from retrieval.errors import Unreadable
from retrieval.index.parse import parse_with
from retrieval.index.parse.parsed import Outline, Reading


def read_nested(files: Iterable[tuple[str, bytes]], outline: Outline, reading: Reading) -> None:
    """Add each file's blocks below its name; one that cannot be read is noted and leaves its name."""
    if reading.depth >= reading.limits.depth:
        outline.notes.append("files nested deeper were not read")
        return
    for name, data in files:
        try:
            parsed = parse_with(data, replace(reading, name=name, depth=reading.depth + 1, declared=""))
        except Unreadable as error:
            outline.heading(name, 1)
            outline.notes.append(f"{name} was not read: {error}")
            continue
        outline.extend(parsed.blocks, name)
        outline.notes.extend(f"{name}: {note}" for note in parsed.notes)
