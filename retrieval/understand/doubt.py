"""Has a language model say whether the passages hold the answer, where their figures leave it in doubt.

Figures tell what lies near a question; whether the very thing that is asked for is said takes reading. The
model must copy the words that answer, and a yes without words that stand in a passage counts as a no.
"""

from collections.abc import Callable, Sequence

from pydantic import BaseModel, Field

from retrieval.answer.words import overlap, words
from retrieval.answer.write import evidence_request
from retrieval.errors import Permanent, Transient
from retrieval.pipeline import Verdict
from retrieval.ports import LLM, Message
from retrieval.prompts import parts
from retrieval.tracing import degraded, record
from retrieval.types import Hit, Query
from retrieval.understand.gate import CalibratedGate

Read = Callable[[Query, Sequence[Hit]], Sequence[Hit]]
"""What the writer would be shown of the hits."""

_COPIED = 0.8
"""The share of the copied words that one passage must hold."""


class Found(BaseModel):
    """What a model found in the sources."""

    words: str = Field(description="the words of one source that answer the question, copied; else empty")
    answered: bool = Field(description="whether the sources say what is asked for")


class DoubtingGate:
    """Judges by the figures where they are sure, else by the model, and by the figures when it fails.

    Far-off questions are asked of the model too: the figures alone refuse some that can be answered.
    """

    def __init__(self, figures: CalibratedGate, llm: LLM, read: Read) -> None:
        self._figures = figures
        self._llm = llm
        self._read = read

    def judge(self, query: Query, hits: Sequence[Hit]) -> Verdict:
        """The verdict; filters that hid the answer may be dropped."""
        if not hits:
            return self._figures.judge(query, hits)
        probability = self._figures.probability(query, hits)
        if self._figures.sure(probability):
            return "answer"
        try:
            held = self._holds_answer(query, self._read(query, hits))
        except (Transient, Permanent):
            degraded("doubt")
            return self._figures.verdict(probability)
        record(model_found_answer=held)
        return "answer" if held else "again" if query.filters else "nothing"

    def _holds_answer(self, query: Query, evidence: Sequence[Hit]) -> bool:
        found = self._llm.extract(_messages(query, evidence), Found)
        copied = words(found.words)
        return found.answered and any(
            overlap(copied, words(hit.passage.text), {}) >= _COPIED for hit in evidence
        )


def _messages(query: Query, hits: Sequence[Hit]) -> list[Message]:
    rules, *examples = parts("doubt")
    told = [Message("user" if n % 2 == 0 else "assistant", text) for n, text in enumerate(examples)]
    return [Message("system", rules), *told, Message("user", evidence_request(query, hits))]
