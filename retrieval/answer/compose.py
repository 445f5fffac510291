"""From evidence to an answer: read around it, compress, write through the guard, cite, check, revise."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from retrieval.answer.cite import citations
from retrieval.answer.guard import Guard, guarded
from retrieval.answer.orders import without_orders
from retrieval.answer.relaxed import with_note
from retrieval.answer.surroundings import with_siblings
from retrieval.answer.write import NOT_FOUND, is_not_found
from retrieval.config import AnswerConfig
from retrieval.ports import Checker, Compressor, Library, OnText, Writer
from retrieval.search.same_picture import once
from retrieval.tracing import record, traced
from retrieval.types import Answer, Check, Hit, Language, Outcome, Passage, Query, Turn

_CRITIQUE = {
    "en": "Write the answer again. These points are not in the sources that you cite, or are missing: {}",
    "zh": "请重写答案。以下内容在所引资料中没有依据，或有遗漏：{}",
}
_UNSURE = {
    "en": "I found passages about this, but could not write an answer that they fully support.",
    "zh": "我找到了相关资料，但无法写出完全有依据的答案。",
}


More = Callable[[Query], Sequence[Hit]]
"""Searches once more, for what an answer lacks."""


def no_more(_: Query) -> Sequence[Hit]:
    """What was found is all there is."""
    return ()


@dataclass(frozen=True)
class Composer:
    """Composes answers. `config.self_check` off means that checks are told but nothing is revised.

    Before the first revision `more` is asked for what the checks miss.
    """

    writer: Writer
    compressor: Compressor
    checker: Checker
    library: Library
    config: AnswerConfig
    more: More = no_more

    @traced("compose")
    def __call__(self, query: Query, hits: Sequence[Hit], turns: Sequence[Turn], on_text: OnText) -> Answer:
        """An answer from `hits`; its outcome is NOT_FOUND when the writer finds none in them."""
        evidence = self.read(query, hits)
        draft = self._write(query, evidence, turns, on_text)
        checks = self.checker.check(query, draft, evidence)
        revisions = 0
        while self.config.self_check and _failed(checks) and revisions < self.config.revisions:
            revisions += 1
            evidence = self._with_more(query, evidence, checks) if revisions == 1 else evidence
            draft = self._write(query, evidence, [*turns, *_dispute(query, draft, checks)], _silently)
            checks = self.checker.check(query, draft, evidence)
        answer = _finished(query, draft, [hit.passage for hit in evidence])
        answer = replace(answer, checks=tuple(checks), revisions=revisions)
        return _handed_off(answer) if self.config.self_check and _failed(checks) else answer

    def read(self, query: Query, hits: Sequence[Hit]) -> list[Hit]:
        """What is read of the hits: with their siblings, without planted orders, within the budget."""
        read = without_orders(with_siblings(hits, self.library, query.scope))
        return self.compressor.compress(query, read)

    @traced("more")
    def _with_more(self, query: Query, evidence: Sequence[Hit], checks: Sequence[Check]) -> list[Hit]:
        """The evidence, and behind it what a search for the missing points finds besides."""
        missing = "; ".join(check.detail for check in _failed(checks) if check.detail)
        if not missing:
            return list(evidence)
        asked = replace(query, wordings=(missing,))
        known = {hit.passage.id for hit in evidence}
        found = [hit for hit in self.more(asked) if hit.passage.id not in known]
        record(missing=missing, found=len(found))
        return [*evidence, *self.read(asked, found)]

    @traced("write")
    def _write(self, query: Query, evidence: Sequence[Hit], turns: Sequence[Turn], on_text: OnText) -> str:
        record(writer=self.writer.name)
        stream = _Stream([hit.passage for hit in evidence], query.language, on_text)
        draft = self.writer.write(query, evidence, turns, stream.feed)
        stream.close(draft)
        return draft


class _Stream:
    """Lets pieces through the guard, once it is clear that they are no NOT_FOUND."""

    def __init__(self, sources: Sequence[Passage], language: Language, on_text: OnText) -> None:
        self._guard = Guard(sources, language)
        self._on_text = on_text
        self._held = ""

    def feed(self, piece: str) -> None:
        self._held += piece
        begun = self._held.lstrip(" \n*_`#")
        if not NOT_FOUND.startswith(begun[: len(NOT_FOUND)]):
            self._show(self._guard.feed(self._held))
            self._held = ""

    def close(self, draft: str) -> None:
        if not is_not_found(draft):
            self._show(self._guard.feed(self._held) + self._guard.close())

    def _show(self, text: str) -> None:
        if text:
            self._on_text(text)


def _finished(query: Query, draft: str, sources: Sequence[Passage]) -> Answer:
    if is_not_found(draft) or not draft.strip():
        return Answer("", Outcome.NOT_FOUND, language=query.language, route=query.route)
    text, guard = guarded(draft, sources, query.language)
    cited = citations(text, guard, sources)
    pictures = once(c.passage.image for c in cited if c.passage.image)
    told = with_note(text, query)
    return Answer(told, Outcome.ANSWERED, cited, images=pictures, language=query.language, route=query.route)


def _failed(checks: Sequence[Check]) -> list[Check]:
    return [check for check in checks if not check.passed]


def _dispute(query: Query, draft: str, checks: Sequence[Check]) -> list[Turn]:
    """A revision is a conversation: the draft, and what is wrong with it."""
    points = "; ".join(check.detail or check.name for check in _failed(checks))
    return [
        Turn("user", query.text),
        Turn("assistant", draft),
        Turn("user", _CRITIQUE[query.language].format(points)),
    ]


def _handed_off(answer: Answer) -> Answer:
    if answer.outcome is Outcome.NOT_FOUND:
        return answer
    nearest = tuple(citation.passage for citation in answer.citations)
    return replace(
        answer,
        text=_UNSURE[answer.language],
        outcome=Outcome.HANDED_OFF,
        citations=(),
        images=(),
        nearest=nearest,
    )


def _silently(_: str) -> None:
    """Nobody watches a revision: the finished answer replaces what was shown."""
