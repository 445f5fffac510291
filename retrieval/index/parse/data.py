"""JSON, YAML and notebooks: lists of records as tables, the rest as code, notebooks cell by cell."""

import json
from typing import Any, cast

import yaml

from retrieval.errors import Unreadable
from retrieval.index.parse.markdown import read_markdown
from retrieval.index.parse.parsed import Outline, Parsed, Reading, Rows
from retrieval.index.parse.text import decode_within

_DEPTH = 3


def parse(data: bytes, reading: Reading) -> Parsed:
    decoded = decode_within(data, reading)
    outline = Outline(notes=list(decoded.notes))
    is_json = reading.name.lower().endswith((".json", ".ipynb", ".geojson"))
    try:
        value: Any = _loaded(decoded.text) if is_json else list(yaml.safe_load_all(decoded.text))
    except (ValueError, yaml.YAMLError, RecursionError):
        outline.notes.append("it is malformed and was read as text")
        outline.code(decoded.text)
        return Parsed(tuple(outline.blocks), notes=tuple(outline.notes))
    if isinstance(value, dict) and "cells" in value and "nbformat" in value:
        _read_notebook(cast(dict[str, Any], value), outline)
    elif is_json:
        _read_value(value, (), outline)
    else:
        outline.code(decoded.text, "yaml")
    return Parsed(tuple(outline.blocks), notes=tuple(outline.notes))


def _loaded(text: str) -> Any:
    """JSON; the list of values where a file has one a line."""
    try:
        return json.loads(text)
    except ValueError:
        return [json.loads(line) for line in text.splitlines() if line.strip()]


def _read_value(value: Any, path: tuple[str, ...], outline: Outline) -> None:
    rows = _records(value)
    if rows:
        outline.table(rows, ".".join(path))
    elif isinstance(value, dict) and len(path) < _DEPTH and _is_large(value):
        for key, inner in cast(dict[str, Any], value).items():
            outline.heading(key, len(path) + 1)
            _read_value(inner, (*path, key), outline)
    else:
        outline.code(json.dumps(value, ensure_ascii=False, indent=2), "json")


def _is_large(value: Any) -> bool:
    return len(json.dumps(value, ensure_ascii=False)) > 1_000


def _records(value: Any) -> Rows:
    """A list of flat objects as rows under their keys; nothing when it is something else."""
    if not isinstance(value, list) or len(cast(list[Any], value)) < 2:
        return ()
    items = cast(list[Any], value)
    if not all(isinstance(item, dict) for item in items):
        return ()
    records = cast(list[dict[str, Any]], items)
    if any(isinstance(cell, dict | list) for record in records for cell in record.values()):
        return ()
    keys = list(dict.fromkeys(key for record in records for key in record))
    return (tuple(keys), *(tuple(_cell(record.get(key)) for key in keys) for record in records))


def _cell(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


def _read_notebook(notebook: dict[str, Any], outline: Outline) -> None:
    metadata = notebook.get("metadata", {})
    language = metadata.get("kernelspec", {}).get("language") or "python"
    for cell in notebook["cells"]:
        if not isinstance(cell, dict):
            raise Unreadable("it is no readable notebook")
        known = cast(dict[str, Any], cell)
        source = known.get("source", "")
        text = "".join(cast(list[str], source)) if isinstance(source, list) else str(source)
        if known.get("cell_type") == "code":
            outline.code(text, language)
        else:
            read_markdown(text, outline)
