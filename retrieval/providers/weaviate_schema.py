"""What a collection of passages looks like in Weaviate, and what it is called.

One tenant a team. The name carries embedder, analysis and schema, so that a change of any of them fills a new
collection beside the old one; the alias `Passages` is moved when that is done.
"""

import hashlib
import re
from collections.abc import Callable
from typing import Any

import weaviate
from weaviate.classes.config import (
    Configure,
    DataType,
    Property,
    ReplicationDeletionStrategy,
    StopwordsPreset,
    Tokenization,
    VectorDistances,
)

from retrieval.search.analyze import analysis_name

SCHEMA_VERSION = 1
ALIAS = "Passages"
VECTOR = "text"
EXACT = (
    "passage_id",
    "document_id",
    "version",
    "kind",
    "parent",
    "language",
    "source",
    "product_line",
    "author",
)
SHOWN = ("text", "title", "section", "context", "url", "image")
TERMS = ("title_terms", "section_terms", "context_terms", "body_terms")
RETURNED = [*EXACT, *SHOWN, "readers", "position", "page", "created_at", "updated_at"]
"""What a passage is made of again."""

_TENANT = re.compile(r"[A-Za-z0-9_-]{1,48}")


def collection_name(embedder: str, dimensions: int, prefix: str = ALIAS) -> str:
    """Such as `Passages_local_multilingual_e5_small_384_a1_s1`."""
    slug = re.sub(r"[^A-Za-z0-9]+", "_", embedder).strip("_")
    return f"{prefix}_{slug}_{dimensions}_{analysis_name()}_s{SCHEMA_VERSION}"


def tenant_name(team: str) -> str:
    """A name that Weaviate allows; two teams never share one."""
    if _TENANT.fullmatch(team):
        return f"team-{team}"
    return f"hash-{hashlib.sha256(team.encode()).hexdigest()[:48]}"


def collection_settings(embedder: str, replicas: int = 1) -> dict[str, Any]:
    """Arguments of `collections.create`: field-tokenized ids and readers, our own words, our own vectors.

    The embedder's name is kept as the description, so that a house with another one can still ask it.

    Malkov & Yashunin 2018 (HNSW); Robertson & Zaragoza 2009 (BM25). Weaviate's stop words are off: the
    analysis drops them from questions.
    """
    hnsw = Configure.VectorIndex.hnsw(
        distance_metric=VectorDistances.COSINE,
        max_connections=16,
        ef_construction=200,
        quantizer=Configure.VectorIndex.Quantizer.none(),
    )
    return {
        "description": embedder,
        "properties": _properties(),
        "vector_config": [Configure.Vectors.self_provided(name=VECTOR, vector_index_config=hnsw)],
        "inverted_index_config": Configure.inverted_index(
            bm25_k1=1.2, bm25_b=0.75, stopwords_preset=StopwordsPreset.NONE
        ),
        "multi_tenancy_config": Configure.multi_tenancy(enabled=True),
        # What was deleted while a node was away must not come back with it.
        "replication_config": Configure.replication(
            factor=replicas,
            deletion_strategy=ReplicationDeletionStrategy.TIME_BASED_RESOLUTION,
        ),
    }


def _properties() -> list[Property]:
    return [
        *(_exact(name) for name in (*EXACT, "written")),
        *(_exact(name, DataType.TEXT_ARRAY) for name in ("readers", "headings")),
        *(Property(name=name, data_type=DataType.TEXT, **_HIDDEN) for name in SHOWN),
        *(Property(name=name, data_type=DataType.TEXT, **_WORDS) for name in TERMS),
        *(
            Property(name=name, data_type=DataType.INT, index_filterable=True)
            for name in ("position", "page")
        ),
        *(Property(name=name, data_type=DataType.DATE) for name in ("created_at", "updated_at", "moment")),
    ]


_HIDDEN: dict[str, Any] = {"index_filterable": False, "index_searchable": False}
_WORDS: dict[str, Any] = {"tokenization": Tokenization.WHITESPACE, "index_filterable": False}


def _exact(name: str, kind: DataType = DataType.TEXT) -> Property:
    """Matched as a whole: on Weaviate's default tokenization "Verified" also matches "Not Verified"."""
    return Property(name=name, data_type=kind, tokenization=Tokenization.FIELD, index_searchable=False)


def make_once(exists: Callable[[], bool], make: Callable[[], object]) -> None:
    """Make what does not exist; another thread or process may make it at the same moment."""
    if exists():
        return
    try:
        make()
    except weaviate.exceptions.UnexpectedStatusCodeError:
        if not exists():
            raise
