"""Reckons with dates, which language models do badly."""

import calendar
from datetime import date, timedelta

from retrieval.errors import Permanent


def later(start: date, months: int = 0, days: int = 0) -> date:
    """So many months and then days after `start`; a month's last day stands in for one that it has not.

    Raises Permanent outside the years 1 to 9999.
    """
    place = start.year * 12 + start.month - 1 + months
    year, month = place // 12, place % 12 + 1
    try:
        day = min(start.day, calendar.monthrange(year, month)[1])
        return date(year, month, day) + timedelta(days=days)
    except (ValueError, OverflowError) as error:
        raise Permanent("there is no such date") from error


def told(start: date, end: date) -> str:
    """Both with their weekdays, and the days between them."""
    return f"From {start:%A, %Y-%m-%d} to {end:%A, %Y-%m-%d}: {(end - start).days} days."
