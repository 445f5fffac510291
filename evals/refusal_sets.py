"""The cases that refusal is measured on: questions, and what a search in memory finds for them.

handbook: our sample pages with the regression questions; what it cannot answer are questions about what the
pages leave out, and questions that are none of a team's business.

mtrag: conversations whose last question the pooled passages answer or not. rgb: each question once with its
passages and once with those that answer it taken away, so that what is left is about the same things.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from evals.cases.case import read_cases
from evals.cases.pages import SAMPLE
from evals.memory_index import MemoryIndex
from retrieval.config import RetrievalConfig
from retrieval.index.recipe import plain_recipe
from retrieval.ports import Embedder, Reranker
from retrieval.search.find import Finder
from retrieval.sources.folder import FolderSource
from retrieval.types import Hit, Passage, Query, Question, Route, RouteName, Scope, Turn
from retrieval.understand.language import detect
from retrieval.understand.learned import shipped_lines
from retrieval.understand.rewrite import CarryForward

_ANSWERED = frozenset({"fact", "paraphrase", "code", "crosslingual", "version", "followup", "acronym"})
_UNANSWERED = frozenset({"unanswerable", "out_of_scope"})


@dataclass(frozen=True)
class Asked:
    """A question of a set with what was found for it, and whether an answer is in that."""

    set: str
    question: str
    query: Query
    hits: Sequence[Hit]
    answerable: bool


Index = Callable[[Sequence[Passage]], Callable[[Query], Sequence[Hit]]]
"""Takes passages in and gives a search over them."""


def in_memory(embedder: Embedder, reranker: Reranker | None) -> Index:
    """The product's search, with its defaults, over passages in memory."""
    choice = RetrievalConfig()

    def index(passages: Sequence[Passage]) -> Callable[[Query], Sequence[Hit]]:
        finder = Finder(MemoryIndex(passages, embedder), embedder, reranker, choice)
        return lambda query: finder.search(query, choice.evidence)

    return index


def cases(data: Path | None, index: Index) -> Iterator[Asked]:
    """All cases: the handbook's, which ship with Teamlore, then those of the public sets that are there."""
    yield from _handbook(index)
    if data and (data / "mtrag").is_dir():
        yield from _mtrag(data / "mtrag", index)
    for path in sorted((data / "rgb").glob("*.json")) if data else ():
        yield from _rgb(path, index)


def _handbook(index: Index) -> Iterator[Asked]:
    recipe = plain_recipe("")
    source = FolderSource("handbook", SAMPLE / "handbook", exclude=("*.pdf", "*.docx", "*.png", "*.xlsx"))
    pages = [source.fetch(listing) for listing in source.listings() if listing.id.endswith(".md")]
    passages = [passage for page in pages for passage in recipe.passages(page)]
    find = index(passages)
    for case in read_cases():
        if case.kind in _ANSWERED or case.kind in _UNANSWERED:
            turns = [{"speaker": turn.role, "text": turn.text} for turn in case.history]
            query = _query([*turns, {"speaker": "user", "text": case.question}])
            yield Asked("handbook", case.question, query, find(query), case.kind in _ANSWERED)
    for route, text in shipped_lines():
        if route is RouteName.OUT_OF_SCOPE:
            query = _query([{"speaker": "user", "text": text}])
            yield Asked("off_topic", text, query, find(query), False)


def _mtrag(folder: Path, index: Index) -> Iterator[Asked]:
    passages = [_passage(row["_id"], row["text"]) for row in _rows(folder / "corpus_pooled.jsonl")]
    find = index(passages)
    for row in _rows(folder / "tasks_mtrag_un.jsonl"):
        kind = row["answerability"][0]
        if kind in ("ANSWERABLE", "UNANSWERABLE"):
            query = _query(row["conversation"])
            yield Asked("mtrag", row["_id"], query, find(query), kind == "ANSWERABLE")


def _rgb(path: Path, index: Index) -> Iterator[Asked]:
    for row in _records(path):
        good, noise = _flat(row["positive"]), _flat(row["negative"])
        query = _query([{"speaker": "user", "text": row["query"]}])
        for texts, answerable in ((good + noise, True), (noise, False)):
            passages = [_passage(str(n), text) for n, text in enumerate(texts) if text.strip()]
            if passages:
                hits = index(passages)(query)
                yield Asked(f"rgb/{path.stem}", row["query"], query, hits, answerable)


def _query(conversation: Sequence[Mapping[str, Any]]) -> Query:
    *earlier, last = conversation
    turns = [Turn("user" if turn["speaker"] == "user" else "assistant", turn["text"]) for turn in earlier]
    question = Question("q", last["text"], Scope("eval", "nobody"))
    return CarryForward().rewrite(question, turns, Route(RouteName.DOCUMENTS, "default"))


def _passage(id: str, text: str) -> Passage:
    return Passage(id=id, document_id=id, version="1", text=text, language=detect(text))


def _flat(texts: Sequence[Any]) -> list[str]:
    return [str(text) for item in texts for text in (item if isinstance(item, list) else [item])]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _records(path: Path) -> list[dict[str, Any]]:
    text = path.read_text(encoding="utf-8")
    try:
        found: Any = json.loads(text)
    except json.JSONDecodeError:
        return list(_rows(path))
    return cast(list[dict[str, Any]], found if isinstance(found, list) else [found])


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)
