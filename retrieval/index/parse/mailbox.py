"""A mailbox file (mbox): each message as a file of its own, under its subject."""

import email
import email.policy
import re
from collections.abc import Iterator

from retrieval.errors import Unreadable
from retrieval.index.parse.nested import read_nested
from retrieval.index.parse.parsed import Outline, Parsed, Reading

_START = re.compile(rb"^From \S+.*\d{4}.*\n", re.MULTILINE)


def parse(data: bytes, reading: Reading) -> Parsed:
    """Raises Unreadable for what is no mailbox."""
    text = data.replace(b"\r\n", b"\n")
    if not _START.match(text):
        raise Unreadable("it is no mailbox file")
    outline = Outline()
    read_nested(_messages(text, reading), outline, reading)
    return Parsed(tuple(outline.blocks), notes=tuple(outline.notes))


def _messages(text: bytes, reading: Reading) -> Iterator[tuple[str, bytes]]:
    parts = [part for part in _START.split(text) if part.strip()]
    for number, part in enumerate(parts[: reading.limits.members], 1):
        message = re.sub(rb"^>(>*From )", rb"\1", part, flags=re.MULTILINE)
        told = email.message_from_bytes(message, policy=email.policy.compat32).get("Subject", "")
        yield f"Message {number}{': ' if told else ''}{' '.join(str(told).split())}.eml", message
