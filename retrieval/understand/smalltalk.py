"""Answers small talk in kind, in the asker's language, without looking anything up."""

import re
from collections.abc import Sequence

from retrieval.ports import OnText
from retrieval.tracing import traced
from retrieval.types import Answer, Language, Outcome, Query, Turn

_PATTERNS = {
    "told": (
        r"^(?:please )?(?:remember|note|keep in mind|fyi|for your)\b|^(?:i|we|my)\b.{4,}"
        r"|^我.{3,}|记住|记一?下"
    ),
    "about": r"who are you|what can you|are you (?:a|hu|re)|help$|你是|你会|你能|你叫|怎么用",
    "thanks": (
        r"thank|thx|\bty\b|cheers|appreciat|great|perfect|awesome|nice|good bot|well done|helpful"
        r"|helps|helped|brilliant|谢|感谢|辛苦|太好|棒|不错|厉害|赞|\+1|pray|tada|thumbsup"
    ),
    "bye": r"bye|see you|good ?night|再见|拜拜|晚安|回头见",
    "how": r"how are you|how'?s it|what'?s up|最近怎么样|吃了吗",
    "hello": r"\bhi\b|hello|hey|morning|afternoon|evening|greetings|\byo\b|好|嗨|早|在吗|有人|wave",
}
_KINDS = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in _PATTERNS.items()}
_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "told": "Noted, I will keep it in mind for you. `/knowledge facts` shows what I know of you.",
        "hello": "Hello! Ask me anything about the team's documents, and I will answer with sources.",
        "thanks": "You're welcome! Ask again whenever you need something.",
        "bye": "Goodbye!",
        "how": "All well here, thank you. What would you like to know?",
        "about": (
            "I answer questions from this team's own documents and say where each answer comes from. "
            "Mention me with a question, or write to me directly. "
            "If the documents don't hold the answer, I say so."
        ),
        "other": "I'm here. What would you like to know?",
    },
    "zh": {
        "told": "记下了，回答您的问题时我会考虑到。`/knowledge facts` 可以查看和删除。",
        "hello": "你好！可以问我团队资料里的任何问题，我会附上出处来回答。",
        "thanks": "不客气，有需要随时问我。",
        "bye": "再见！",
        "how": "一切都好，谢谢。想了解什么？",
        "about": (
            "我根据团队自己的资料回答问题，并注明出处。"
            "在频道里@我或直接私信提问即可；资料里没有答案时，我会如实说明。"
        ),
        "other": "我在，想了解什么？",
    },
}


@traced("smalltalk")
def smalltalk(query: Query, turns: Sequence[Turn], on_text: OnText) -> Answer:
    """The road of greetings, thanks and the like."""
    text = _WORDS[query.language][kind_of(query.text)]
    on_text(text)
    return Answer(text, Outcome.SMALLTALK, language=query.language, route=query.route)


def kind_of(text: str) -> str:
    """Which kind of small talk a text is; emoji and unknown words are `other`."""
    return next((kind for kind, pattern in _KINDS.items() if pattern.search(text)), "other")
