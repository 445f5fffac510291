"""Turns what the Weaviate client raises into Transient or Permanent. Messages carry no document text."""

from collections.abc import Generator
from contextlib import contextmanager

import httpx
from weaviate.exceptions import (
    UnexpectedStatusCodeError,
    WeaviateBaseError,
    WeaviateBatchError,
    WeaviateConnectionError,
    WeaviateGRPCUnavailableError,
    WeaviateRetryError,
    WeaviateStartUpError,
    WeaviateTimeoutError,
)

from retrieval.deadline import left
from retrieval.errors import Permanent, Transient
from retrieval.providers.failures import by_status

_PASSING = (
    WeaviateConnectionError,
    WeaviateTimeoutError,
    WeaviateStartUpError,
    WeaviateGRPCUnavailableError,
    WeaviateRetryError,
    WeaviateBatchError,
    httpx.HTTPError,
    OSError,
)
_PASSING_STATUS = (
    "unavailable",
    "deadline_exceeded",
    "deadline exceeded",
    "resource_exhausted",
    "shutting down",
    "read-only",
)


@contextmanager
def failures(doing: str) -> Generator[None]:
    """Raise Transient or Permanent, naming what was being done, for whatever the client raises.

    Raises TooLate at once where the question's time is used up.
    """
    left(1)
    try:
        yield
    except UnexpectedStatusCodeError as error:
        raise by_status("Weaviate", error.status_code) from error
    except _PASSING as error:
        raise Transient(f"Weaviate could not be reached while {doing}") from error
    except WeaviateBaseError as error:
        passing = any(status in str(error).lower() for status in _PASSING_STATUS)
        kind = Transient if passing else Permanent
        raise kind(f"Weaviate failed while {doing}: {type(error).__name__}") from error
