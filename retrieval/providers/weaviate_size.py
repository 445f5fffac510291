"""Keeps the vectors of large collections in a quarter of the memory, small ones as they are.

Rotational quantisation with 8 bits a dimension: nothing has to be trained, it may be switched on in a filled
collection, and the best candidates are scored again by whole vectors from disk.
"""

import time
from typing import Any

from weaviate.classes.config import Reconfigure

from retrieval.errors import Transient
from retrieval.providers.weaviate_failures import failures
from retrieval.providers.weaviate_schema import VECTOR

LARGE = 100_000
"""Passages of one team; 384 dimensions take 150 MB up to here, and a quarter of that beyond."""

_PATIENCE_S, _LOOK_S = 120, 0.1


def compress_when_large(collection: Any, passages: int) -> bool:
    """Switch the compression on when it pays; whether it was switched on now.

    Returns when passages can be written again, which Weaviate refuses while it compresses (0.7 s for 40,000
    of 384 dimensions). Raises Transient where that takes more than two minutes.
    """
    if passages < LARGE:
        return False
    with failures("compressing vectors"):
        if collection.config.get().vector_config[VECTOR].vector_index_config.quantizer is not None:
            return False
        hnsw = Reconfigure.VectorIndex.hnsw(quantizer=Reconfigure.VectorIndex.Quantizer.rq())
        collection.config.update(
            vector_config=Reconfigure.Vectors.update(name=VECTOR, vector_index_config=hnsw)
        )
        _wait_until_written(collection)
    return True


def _wait_until_written(collection: Any) -> None:
    end = time.monotonic() + _PATIENCE_S
    while any(shard.status == "READONLY" for shard in collection.config.get_shards()):
        if time.monotonic() > end:
            raise Transient("Weaviate is still compressing the vectors")
        time.sleep(_LOOK_S)
