"""A node of three dies while documents are written and searched for: nothing is lost, nothing comes back."""

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from weaviate.classes.config import ConsistencyLevel

from evals.drawn import DrawnVectors, draw_passages
from retrieval.config import RetrievalConfig
from retrieval.errors import Transient
from retrieval.providers.weaviate_schema import tenant_name
from retrieval.providers.weaviate_store import WeaviateIndex
from retrieval.types import PUBLIC, Passage, Query, Scope
from tests.chaos.cluster import Cluster
from tests.office import until

pytestmark = [pytest.mark.live, pytest.mark.chaos, pytest.mark.timeout(300)]
TEAM, DOCUMENTS = "T1", 40
SCOPE = Scope(TEAM, "U1", "C1", frozenset({PUBLIC}))


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with Cluster() as cluster:
        yield cluster
        print(cluster.logs())


def open_index(cluster: Cluster, node: int) -> WeaviateIndex:
    return WeaviateIndex(cluster.client(node), DrawnVectors(), RetrievalConfig(replicas=3), prefix="Copied")


def documents() -> list[list[Passage]]:
    drawn = draw_passages(0, DOCUMENTS * 8)
    return [drawn[start : start + 8] for start in range(0, len(drawn), 8)]


def test_a_node_that_dies_under_load_loses_nothing_and_brings_nothing_back(cluster: Cluster) -> None:
    index, all_of_them = open_index(cluster, 0), documents()
    half = DOCUMENTS // 2
    for one in all_of_them[:half]:
        index.replace(TEAM, one[0].document_id, one)
    nodes = cluster.client(0).cluster.nodes(collection=index.name, output="verbose")
    assert [len(node.shards or ()) for node in nodes] == [1, 1, 1]
    until(lambda: copies(index, cluster) == [8 * half] * 3, 120)  # what a busy node missed is brought to it
    searching = Searching(index, all_of_them[0][0])
    with searching:
        cluster.kill(2)
        for one in all_of_them[half:]:
            until(lambda one=one: written(index, one), 60)
        index.forget(TEAM, all_of_them[1][0].document_id)
    assert searching.failures == 0
    assert searching.times > 0
    cluster.start(2)
    cluster.wait()
    returned = open_index(cluster, 2)
    kept = {p.id for one in (all_of_them[0], *all_of_them[2:]) for p in one}
    assert not shown(returned, all_of_them[1][0]) & {p.id for p in all_of_them[1]}
    until(lambda: copies(returned, cluster) == [len(kept)] * 3, 120)
    assert {p.id for p in returned.everything(TEAM)} == kept
    assert {p.id for p in index.everything(TEAM)} == kept


def shown(index: WeaviateIndex, wanted: Passage) -> set[str]:
    """Ids of the passages that a search for one hands out."""
    query = Query("q1", (wanted.text,), SCOPE)
    (leads,) = index.vector(DrawnVectors().embed_documents([wanted.text])[0], [query], 5)
    return {p.id for p in index.read([lead.id for lead in leads], SCOPE).values()}


def copies(index: WeaviateIndex, cluster: Cluster) -> list[int]:
    """How many passages each node holds itself."""
    return [sum(1 for _ in _own(cluster, node, index.name)) for node in range(3)]


def _own(cluster: Cluster, node: int, name: str) -> Iterator[Any]:
    collection: Any = cluster.client(node).collections.use(name).with_tenant(tenant_name(TEAM))
    return iter(collection.with_consistency_level(ConsistencyLevel.ONE).iterator(return_properties=[]))


def written(index: WeaviateIndex, one: list[Passage]) -> bool:
    """As the sync does: what fails is tried again."""
    try:
        index.replace(TEAM, one[0].document_id, one)
    except Transient:
        return False
    return True


class Searching:
    """Searches without pause while entered, and counts what failed or did not find."""

    def __init__(self, index: WeaviateIndex, wanted: Passage) -> None:
        self._index, self._wanted = index, wanted
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._search)
        self.times = self.failures = 0

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _search(self) -> None:
        query = Query("q1", (self._wanted.text,), SCOPE)
        vector = DrawnVectors().embed_documents([self._wanted.text])[0]
        while not self._done.is_set():
            self.times += 1
            try:
                (near,) = self._index.vector(vector, [query], 5)
                found = near and self._index.keyword(self._wanted.title, query, 5)
            except Transient:
                found = []
            self.failures += not found
            time.sleep(0.05)
