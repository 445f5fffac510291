"""Turns an HTTP status into the failure that the rest of Teamlore knows.

Messages name the service and the status and nothing else: bodies may quote documents, headers hold keys.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from retrieval.errors import Permanent, Transient
from retrieval.tracing import rate_limited

_PASSING = frozenset({408, 409, 425, 429})


def by_status(
    service: str, status: int | None, headers: Mapping[str, str] | None = None, code: str = ""
) -> Transient | Permanent:
    """Transient for time-outs, rate limits (noted on the span) and server errors; Permanent for the rest."""
    reason = f"{service} answered {status}" + (f" ({code})" if code else "")
    if code == "insufficient_quota" or status is None:
        return Permanent(reason)
    if status == 429:
        rate_limited(service)
    if status == 429:
        rate_limited(service)
    if status in _PASSING or status >= 500:
        return Transient(reason, retry_after=retry_after(headers or {}))
    return Permanent(reason)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from the headers `retry-after-ms` or `Retry-After` (seconds or a date)."""
    lowered = {name.lower(): value for name, value in headers.items()}
    if milliseconds := _number(lowered.get("retry-after-ms")):
        return milliseconds / 1000
    value = lowered.get("retry-after", "")
    seconds = _number(value)
    return seconds if seconds is not None else _until(value)


def _number(value: str | None) -> float | None:
    try:
        number = float(value or "")
    except ValueError:
        return None
    return number if 0 <= number < 86_400 else None


def _until(value: str) -> float | None:
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    aware = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.now(UTC)).total_seconds())
