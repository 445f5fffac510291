"""JSON as it comes from outside: its type, and narrowing that a type checker believes."""

from typing import Any, cast

Json = dict[str, Any]


def as_object(value: Any) -> Json | None:
    """`value` if it is a JSON object."""
    return cast(Json, value) if isinstance(value, dict) else None


def as_list(value: Any) -> list[Any] | None:
    """`value` if it is a JSON array."""
    return cast("list[Any]", value) if isinstance(value, list) else None


def objects(value: Any) -> list[Json]:
    """The JSON objects in an array; none if it is no array."""
    return [found for item in as_list(value) or [] if (found := as_object(item)) is not None]


def text_of(value: Any) -> str | None:
    """A string, or the text of a text object; None for anything else."""
    if isinstance(value, str):
        return value
    found = as_object(value)
    return str(found["text"]) if found and "text" in found else None
