"""Makes a follow-up stand alone: not at all, by rules that carry words forward, or by a language model.

The question as typed is always searched too, and house acronyms are never expanded by guess.
"""

import re
from collections.abc import Sequence

from retrieval.answer.check import literals
from retrieval.answer.tokens import clip
from retrieval.errors import Permanent, Transient
from retrieval.ports import LLM, Message
from retrieval.prompts import prompt
from retrieval.tracing import degraded, record, traced
from retrieval.types import Language, Query, Question, Route, RouteName, Turn
from retrieval.understand.asking import Wordings
from retrieval.understand.context import CARRIED, CARRIED_BY_ELLIPSIS, carried, why_dependent
from retrieval.understand.language import detect, has_han

_ADDRESSING = re.compile(r"<@[UWB][^>]*>|^\s*@\S+\s", re.IGNORECASE)


class KeepQuestion:
    """Searches the question as it was typed."""

    @traced("rewrite")
    def rewrite(self, question: Question, turns: Sequence[Turn], route: Route) -> Query:
        """One wording."""
        return as_query(question, [plain(question.text)], route, turns)


class CarryForward:
    """Adds the words of the thread that a dependent question needs; costs microseconds."""

    @traced("rewrite")
    def rewrite(self, question: Question, turns: Sequence[Turn], route: Route) -> Query:
        """The question with the words in brackets, then the question as typed."""
        text = plain(question.text)
        why = why_dependent(text, turns)
        record(dependent=why or "no", decided_by="rule")
        return as_query(question, [*_carrying(text, turns, why), text], route, turns)


class ModelRewriter:
    """Asks a language model, but only for dependent questions; rules take over when it fails.

    `several` asks for two more wordings of any question, merged by rank.
    """

    def __init__(self, llm: LLM, *, several: bool = False) -> None:
        self._llm = llm
        self._several = several

    @traced("rewrite")
    def rewrite(self, question: Question, turns: Sequence[Turn], route: Route) -> Query:
        """At most three wordings, the stand-alone one first, the original among them."""
        text = plain(question.text)
        why = why_dependent(text, turns)
        record(dependent=why or "no", decided_by="model" if why or self._several else "rule")
        if not (why or self._several) or route.name is RouteName.SMALLTALK:
            return as_query(question, [text], route, turns)
        wordings = self._wordings(text, turns) or _carrying(text, turns, why)
        first = wordings[:1] if why else []
        more = wordings[len(first) :] if self._several else []
        return as_query(question, [*first, text, *more][:3], route, turns)

    def _wordings(self, text: str, turns: Sequence[Turn]) -> list[str]:
        thread = "\n".join(f"{turn.role}: {clip(turn.text, 150)}" for turn in turns[-6:])
        request = f"<thread>\n{thread}\n</thread>\n<message>\n{text}\n</message>"
        try:
            found = self._llm.extract(
                [Message("system", prompt("rewrite")), Message("user", request)], Wordings
            )
        except (Transient, Permanent):
            degraded("rewrite")
            return []
        # A wording that loses a code or figure of the question asks for something else.
        kept = set(literals(text))
        return [wording for wording in found.questions if wording.strip() and kept <= set(literals(wording))]


def _carrying(text: str, turns: Sequence[Turn], why: str) -> list[str]:
    most = CARRIED_BY_ELLIPSIS if why == "ellipsis" else CARRIED
    words = carried(text, turns, most) if why else []
    if not words:
        return []
    return [f"{text}（{'、'.join(words)}）" if has_han(text) else f"{text} ({', '.join(words)})"]


def as_query(question: Question, wordings: Sequence[str], route: Route, turns: Sequence[Turn] = ()) -> Query:
    """A query of these wordings, without repetitions, in the asker's language."""
    return Query(
        id=question.id,
        wordings=tuple(dict.fromkeys(wordings)),
        scope=question.scope,
        language=_language(question, turns),
        route=route,
        images=question.images,
        fresh=question.fresh,
    )


def plain(text: str) -> str:
    """The question without the bot's own mention and doubled blanks."""
    return " ".join(_ADDRESSING.sub(" ", text).split())


def _language(question: Question, turns: Sequence[Turn]) -> Language:
    """The language of the words; for a reply without any ("B1", emoji), the thread's, then the locale's."""
    for text in (question.text, *(turn.text for turn in reversed(turns) if turn.role == "user")):
        if has_han(text) or len(re.findall(r"[A-Za-z]{2,}", text)) >= 2:
            return detect(text)
    return "zh" if question.locale.lower().startswith("zh") else detect(question.text)
