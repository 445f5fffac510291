"""Any file to blocks: the format is known by its bytes first, by its name second.

A parser is `(data, reading) -> Parsed`; each lives in its own module, imported when first needed.
"""

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module

from retrieval.errors import Permanent, Transient, Unreadable
from retrieval.index.parse.detect import format_of
from retrieval.index.parse.figures import with_figures
from retrieval.index.parse.parsed import Beside, Limits, Parsed, Reading, nothing_beside
from retrieval.ports import See

Parser = Callable[[bytes, Reading], Parsed]

_IN_OTHER_MODULES = {"msg": ("mail", "parse_msg")}

__all__ = ["Beside", "Limits", "Parsed", "Reading", "nothing_beside", "parse", "parse_with"]


def parse(
    data: bytes,
    name: str,
    *,
    limits: Limits = Limits(),
    see: See | None = None,
    declared: str = "",
    beside: Beside = nothing_beside,
) -> Parsed:
    """Parse one file. `name` is its file name, `declared` the charset that its sender named.

    `beside` fetches what the file refers to by a relative address, such as its pictures.

    Raises Unreadable with the reason for people: empty, locked, damaged, too large, no known format.
    """
    return parse_with(data, Reading(name, limits, see, declared, beside=beside))


def parse_with(data: bytes, reading: Reading) -> Parsed:
    """As `parse`, for parsers that meet files within files."""
    if len(data) > reading.limits.file_bytes:
        raise Unreadable(f"it has {len(data) >> 20} MB; the limit is {reading.limits.file_bytes >> 20} MB")
    if not data.strip(b"\x00 \t\r\n"):
        raise Unreadable("it is empty")
    parser = _parser(format_of(data, reading.name))
    try:
        parsed = parser(data, reading)
    except (Unreadable, Transient, Permanent):
        raise
    except Exception as error:  # parsers meet anything; whatever one cannot bear is a fault of the file
        raise Unreadable(f"its parser failed: {type(error).__name__}") from error
    blocks = with_figures(parsed.blocks)
    if not any(block.text.strip() for block in blocks):
        raise Unreadable("no text was found in it")
    return replace(parsed, blocks=blocks)


def _parser(kind: str) -> Parser:
    module, name = _IN_OTHER_MODULES.get(kind, (kind, "parse"))
    parser: Parser = getattr(import_module(f"retrieval.index.parse.{module}"), name)
    return parser
