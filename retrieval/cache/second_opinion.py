"""Has a language model say whether two questions ask for the same, where the judge of near ones is in doubt.

What the guards part, no model joins; what the judge is sure of, none is asked about. One short call a
question, about the surest of the doubtful ones; where it fails, the judge's word stands.
"""

import re
import time
from collections.abc import Sequence

from pydantic import BaseModel, Field

from retrieval.cache.two_step import Judges
from retrieval.cache.verify import Verdict
from retrieval.deadline import KEPT_FOR_QUOTING, due, spare
from retrieval.errors import Permanent, Transient
from retrieval.ports import LLM, Message
from retrieval.prompts import parts
from retrieval.tracing import degraded, record

SECONDS = 4.0
"""A model that takes longer costs more than a hit saves."""


class Compared(BaseModel):
    """What a model found between two questions."""

    difference: str = Field(description="what one asks for and the other does not; else empty")
    same: bool = Field(description="whether one answer serves both")


class SecondOpinion:
    """Judges as `first`, and asks `llm` about the surest near question where that is not sure enough."""

    def __init__(self, first: Judges, llm: LLM, threshold: float, seconds: float = SECONDS) -> None:
        self._first, self._llm, self._threshold, self._seconds = first, llm, threshold, seconds

    def judge(self, asked: str, earlier: Sequence[str]) -> list[Verdict]:
        """The verdicts; the doubtful one is 1 or 0 by the model's word."""
        verdicts = self._first.judge(asked, earlier)
        place = max(range(len(verdicts)), key=lambda at: verdicts[at].sure, default=None)
        if place is None or not 0 < verdicts[place].sure < self._threshold:
            return verdicts
        try:
            with due(time.time() + spare(self._seconds + KEPT_FOR_QUOTING)):
                found = same(self._llm, asked, earlier[place])
        except (Transient, Permanent):
            degraded("second opinion")
            return verdicts
        record(model_says_same=found)
        told = Verdict(1.0) if found else Verdict(0.0, "the model tells them apart")
        return [told if at == place else one for at, one in enumerate(verdicts)]


def same(llm: LLM, asked: str, earlier: str) -> bool:
    """Whether a model takes two questions for one; a yes that names a difference is a no."""
    rules, *examples = parts("same")
    told = [Message("user" if n % 2 == 0 else "assistant", text) for n, text in enumerate(examples)]
    pair = f"<earlier>\n{_inert(earlier)}\n</earlier>\n<new>\n{_inert(asked)}\n</new>"
    found = llm.extract([Message("system", rules), *told, Message("user", pair)], Compared)
    return found.same and not found.difference.strip()


def _inert(text: str) -> str:
    """A text that cannot close its element, nor open one."""
    return re.sub(r"<(/?)(earlier|new)\b", r"‹\1\2", text, flags=re.IGNORECASE)
