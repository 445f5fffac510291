"""Says that a question is none of this bot's business, without looking anything up, and points to people."""

from collections.abc import Sequence

from retrieval.ports import OnText
from retrieval.tracing import traced
from retrieval.types import Answer, Language, Outcome, Query, Turn

_TEXT: dict[Language, str] = {
    "en": (
        "That is outside what I can help with: I only answer from this team's own documents. "
        "If it is about your work after all, ask again in other words, or ask a colleague in the channel."
    ),
    "zh": (
        "这超出了我的范围：我只根据团队自己的资料回答问题。"
        "如果确实与工作有关，请换个说法再问，或在频道里请教同事。"
    ),
}


@traced("decline")
def decline(query: Query, turns: Sequence[Turn], on_text: OnText) -> Answer:
    """The road of questions that are out of scope."""
    text = _TEXT[query.language]
    on_text(text)
    return Answer(text, Outcome.HANDED_OFF, language=query.language, route=query.route)
