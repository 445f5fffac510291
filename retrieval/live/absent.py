"""Says that a question on this very moment cannot be answered from pages: they tell of the day of writing.

"Who is on call right now?" finds the rules of being on call; quoted as an answer, they would mislead.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from retrieval.answer.not_found import not_found
from retrieval.pipeline import Road
from retrieval.ports import OnText, Searcher
from retrieval.tracing import traced
from retrieval.types import Answer, Language, Query, Turn

_NOW = re.compile(
    r"\b(?:right now|just now|at (?:the|this) (?:very )?moment|currently|today|tonight|this minute)\b"
    r"|此刻|此时|现在|目前|当前|眼下|今天|今日|今晚|实时",
    re.IGNORECASE,
)
_NEAREST = 5
_TEXT: dict[Language, str] = {
    "en": "This changes from one moment to the next, and nothing that knows it is connected to me.",
    "zh": "这是随时在变的信息，而我没有接入能查到它的系统。",
}


@dataclass(frozen=True)
class NothingLive:
    """The road of questions on the present that no live source answers; what asks for rules goes on."""

    searcher: Searcher
    documents: Road

    @traced("nothing live")
    def __call__(self, query: Query, turns: Sequence[Turn], on_text: OnText) -> Answer:
        if not _NOW.search(query.text):
            return self.documents(query, turns, on_text)
        return replace(not_found(query, self.searcher.search(query, _NEAREST)), text=_TEXT[query.language])
