"""Several steps without a model: from the question to the things that it names, to those that they mention.

"Where was the director of Blood Street born?" finds the passage named Blood Street; it mentions Leo Fong, and
a passage is named so. What is reached so scores by how it was reached and by the question's own search
(2WikiMultihop, published pool: all gold passages in the top 8 for .97 of questions, .43 by search alone).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from retrieval.graph.names import mentioned, spans
from retrieval.ports import Library, Searcher
from retrieval.search.analyze import fold
from retrieval.search.named import named_first
from retrieval.tracing import record, traced
from retrieval.types import Hit, Passage, Query
from retrieval.understand.language import has_han
from storage.names import Names, Naming

DIRECT = 1.2
"""Score of a passage that the question names: above any that a search found."""

DECAY = 0.8
"""What is left of a score after a step."""

ECHO = 0.5
"""Weight of the question's own search in the score of a passage reached by a step."""

SEEDS = 6
"""Passages whose mentions are followed."""

POOL = 100
"""Passages of the question's own search that are remembered."""

NAMESAKES = 3
"""Passages taken for one name."""

COMMON = 0.25
"""Share of the question's own hits that may mention a name: what all of them are about leads nowhere."""

ENOUGH = 8
"""Hits from which on that share says something."""


@dataclass(frozen=True)
class Hops:
    """The Searcher of questions of several steps, and the Graph port. Sees only what the scope may read."""

    searcher: Searcher
    names: Names
    library: Library

    def search(self, query: Query, limit: int) -> list[Hit]:
        """The question's own hits and those reached by names, best first."""
        found = self.searcher.search(query, max(limit, POOL))
        reached = {hit.passage.id: hit for hit in self.neighbours(query, POOL, found)}
        return named_first(query, _best({**_levelled(found), **reached}.values(), 2 * POOL))[:limit]

    @traced("graph")
    def neighbours(self, query: Query, limit: int, found: Sequence[Hit] = ()) -> list[Hit]:
        """Passages named by the question, and those named by what they and `found` say."""
        base = _levelled(found)
        texts = [fold(hit.passage.text).lower() for hit in found]
        direct = [_hit(passage, DIRECT, "named") for passage in self._follow(query, query.text, texts)]
        others = [
            hit for hit in _best(base.values(), SEEDS) if hit.passage not in {d.passage for d in direct}
        ]
        steps = [hit for seed in [*direct, *others] for hit in self._step(query, seed, base, texts)]
        record(named=len(direct), reached=len(steps))
        # Of several ways to a passage the best counts.
        ways = sorted([*direct, *steps], key=lambda hit: hit.score)
        return _best({hit.passage.id: hit for hit in ways}.values(), limit)

    def _step(self, query: Query, seed: Hit, base: dict[str, Hit], texts: Sequence[str]) -> list[Hit]:
        return [
            _hit(p, DECAY * seed.score + ECHO * (base[p.id].score if p.id in base else 0), "hop")
            for p in self._follow(query, seed.passage.text, texts)
            if p.id != seed.passage.id
        ]

    def _follow(self, query: Query, text: str, texts: Sequence[str]) -> list[Passage]:
        """Passages about what the text mentions, in the order of the mentions; not what all texts mention."""
        namings = self.names.find(query.scope.team, {key for _, _, key in spans(text)})
        keys = [key for key in mentioned(text, {naming.key for naming in namings}) if _tells(key, texts)]
        chosen = dict.fromkeys(n.passage_id for key in keys for n in _strongest(namings, key))
        passages = {passage.id: passage for passage in self.library.fetch(list(chosen), query.scope)}
        return [passages[id] for id in chosen if id in passages]


def _tells(key: str, texts: Sequence[str]) -> bool:
    """Whether few of the texts in the name's script mention it; those in the other one cannot."""
    alike = [text for text in texts if has_han(text) or not has_han(key)]
    return len(alike) < ENOUGH or sum(key in text for text in alike) <= COMMON * len(alike)


def _strongest(namings: Sequence[Naming], key: str) -> list[Naming]:
    """The namings of the strongest kind; a heading does not compete with a title.

    What many documents are called, or call a part of theirs ("China", "Data"), is a word and names nothing.
    """
    alike = [naming for naming in namings if naming.key == key]
    best = [naming for naming in alike if naming.strength == alike[0].strength]
    return best[:NAMESAKES] if len({naming.document_id for naming in best}) < NAMESAKES else []


def _levelled(found: Sequence[Hit]) -> dict[str, Hit]:
    """The question's hits with scores between 0 and 1, in the search's order: it knows more than scores."""
    if not found:
        return {}
    scores = list(accumulate((hit.score for hit in reversed(found)), max))[::-1]
    low, high = scores[-1], scores[0]
    width = (high - low) or 1.0
    levels = [(score - low) / width for score in scores]
    return {
        hit.passage.id: replace(hit, score=level) for hit, level in zip(found[:POOL], levels, strict=False)
    }


def _hit(passage: Passage, score: float, stage: str) -> Hit:
    return Hit(passage, score, {stage: score})


def _best(hits: Iterable[Hit], limit: int) -> list[Hit]:
    return sorted(hits, key=lambda hit: -hit.score)[:limit]
