"""How often the gate refuses what cannot be answered, and what can, in memory.

handbook: our sample pages with the regression questions; what it cannot answer are questions about what the
pages leave out, and questions that are none of a team's business.

mtrag: conversations whose last question the pooled passages answer or not. rgb: each question once with its
passages and once with those that answer it taken away, so that what is left is about the same things.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from evals.cases.case import read_cases
from evals.cases.pages import SAMPLE
from evals.keywords import Keywords
from retrieval.index.recipe import plain_recipe
from retrieval.ports import Embedder
from retrieval.providers.weaviate_rows import embedded_text
from retrieval.search.fuse import fuse
from retrieval.sources.folder import FolderSource
from retrieval.types import Hit, Lead, Passage, Query, Question, Route, RouteName, Scope, Turn
from retrieval.understand.evidence import Evidence, weigh
from retrieval.understand.gate import Calibration
from retrieval.understand.language import detect
from retrieval.understand.learned import shipped_lines
from retrieval.understand.rewrite import CarryForward

_CANDIDATES, _EVIDENCE = 100, 5
_WEIGHTS = {"keyword": 0.5, "vector": 0.5}
_FALSE_REFUSALS = 0.08
"""The share of the answerable of any kind of knowledge that a gate may refuse."""
_OF_A_MODEL = ("similarity", "agreement")
"""Figures that mean something for one embedder only."""
_ANSWERED = frozenset({"fact", "paraphrase", "code", "crosslingual", "version", "followup", "acronym"})
_UNANSWERED = frozenset({"unanswerable", "out_of_scope"})
_FOLDS = 10


@dataclass(frozen=True)
class Judged:
    """What was found for a question, of which set, and whether an answer is in it."""

    set: str
    question: str
    evidence: Evidence
    answerable: bool


def measure(data: Path | None, embedder: Embedder, calibration: Calibration) -> dict[str, Any]:
    """Refusals of each set with the gate as it ships."""
    found = [*handbook(embedder), *(cases(data, embedder) if data else [])]
    return _rates(found, [calibration.probability(case.evidence) for case in found], calibration.nothing)


def calibrate(found: Sequence[Judged], *, any_model: bool = False) -> tuple[Calibration, dict[str, Any]]:
    """A calibration fitted to all cases, and what it reaches on questions that it was not fitted to.

    `any_model` leaves out what only holds for the embedder at hand.
    """
    features = np.array([case.evidence.numbers() for case in found])
    if any_model:
        features = features * [name not in _OF_A_MODEL for name in Evidence.names()]
    truth = np.array([case.answerable for case in found])
    kinds = np.array([_kind(case) for case in found])
    folds = np.array([hash_fold(case.question) for case in found])
    unseen: Any = np.zeros(len(found))
    for fold in range(_FOLDS):
        kept = folds != fold
        weights, bias = fit(features[kept], truth[kept], kinds[kept])
        unseen[~kept] = _sigmoid(features[~kept] @ weights + bias)
    weights, bias = fit(features, truth, kinds)
    nothing = _low(unseen, truth, kinds, _FALSE_REFUSALS)
    again = max(nothing, _low(unseen, truth, kinds, 0.25))
    named = {name: round(float(weight), 4) for name, weight in zip(Evidence.names(), weights, strict=True)}
    made = Calibration(weights=named, bias=round(bias, 4), nothing=round(nothing, 4), again=round(again, 4))
    return made, _rates(found, unseen.tolist(), nothing)


def fit(features: Any, truth: Any, kinds: Any, ridge: float = 5.0) -> tuple[Any, float]:
    """Weights and bias of a logistic regression, by Newton's method.

    Both outcomes of each kind of knowledge weigh alike, however many questions it has.
    """
    centre, spread = features.mean(axis=0), features.std(axis=0) + 1e-6
    scaled = cast(Any, np.column_stack([(features - centre) / spread, np.ones(len(features))]))
    cells = [(kinds == kind) & (truth == value) for kind in np.unique(kinds) for value in (True, False)]
    weight = cast(Any, sum(cell / max(1, cell.sum()) for cell in cells))
    weight = weight * len(truth) / weight.sum()
    penalty = cast(Any, ridge * np.eye(scaled.shape[1]))
    penalty[-1, -1] = 0
    beta = cast(Any, np.zeros(scaled.shape[1]))
    for _ in range(30):
        p = _sigmoid(scaled @ beta)
        curvature: Any = scaled.T @ (scaled * (weight * p * (1 - p))[:, None]) + penalty
        step = cast(Any, np.linalg.solve(curvature, scaled.T @ (weight * (truth - p)) - penalty @ beta))
        beta = beta + step
    weights = beta[:-1] / spread
    return weights, float(beta[-1] - weights @ centre)


def _low(probabilities: Any, truth: Any, kinds: Any, share: float) -> float:
    """Below this lies at most `share` of the answerable of every kind of knowledge."""
    each = [probabilities[truth & (kinds == kind)] for kind in np.unique(kinds)]
    return float(min(np.quantile(found, share) for found in each if len(found)))


def _kind(case: Judged) -> str:
    """Questions off topic are asked of the handbook; rgb's parts are of one kind."""
    return "handbook" if case.set == "off_topic" else case.set.partition("/")[0]


