"""Keeps the vectors of large collections in a quarter of the memory, small ones as they are.

Rotational quantisation with 8 bits a dimension: nothing has to be trained, it may be switched on in a filled
collection, and the best candidates are scored again by whole vectors from disk.
"""

from typing import Any

from weaviate.classes.config import Reconfigure

from retrieval.providers.weaviate_failures import failures
from retrieval.providers.weaviate_schema import VECTOR

LARGE = 100_000
"""Passages of one team; 384 dimensions take 150 MB up to here, and a quarter of that beyond."""


def compress_when_large(collection: Any, passages: int) -> bool:
    """Switch the compression on when it pays; whether it was switched on now."""
    if passages < LARGE:
        return False
    with failures("compressing vectors"):
        if collection.config.get().vector_config[VECTOR].vector_index_config.quantizer is not None:
            return False
        hnsw = Reconfigure.VectorIndex.hnsw(quantizer=Reconfigure.VectorIndex.Quantizer.rq())
        collection.config.update(
            vector_config=Reconfigure.Vectors.update(name=VECTOR, vector_index_config=hnsw)
        )
    return True
