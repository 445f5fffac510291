"""The parts of a question that asks for several things at once, English and Chinese."""

import re

_PART = re.compile(
    r"[?？;；]|,? and (?=(?:(?:on|in|at|by|to|from|for|with|within|of|under) )?"
    r"(?:how|what|when|where|who|whose|whom|why|which)\b|(?:is|are|do|does|can)\b)"
    r"|以及|，(?=谁|怎|什么|多|哪|几|在哪)"
)


def parts_of(question: str) -> list[str]:
    """What is asked for, each by itself; the whole alone where it asks for one thing."""
    parts = [part.strip(" ,，。.") for part in _PART.split(question)]
    return [part for part in parts if part]
