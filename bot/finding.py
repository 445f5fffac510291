"""What a check finds."""

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "note", "wrong"]


@dataclass(frozen=True)
class Finding:
    """What was looked at, how it is, and, where something is amiss, what helps."""

    what: str
    state: State
    detail: str
    remedy: str = ""