def cases(data: Path, embedder: Embedder) -> list[Judged]:
    """All cases of the sets that are there."""
    found = list(_mtrag(data / "mtrag", embedder)) if (data / "mtrag").is_dir() else []
    for path in sorted((data / "rgb").glob("*.json")):
        found += _rgb(path, embedder)
    return found


def hash_fold(question: str) -> int:
    """The fold of a question, the same in every run."""
    return sum(question.encode()) % _FOLDS


def _rates(found: Sequence[Judged], probabilities: Sequence[float], nothing: float) -> dict[str, Any]:
    """For all cases and each set: how many questions of each kind there are, and which share was refused."""
    figures: dict[str, Any] = {}
    for name in ("all", *sorted({case.set for case in found})):
        rows = [(c, p) for c, p in zip(found, probabilities, strict=True) if name in ("all", c.set)]
        figures[name] = {
            kind: {"questions": len(refused), "refused": float(np.mean(refused)) if refused else None}
            for kind, answerable in (("unanswerable", False), ("answerable", True))
            for refused in [[p < nothing for case, p in rows if case.answerable is answerable]]
        }
    return figures


def handbook(embedder: Embedder) -> Iterator[Judged]:
    """The sample's Markdown pages; ships with Teamlore, so a calibration needs no other data."""
    recipe = plain_recipe(embedder.name)
    source = FolderSource("handbook", SAMPLE / "handbook", exclude=("*.pdf", "*.docx", "*.png", "*.xlsx"))
    pages = [source.fetch(listing) for listing in source.listings() if listing.id.endswith(".md")]
    passages = [passage for page in pages for passage in recipe.passages(page)]
    search = _Search(passages, embedder)
    for case in read_cases():
        if case.kind in _ANSWERED or case.kind in _UNANSWERED:
            turns = [{"speaker": turn.role, "text": turn.text} for turn in case.history]
            query = _query([*turns, {"speaker": "user", "text": case.question}])
            yield Judged("handbook", case.question, weigh(query, search.find(query)), case.kind in _ANSWERED)
    for route, text in shipped_lines():
        if route is RouteName.OUT_OF_SCOPE:
            query = _query([{"speaker": "user", "text": text}])
            yield Judged("off_topic", text, weigh(query, search.find(query)), False)


def _mtrag(folder: Path, embedder: Embedder) -> Iterator[Judged]:
    passages = [_passage(row["_id"], row["text"]) for row in _rows(folder / "corpus_pooled.jsonl")]
    search = _Search(passages, embedder)
    for row in _rows(folder / "tasks_mtrag_un.jsonl"):
        kind = row["answerability"][0]
        if kind in ("ANSWERABLE", "UNANSWERABLE"):
            query = _query(row["conversation"])
            yield Judged("mtrag", row["_id"], weigh(query, search.find(query)), kind == "ANSWERABLE")


def _rgb(path: Path, embedder: Embedder) -> Iterator[Judged]:
    for row in _records(path):
        good, noise = _flat(row["positive"]), _flat(row["negative"])
        query = _query([{"speaker": "user", "text": row["query"]}])
        for texts, answerable in ((good + noise, True), (noise, False)):
            passages = [_passage(str(n), text) for n, text in enumerate(texts) if text.strip()]
            if passages:
                hits = _Search(passages, embedder).find(query)
                yield Judged(f"rgb/{path.stem}", row["query"], weigh(query, hits), answerable)


class _Search:
    """The product's fusion over both legs, in memory."""

    def __init__(self, passages: Sequence[Passage], embedder: Embedder) -> None:
        self._passages = {passage.id: passage for passage in passages}
        self._keywords = Keywords({p.id: "\n".join((p.title, p.section, p.text)) for p in passages})
        texts = [embedded_text(passage) for passage in passages]
        parts = [embedder.embed_documents(texts[start : start + 64]) for start in range(0, len(texts), 64)]
        self._vectors = np.vstack(parts)
        self._embedder = embedder

    def find(self, query: Query) -> list[Hit]:
        """The evidence that the gate is shown."""
        near = self._vectors @ self._embedder.embed_queries([query.text])[0]
        legs = {"keyword": self._keywords.scores(query.text), "vector": near}
        fused = fuse({leg: self._leg(leg, scores) for leg, scores in legs.items()}, _WEIGHTS, "relative")
        return [
            Hit(self._passages[lead.id], lead.score, lead.scores, lead.ranks) for lead in fused[:_EVIDENCE]
        ]

    def _leg(self, leg: str, scores: Any) -> list[Lead]:
        ids = list(self._passages)
        order = [row for row in np.argsort(-scores, kind="stable")[:_CANDIDATES] if scores[row] > 0]
        return [
            Lead(ids[int(row)], float(scores[row]), {leg: float(scores[row])}, {leg: rank})
            for rank, row in enumerate(order, 1)
        ]


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


def _sigmoid(values: Any) -> Any:
    return 1 / (1 + np.exp(-np.clip(values, -30, 30)))
