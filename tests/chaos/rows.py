"""Ties a test to a row of the table of failures in docs/operations.md."""

from collections.abc import Callable
from typing import TypeVar

Test = TypeVar("Test", bound=Callable[..., None])


def row(*what: str) -> Callable[[Test], Test]:
    """What fails, in the words of the table's first column."""
    return lambda test: test
