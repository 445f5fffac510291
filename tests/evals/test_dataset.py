"""Training data hold what people accepted, cleaned, each question once, and a document on one side only."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from evals.dataset import Lesson, lessons, lines_of, write
from evals.datasets import load_training
from retrieval.pipeline import answer
from retrieval.types import Answer, Citation, Hit, Outcome, Passage, Query, Scope
from storage.base import Database, open_database
from storage.feedback import Feedback
from storage.tables import metadata
from tests.tracing import PASSAGE, Plain, listen, parts, question
from workers.redact import Redactor
from workers.trace_log import TraceLog

ASIDE = Passage("sick#1", "sick", "v1", "Call ann@example.com when you are ill.", "Sick leave")
CLEAN = Redactor()


@dataclass
class Bot(Plain):
    """Finds two passages and cites one."""

    cited: Sequence[Passage] = (PASSAGE,)
    found: list[Hit] = field(default_factory=lambda: [Hit(PASSAGE, 0.9), Hit(ASIDE, 0.5)])

    def search(self, query: Query, limit: int) -> list[Hit]:
        return self.found

    def compose(self, *_: Any) -> Answer:  # pyright: ignore[reportIncompatibleMethodOverride]
        outcome = Outcome.ANSWERED if self.cited else Outcome.NOT_FOUND
        return Answer("25 days [1].", outcome, tuple(Citation(1, one, "25") for one in self.cited))


class Shelf:
    """Both passages, while the asker may read them."""

    def fetch(self, ids: Sequence[str], scope: Scope) -> list[Passage]:
        return [one for one in (PASSAGE, ASIDE) if one.id in ids and "C1" in scope.readers]

    def siblings(self, passages: Sequence[Passage], scope: Scope) -> list[Passage]:
        return []


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = open_database(f"sqlite:///{tmp_path / 'x.db'}")
    metadata.create_all(made.engine)
    listen(TraceLog(made, Redactor()))
    yield made
    made.engine.dispose()


def test_what_was_voted_down_or_not_found_teaches_nothing(database: Database) -> None:
    answer(question("How much leave?", id="q1"), parts(Bot()))
    answer(question("how much LEAVE", id="q2"), parts(Bot()))
    answer(question("Is lunch free?", id="q3"), parts(Bot()))
    answer(question("Who am I?", id="q4"), parts(Bot(cited=())))
    Feedback(database).vote("T1", "q3", "U1", -1)
    (one,) = lessons(database, Shelf(), CLEAN)
    assert (one.question, one.cited) == ("how much LEAVE", (PASSAGE,))


def lesson(n: int, document: str) -> Lesson:
    passage = Passage(f"{document}#0", document, "1", "Write to bo@example.com.", document)
    return Lesson(f"question {n}", "Write [1].", (passage,), (ASIDE,))


def test_each_kind_has_its_format_and_no_address_in_it() -> None:
    kinds = ("embedding", "rerank", "generator")
    made = {kind: next(lines_of(kind, [lesson(1, "a")], CLEAN)) for kind in kinds}
    assert made["embedding"]["positive"] == "Write to [email]."
    assert made["embedding"]["negatives"] == ["Call [email] when you are ill."]
    assert set(made["rerank"]) == {"query", "relevant_passages", "hard_negatives"}
    assert [one["role"] for one in made["generator"]["messages"]] == ["system", "user", "assistant"]
    assert "example.com" not in json.dumps(made)


@pytest.mark.parametrize("kind", ["embedding", "rerank"])
def test_a_document_is_on_one_side_and_few_lines_are_warned_of(kind: str, tmp_path: Path) -> None:
    found = [lesson(n, f"doc{n % 12}") for n in range(60)]
    told = write(kind, found, CLEAN, tmp_path)
    assert told["train"] + told["test"] == 60
    assert "fewer than 1000" in told["warning"]
    learned = {id for ids in load_training(tmp_path).qrels.values() for id in ids}
    tested = {line.split("\t")[1] for line in (tmp_path / "qrels_test.tsv").read_text().splitlines()[1:]}
    assert learned
    assert tested
    assert not learned & tested
