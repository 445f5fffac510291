"""CSV and TSV: the delimiter is found by its regularity; the text stays as it was written."""

import csv
import io
from collections import Counter
from collections.abc import Iterator

from retrieval.errors import Unreadable
from retrieval.index.decode import decode
from retrieval.index.parse.parsed import Limits, Outline, Parsed, Reading, Rows

_DELIMITERS = (",", ";", "\t", "|")
_KEPT_TEXT = 200_000


def parse(data: bytes, reading: Reading) -> Parsed:
    """Rows beyond the limits are left out and noted."""
    limits, notes = reading.limits, list[str]()
    if len(data) > limits.text_bytes:
        data = data[: data.rfind(b"\n", 0, limits.text_bytes) + 1] or data[: limits.text_bytes]
        notes.append(f"only the first {limits.text_bytes >> 20} MB were read")
    decoded = decode(data, reading.declared)
    delimiter = find_delimiter(decoded.text)
    rows = _rows(decoded.text, delimiter, limits, notes)
    outline = Outline()
    short = decoded.text.strip() if len(decoded.text) < _KEPT_TEXT else ""
    if max(map(len, rows), default=0) > 1:
        outline.table(rows, text=short)
    else:
        outline.paragraph(decoded.text)
    return Parsed(tuple(outline.blocks), notes=(*decoded.notes, *notes))


def find_delimiter(text: str) -> str:
    """The delimiter that cuts most of the first lines into the same number of cells, at best many."""
    head = "\n".join(text.split("\n", 50)[:50])

    def regularity(delimiter: str) -> tuple[float, int]:
        widths = Counter(len(row) for row in csv.reader(io.StringIO(head), delimiter=delimiter) if row)
        width, count = max(widths.items(), key=lambda found: (found[1], found[0]), default=(1, 0))
        return (count / max(widths.total(), 1) if width > 1 else 0.0), width

    return max(_DELIMITERS, key=regularity)


def _rows(text: str, delimiter: str, limits: Limits, notes: list[str]) -> Rows:
    rows: list[tuple[str, ...]] = []
    cells = 0
    try:
        for row in _reader(text, delimiter, limits):
            cells += len(row)
            if cells > limits.cells:
                notes.append(f"only the first {len(rows)} rows were read")
                break
            if any(cell.strip() for cell in row):
                rows.append(tuple(cell.strip() for cell in row))
    except csv.Error as error:
        raise Unreadable(f"it is no readable table: {error}") from error
    return tuple(rows)


def _reader(text: str, delimiter: str, limits: Limits) -> Iterator[list[str]]:
    csv.field_size_limit(max(csv.field_size_limit(), limits.cell_chars * 50))
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
