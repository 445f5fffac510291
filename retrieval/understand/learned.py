"""The classifier of roads: learned from labelled lines on the embedder's vectors, in a second or two."""

import threading
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path

from retrieval.errors import Permanent
from retrieval.ports import LLM, Embedder, Message, Router
from retrieval.prompts import prompt
from retrieval.tracing import record, traced
from retrieval.types import Question, Route, RouteName, Turn
from retrieval.understand.asking import Choice
from retrieval.understand.kernel import KernelClassifier, learn
from retrieval.understand.rewrite import plain

Line = tuple[RouteName, str]
SURE = 0.7
"""From this probability on the classifier decides alone."""
_NAMES = [route.value for route in RouteName]
REFUSES = 0.95
"""Sending somebody away needs more: a question of the team's own must not be refused unread."""


def shipped_lines() -> list[Line]:
    """The labelled lines that ship with Teamlore, English and Chinese."""
    text = files("retrieval.understand.data").joinpath("routes.tsv").read_text(encoding="utf-8")
    return parse_lines(text.splitlines(), "routes.tsv")


def read_lines(path: Path) -> list[Line]:
    """A team's own lines, corrected traces for example. Raises Permanent naming the line that is wrong."""
    return parse_lines(path.read_text(encoding="utf-8").splitlines(), path.name)


def parse_lines(rows: Iterable[str], name: str) -> list[Line]:
    """`route<TAB>text` rows; blank ones and those after `#` are skipped."""
    lines: list[Line] = []
    for number, row in enumerate(rows, 1):
        if row.strip() and not row.startswith("#"):
            label, tab, text = row.partition("\t")
            if not tab or label not in _NAMES or not text.strip():
                raise Permanent(
                    f"{name}, line {number}: write route<TAB>text, route one of {', '.join(_NAMES)}"
                )
            lines.append((RouteName(label), text.strip()))
    return lines


class LearnedRouter:
    """Rules first, then the classifier, then a language model where the classifier is unsure.

    Learns at its first question, so that a process that routes nothing loads nothing. Lines that a team adds
    count like those shipped.
    """

    def __init__(
        self, rules: Router, embedder: Embedder, lines: Sequence[Line], llm: LLM | None = None
    ) -> None:
        self._rules = rules
        self._embedder = embedder
        self._lines = lines
        self._llm = llm
        self._lock = threading.Lock()
        self._learned: KernelClassifier | None = None

    @traced("route")
    def route(self, question: Question, turns: Sequence[Turn]) -> Route:
        """The road, who decided, and how sure. A follow-up or a picture goes where documents are."""
        ruled = self._rules.route(question, turns)
        text = plain(question.text)
        if ruled.decided_by == "rule" or turns or question.images or not text:
            return ruled
        name, sure, like = self._classifier().classify(self._embedder.embed_queries([text])[0], text)
        record(guess=name, like_learned=like)
        if sure >= (REFUSES if name == RouteName.OUT_OF_SCOPE else SURE) and like:
            return Route(RouteName(name), "classifier", sure)
        return self._ask(text) or Route(RouteName.DOCUMENTS, "default", sure)

    def _ask(self, text: str) -> Route | None:
        if self._llm is None:
            return None
        chosen = self._llm.extract([Message("system", prompt("route")), Message("user", text)], Choice)
        return Route(chosen.route, "model", chosen.confidence)

    def _classifier(self) -> KernelClassifier:
        with self._lock:
            if self._learned is None:
                self._learned = learn_routes(self._embedder, self._lines)
            return self._learned


def learn_routes(embedder: Embedder, lines: Sequence[Line]) -> KernelClassifier:
    """Learn the roads from labelled lines."""
    texts = [text for _, text in lines]
    return learn(embedder.embed_queries(texts), texts, [route.value for route, _ in lines])
