from types import SimpleNamespace
from typing import Any

import pytest

from retrieval.errors import Transient
from retrieval.providers import weaviate_size
from retrieval.providers.weaviate_size import LARGE, compress_when_large


class Collection:
    """Says that it takes no writes as often as told, once its vectors are being compressed."""

    def __init__(self, refusals: int) -> None:
        self.refusals, self.quantizer, self.config = refusals, None, self

    def get(self) -> Any:
        vectors = SimpleNamespace(vector_index_config=SimpleNamespace(quantizer=self.quantizer))
        return SimpleNamespace(vector_config={"text": vectors})

    def update(self, vector_config: Any) -> None:
        self.quantizer = vector_config

    def get_shards(self) -> list[Any]:
        self.refusals -= 1
        status = "READY" if self.quantizer is None or self.refusals < 0 else "READONLY"
        return [SimpleNamespace(status="READY"), SimpleNamespace(status=status)]


@pytest.fixture(autouse=True)
def brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weaviate_size, "_LOOK_S", 0.0)


def test_who_compresses_waits_until_passages_can_be_written() -> None:
    collection = Collection(refusals=3)
    assert compress_when_large(collection, LARGE)
    assert collection.refusals < 0


def test_vectors_are_compressed_once_and_only_those_of_large_teams() -> None:
    collection = Collection(refusals=0)
    assert not compress_when_large(collection, LARGE - 1)
    assert compress_when_large(collection, LARGE)
    assert not compress_when_large(collection, LARGE)


def test_a_compression_without_end_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weaviate_size, "_PATIENCE_S", 0.01)
    with pytest.raises(Transient, match="compressing"):
        compress_when_large(Collection(refusals=10**9), LARGE)
