"""Pairs of questions with the figures that the cache's second step judges, from all sets at hand."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evals.cases.pairs import PAIRS as TRAPS
from evals.cases.pairs import Pair, read_pairs
from retrieval.cache.guards import difference, plain
from retrieval.cache.likeness import Reading, figures, kind_of
from retrieval.cache.verify import Verifier
from retrieval.ports import Vectors

LABELLED = {
    "qqp": "gptcache/qqp_sample6000.jsonl",
    "lcqmc": "zh_paraphrase/lcqmc_test.jsonl",
    "pawsx_zh": "zh_paraphrase/pawsx_zh_test.jsonl",
}
MOCK = "gptcache/mock_data.json"
MOCK_SET, ABSENT = "mock", "mock, own entry absent"
_NEAR = 5
_SMALL = 1000
"""Every second pair is judged in a cache of so few questions, since caches are small at first."""


@dataclass(frozen=True)
class Judged:
    """A question asked, one that was asked before, and whether they are one. `ask` numbers the former."""

    set: str
    ask: int
    asked: str
    earlier: str
    same: bool
    kind: str
    apart: str
    figures: list[float]


def read_labelled(path: Path) -> list[Pair]:
    """Pairs of one JSON-lines file with `a`, `b` and `label`."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        Pair(id=row["_id"], lang="en", kind=path.stem, a=row["a"], b=row["b"], share=bool(row["label"]))
        for row in rows
    ]


def load(name: str, data: Path, most: int | None = None) -> list[Pair]:
    """The pairs of `traps`, `mock` (each entry and its rewording) or a labelled set, at most `most`."""
    if name == "traps":
        return read_pairs(TRAPS)
    if name == "mock":
        rows = json.loads((data / MOCK).read_text(encoding="utf-8"))
        texts = [(row["origin"], row["similar"]) for row in rows]
        return [
            Pair(id=f"mock{n}", lang="en", kind="mock", a=a, b=b, share=True)
            for n, (a, b) in enumerate(texts)
        ]
    return read_labelled(data / LABELLED[name])[:most]


def judged(name: str, pairs: Sequence[Pair], verifier: Verifier) -> list[Judged]:
    """Each pair with its figures; for `mock` each question with its five nearest entries instead."""
    sides: tuple[list[str], list[str]] = [pair.a for pair in pairs], [pair.b for pair in pairs]
    earlier, asked = (list(_read(verifier, texts)) for texts in sides)
    near = np.stack([one.vector for one in asked]) @ np.stack([one.vector for one in earlier]).T
    rows: list[Judged] = []
    for ask, pair in enumerate(pairs):
        order = _pool(near[ask], ask, small=name != "mock" and bool(ask % 2))
        if name != "mock":
            rows.append(_row(name, ask, asked[ask], earlier, order, ask, same=pair.share))
            continue
        for place in order[:_NEAR]:
            same = plain(earlier[place].text) == plain(pair.a)
            rows.append(_row(name, ask, asked[ask], earlier, order, place, same=same))
        # The same question while its own entry is not there: whatever is nearest then is wrong.
        rest = [place for place in order[: 2 * _NEAR] if plain(earlier[place].text) != plain(pair.a)]
        rows.append(_row(ABSENT, ask, asked[ask], earlier, rest, rest[0], same=False))
    return rows


def _row(
    name: str,
    ask: int,
    asked: Reading,
    earlier: Sequence[Reading],
    order: Sequence[int],
    place: int,
    *,
    same: bool,
) -> Judged:
    own = earlier[place]
    others = [earlier[at] for at in order[:_NEAR] if plain(earlier[at].text) != plain(own.text)]
    found = figures(asked, own, others[: _NEAR - 1])
    a, b = own.text, asked.text
    return Judged(name, ask, b, a, same, kind_of(a, b), difference(a, b), found)


def _pool(near: Vectors, own: int, *, small: bool) -> list[int]:
    """Places of earlier questions, nearest first: all, or a few and the pair's own."""
    if not small:
        return np.argsort(-near, kind="stable").tolist()
    some = np.unique([own, *np.random.default_rng(own).integers(0, len(near), _SMALL)])
    return some[np.argsort(-near[some], kind="stable")].tolist()


def _read(verifier: Verifier, texts: Sequence[str]) -> Iterator[Reading]:
    for start in range(0, len(texts), 64):
        yield from verifier.read(texts[start : start + 64])
