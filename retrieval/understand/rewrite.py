"""Questions as they are: the rewriter of the basic preset, and what every rewriter shares."""

import re
from collections.abc import Sequence

from retrieval.tracing import traced
from retrieval.types import Language, Query, Question, Route, Turn
from retrieval.understand.language import detect, has_han

_ADDRESSING = re.compile(r"<@[UWB][^>]*>|^\s*@\S+\s", re.IGNORECASE)


class KeepQuestion:
    """Searches the question as it was typed."""

    @traced("rewrite")
    def rewrite(self, question: Question, turns: Sequence[Turn], route: Route) -> Query:
        """One wording."""
        return as_query(question, [plain(question.text)], route, turns)


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
