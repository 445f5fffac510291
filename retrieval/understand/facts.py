"""Long memory: what a person said about themselves, used only for that person and only where it matters.

Facts come from people's own messages, never from documents.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from retrieval.answer.words import words
from retrieval.ports import Rewriter, Router
from retrieval.tracing import record
from retrieval.types import Query, Question, Route, RouteName, Turn
from retrieval.understand.rewrite import plain

FactsOf = Callable[[Question], tuple[str, ...]]
"""What the asker told, oldest first."""

_ASKED_TO = re.compile(
    r"^(?:please )?(?:remember|note|keep in mind|for your information|fyi)\b[,:]?(?: that)? (?P<en>.+)"
    r"|^(?:请|麻烦)?(?:你)?(?:记住|记一下|记下来?)[，,:：]?(?P<zh>.+)",
    re.IGNORECASE | re.DOTALL,
)
_STATED = re.compile(
    r"^(?:i|we) (?:only )?(?:look after|am|are|'m|work|live|sit|report to|belong to|manage|lead|support|use"
    r"|speak|prefer|joined)\b|^i'm\b|^my (?:team|manager|role|office|region|country|name)\b.* (?:is|are)\b"
    r"|^我(?:们)?(?:只|主要)?(?:负责|在|是|属于|管|带|用|住|支持|喜欢)|^我的.{1,8}(?:是|在)",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"[?？]|\b(?:how|what|when|where|who|why|which|can|could|should)\b|吗|怎么|什么|多少|如何|哪|谁|几"
    # Trouble is a question, too.
    r"|broken|locked|lost|stuck|missing|wrong|unable|failing|\bnot\b|n't\b|error|problem|坏|丢|不了|不能|无法|报错|问题|失败",
    re.IGNORECASE,
)
_PERSONAL = re.compile(r"\b(?:i|me|my|mine|we|us|our)\b|我", re.IGNORECASE)


_ABOUT: dict[str, str] = {
    "manager": r"^my (?:manager|boss)\b|^i report to\b|^我的?(?:经理|主管|老板|上级)是",
    "team": r"^my team\b|^(?:i am|i'm|i work) (?:in|on|with) (?:the )?.{1,40} team\b|^i belong to\b"
    r"|^我(?:属于|的团队|的部门)",
    "place": r"^my (?:office|region|country)\b|^i (?:work|live|sit) (?:in|at|from)\b"
    r"|^(?:i am|i'm) (?:based )?(?:in|at|from)\b|^我(?:住在?|在|的办公室)",
    "role": r"^my role\b|^(?:i am|i'm) an?\b|^我(?:是|的职位)",
    "name": r"^my name\b|^我叫|^我的名字",
    "language": r"^my language\b|^i speak\b|^我说",
}
_SINGLE = {key: re.compile(pattern, re.IGNORECASE) for key, pattern in _ABOUT.items()}


def subject_of(fact: str) -> str:
    """What a fact is about, of the things that a person has one of, so that a newer one replaces an older."""
    return next((key for key, pattern in _SINGLE.items() if pattern.search(fact)), "")


def statement_in(text: str) -> str:
    """The fact that a message states about its writer, or nothing when it asks something."""
    bare = plain(text).strip()
    if asked := _ASKED_TO.match(bare):
        return (asked["en"] or asked["zh"]).strip()
    return bare if _STATED.match(bare) and not _ASKING.search(bare) and len(bare) <= 200 else ""


class FactRouter:
    """Takes a statement about oneself for what it is: nothing to look up."""

    def __init__(self, router: Router) -> None:
        self._router = router

    def route(self, question: Question, turns: Sequence[Turn]) -> Route:
        """Small talk for a statement, else what the wrapped router says."""
        if statement_in(question.text) and not question.images:
            return Route(RouteName.SMALLTALK, "rule")
        return self._router.route(question, turns)


class FactRewriter:
    """Adds to a query those facts of the asker that bear on it."""

    def __init__(self, rewriter: Rewriter, facts: FactsOf) -> None:
        self._rewriter = rewriter
        self._facts = facts

    def rewrite(self, question: Question, turns: Sequence[Turn], route: Route) -> Query:
        """The wrapped rewriter's query, with relevant facts."""
        query = self._rewriter.rewrite(question, turns, route)
        kept = tuple(fact for fact in self._facts(question) if bears_on(fact, question.text))
        record(facts=len(kept))
        return replace(query, facts=kept)


def bears_on(fact: str, text: str) -> bool:
    """A fact matters to a question that shares a word with it, or that the asker asks about themselves."""
    return bool(_PERSONAL.search(text)) or not set(words(fact)).isdisjoint(words(text))
