"""Which things belong together: communities of names by who mentions whom (Leiden, igraph and leidenalg).

Computed offline for questions about a whole ("what are the risks of this project?"). Names are linked inside
one set of readers at a time, so a community, and the summary of it, is as readable as each of its passages.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, cast

import igraph
import leidenalg

from retrieval.graph.names import mentioned
from retrieval.types import Passage
from storage.names import Naming

SMALLEST = 3
"""Names in a community that is worth a summary."""

SEED = 20_261_130


@dataclass(frozen=True)
class Community:
    """Names that belong together, the most linked first, and the passages that link them."""

    id: str
    names: tuple[str, ...]
    passages: tuple[Passage, ...]
    readers: frozenset[str]


def find_communities(passages: Iterable[Passage], namings: Sequence[Naming]) -> list[Community]:
    """Communities of at least `SMALLEST` names, for each set of readers; same input, same output."""
    groups: dict[frozenset[str], list[Passage]] = defaultdict(list)
    for passage in passages:
        groups[passage.readers].append(passage)
    things = resolve(namings)
    return [
        community
        for readers in sorted(groups, key=sorted)
        for community in _communities(groups[readers], namings, things, readers)
    ]


def resolve(namings: Sequence[Naming]) -> dict[str, str]:
    """Each name's thing: names of just the same passages are spellings of one, called by the longest."""
    passages: dict[str, set[str]] = defaultdict(set)
    for naming in namings:
        passages[naming.key].add(naming.passage_id)
    spellings: dict[frozenset[str], list[str]] = defaultdict(list)
    for key in sorted(passages):
        spellings[frozenset(passages[key])].append(key)
    return {key: max(alike, key=len) for alike in spellings.values() for key in alike}


def _communities(
    passages: Sequence[Passage],
    namings: Sequence[Naming],
    things: dict[str, str],
    readers: frozenset[str],
) -> list[Community]:
    ids = {passage.id for passage in passages}
    about: dict[str, set[str]] = defaultdict(set)
    for naming in namings:
        if naming.passage_id in ids:
            about[naming.passage_id].add(naming.key)
    known = {key for keys in about.values() for key in keys}
    links: Counter[tuple[str, str]] = Counter()
    supports: dict[tuple[str, str], list[Passage]] = defaultdict(list)
    for passage in sorted(passages, key=lambda p: p.id):
        for link in _links(passage, about, known, things):
            links[link] += 1
            supports[link].append(passage)
    return [_community(members, links, supports, readers) for members in _partition(links)]


def _links(
    passage: Passage, about: dict[str, set[str]], known: set[str], things: dict[str, str]
) -> set[tuple[str, str]]:
    """Pairs of what a passage is about and what it mentions, each in alphabetical order."""
    subjects = {things[key] for key in about.get(passage.id, ())}
    objects = {things[key] for key in mentioned(passage.text, known)}
    return {(min(s, o), max(s, o)) for s in subjects for o in objects if s != o}


def _partition(links: Counter[tuple[str, str]]) -> list[set[str]]:
    if not links:
        return []
    edges = sorted((a, b, weight) for (a, b), weight in links.items())
    graph = cast(Any, igraph.Graph).TupleList(edges, weights=True)
    optimise = cast(Any, leidenalg).find_partition
    parts = optimise(graph, leidenalg.ModularityVertexPartition, weights="weight", seed=SEED)
    members = [{graph.vs[i]["name"] for i in part} for part in parts]
    return [part for part in members if len(part) >= SMALLEST]


def _community(
    members: set[str],
    links: Counter[tuple[str, str]],
    supports: dict[tuple[str, str], list[Passage]],
    readers: frozenset[str],
) -> Community:
    inside = {link: weight for link, weight in links.items() if members.issuperset(link)}
    weight: Counter[str] = Counter()
    for (a, b), count in inside.items():
        weight[a] += count
        weight[b] += count
    names = tuple(sorted(members, key=lambda name: (-weight[name], name)))
    passages = {p.id: p for link in sorted(inside, key=lambda k: -inside[k]) for p in supports[link]}
    told = "\n".join([*sorted(readers), *sorted(members)])
    return Community(sha256(told.encode()).hexdigest()[:16], names, tuple(passages.values()), readers)
