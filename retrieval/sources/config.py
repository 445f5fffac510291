"""sources.toml: one `[[source]]` a source. What is wrong is said with the file's line."""

import re
import tomllib
from pathlib import Path
from typing import Any

from retrieval.errors import Permanent
from retrieval.sources.spec import SourceSpec, read_spec


def read_sources(path: Path) -> tuple[SourceSpec, ...]:
    """The sources of a file; none when there is no such file. Raises Permanent naming file, line and key."""
    if not path.exists():
        return ()
    text = path.read_text("utf-8")
    tables = _tables(text, path)
    specs: list[SourceSpec] = []
    for at, values in enumerate(tables):
        try:
            spec = read_spec(values)
        except Permanent as error:
            raise Permanent(f"{path}:{_line(text, at, str(error).partition(':')[0])}: {error}") from error
        if any(other.name == spec.name for other in specs):
            raise Permanent(f"{path}:{_line(text, at, 'name')}: name: there are two sources {spec.name!r}")
        specs.append(spec)
    return tuple(specs)


def _tables(text: str, path: Path) -> list[dict[str, Any]]:
    try:
        whole = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        raise Permanent(f"{path}:{found[1] if found else '?'}: {error}") from error
    for key in whole:
        if key != "source":
            raise Permanent(f"{path}:{_first_line(text, key)}: {key}: only [[source]] tables belong here")
    return list(whole.get("source", []))


def _line(text: str, table: int, key: str) -> int:
    """The line of `key` in the n-th `[[source]]`, or that of the table itself where the key is missing."""
    starts = [at for at, line in enumerate(text.split("\n"), 1) if re.match(r"\s*\[\[\s*source\s*\]\]", line)]
    start = starts[table] if table < len(starts) else 1
    end = starts[table + 1] if table + 1 < len(starts) else len(text) + 1
    for at, line in enumerate(text.split("\n"), 1):
        if start < at < end and re.match(rf"\s*\"?{re.escape(key.partition('.')[0])}\"?\s*[=.]", line):
            return at
    return start


def _first_line(text: str, key: str) -> int:
    found = re.search(rf"^\s*\[*\s*\"?{re.escape(key)}\b", text, re.MULTILINE)
    return text.count("\n", 0, found.start() + 1) + 1 if found else 1
