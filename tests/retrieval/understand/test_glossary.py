"""Short forms are spelled out as the house's pages do, and a page that may not be read spells out nothing."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import pytest

from retrieval.graph.keeper import NameKeeper
from retrieval.graph.names import key_of
from retrieval.graph.shorts import long_form, shorts_in
from retrieval.types import Document, Passage, Question, Route, RouteName, Scope
from retrieval.understand.glossary import GlossaryRewriter
from retrieval.understand.rewrite import KeepQuestion
from storage.names import Naming

PAGE = Passage(
    "p1", "glossary", "1", "Faulty goods need a return goods authorisation (RGA) before they are sent."
)
SECRET = Passage(
    "p2", "board", "1", "Project Silent Owl (PSO) is secret.", readers=frozenset({"group:board"})
)


@dataclass(frozen=True)
class Pages:
    """The names and the pages of a house."""

    passages: tuple[Passage, ...] = (PAGE, SECRET)

    def find(self, team: str, keys: Collection[str]) -> Sequence[Naming]:
        told = [(key_of(short), p) for p in self.passages for short in shorts_in(p.text)]
        return [Naming(key, p.id, p.document_id, 1) for key, p in told if key in keys]

    def fetch(self, ids: Sequence[str], scope: Scope) -> list[Passage]:
        return [p for p in self.passages if p.id in ids and p.readers & scope.readers]

    def siblings(self, passages: Sequence[Passage], scope: Scope) -> list[Passage]:
        return []


def wordings(text: str) -> tuple[str, ...]:
    rewriter = GlossaryRewriter(KeepQuestion(), Pages(), Pages())
    return rewriter.rewrite(
        Question("q", text, Scope("home", "U1")), [], Route(RouteName.DOCUMENTS, "default")
    ).wordings


def test_a_short_form_is_searched_with_its_long_form_behind_the_question_itself() -> None:
    assert wordings("How do I get an RGA?") == (
        "How do I get an RGA?",
        "How do I get an RGA (return goods authorisation)?",
    )
    assert wordings("how do i get an rga?")[1] == "how do i get an rga (return goods authorisation)?"


def test_what_no_page_explains_is_not_guessed() -> None:
    assert wordings("What is our SLA?") == ("What is our SLA?",)


def test_a_page_that_the_asker_may_not_read_explains_nothing() -> None:
    assert wordings("What is PSO?") == ("What is PSO?",)


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("A recovery time objective (RTO) is agreed.", "RTO", "recovery time objective"),
        ("The terms of service (TOS) apply.", "TOS", "terms of service"),
        ("| RTO | recovery time objective |", "RTO", "recovery time objective"),
        ("- **RTO**: recovery time objective. Four hours.", "RTO", "recovery time objective"),
        ("RTO（恢复时间目标）为四小时。", "RTO", "恢复时间目标"),
        ("恢复时间目标（RTO）为四小时。", "RTO", "恢复时间目标"),
        ("See the appendix (RTO) for more.", "RTO", ""),
        ("The RTO is four hours.", "RTO", ""),
        ("RTOS: real-time operating system", "RTO", ""),
        ("Leave: 27 days are granted a year.", "leave", ""),
        (
            "The leave: long. LEAVE: low energy audit value estimate.",
            "leave",
            "low energy audit value estimate",
        ),
    ],
)
def test_long_forms(text: str, short: str, long: str) -> None:
    assert long_form(text, short) == long


def test_short_forms_in_running_text_are_noted_at_indexing() -> None:
    kept: list[Naming] = []

    class Names:
        def replace(self, team: str, document_id: str, namings: Collection[Naming]) -> None:
            kept.extend(namings)

    NameKeeper(Names()).keep("home", Document("glossary", "s", "Returns", "1", ()), [PAGE])  # pyright: ignore[reportArgumentType]
    assert ("rga", "p1") in {(naming.key, naming.passage_id) for naming in kept}
