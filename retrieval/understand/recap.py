"""What a long thread was about, once its beginning no longer fits: its questions, or a model's words."""

from collections.abc import Callable, Sequence

from retrieval.answer.tokens import clip
from retrieval.errors import Permanent, Transient
from retrieval.ports import LLM, Message
from retrieval.prompts import prompt
from retrieval.tracing import degraded
from retrieval.types import Turn

Recap = Callable[[Sequence[Turn]], str]
"""Earlier turns, a recap of still earlier ones perhaps among them, in one text."""

_MOST_TOKENS = 200
_EACH = 40
"""Tokens quoted of one question."""


def quote_recap(turns: Sequence[Turn]) -> str:
    """The questions, each clipped; the first and the newest stay when there are too many."""
    asked = [clip(turn.text.replace("\n", " "), _EACH) for turn in turns if turn.role == "user"]
    if not asked:
        return ""
    first, rest = asked[0], asked[1:]
    return " / ".join([clip(first, _MOST_TOKENS // 2), *rest[-(_MOST_TOKENS // (2 * _EACH)) :]])


class WrittenRecap:
    """A recap by a language model; the questions are quoted when it fails."""

    def __init__(self, llm: LLM) -> None:
        self._llm = llm

    def __call__(self, turns: Sequence[Turn]) -> str:
        told = "\n".join(f"{turn.role}: {turn.text}" for turn in turns)
        asked = [Message("system", prompt("recap")), Message("user", f"<thread>\n{told}\n</thread>")]
        try:
            return clip(self._llm.write(asked, max_tokens=_MOST_TOKENS).strip(), 2 * _MOST_TOKENS)
        except (Transient, Permanent):
            degraded("recap")
            return quote_recap(turns)
