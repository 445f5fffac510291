"""What compressing vectors and filtering cost: `python -m evals.bench_vectors` (`make bench-vectors`).

Compression: the passages and questions of the public sets through the product's embedder, in one collection a
quantiser; recall against exact neighbours, and the bytes of a vector in memory. Filters: drawn passages, of
which a tenth, a hundredth or a thousandth pass, by each of Weaviate's two ways of filtering an HNSW graph.
"""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from weaviate import WeaviateClient
from weaviate.classes.config import (
    Configure,
    DataType,
    Property,
    Tokenization,
    VectorDistances,
    VectorFilterStrategy,
)
from weaviate.classes.data import DataObject
from weaviate.classes.query import Filter

from evals.datasets import load
from evals.drawn import DrawnVectors, draw_passages, draw_questions
from evals.own_weaviate import own_weaviate
from evals.run import percentiles
from retrieval.ports import Vectors
from retrieval.providers.weaviate_rows import embedded_text
from retrieval.providers.weaviate_store import connect
from workers.choices import choose_embedder
from workers.settings import load_settings

SETS = ("xquad_en", "xquad_zh", "anthropic_contextual", "cmrc2018_dev", "mtrag")
QUESTIONS = 400
NEAREST = 100
FILTERED = ("author", "product_line", "source")
Row = dict[str, Any]

_Q = Configure.VectorIndex.Quantizer
QUANTISERS: dict[str, tuple[Any, Callable[[int], float]]] = {
    "none": (_Q.none(), lambda d: 4 * d),
    "RQ, 8 bits": (_Q.rq(bits=8), lambda d: d + 16),
    "RQ, 1 bit": (_Q.rq(bits=1), lambda d: d / 8 + 16),
    "BQ": (_Q.bq(), lambda d: d / 8),
}
"""Each with the bytes of a vector of d dimensions that stay in memory; the rest is read for rescoring.

SQ and PQ are left out: they must be trained on a part of the vectors, which a growing collection lacks.
"""


def compressions(client: WeaviateClient, passages: Vectors, questions: Vectors) -> Iterator[Row]:
    """A row for each quantiser: recall of the nearest 10 and 100, milliseconds, bytes of a vector."""
    exact = np.argsort(-(questions @ passages.T), axis=1)[:, :NEAREST]
    for number, (name, (quantiser, size)) in enumerate(QUANTISERS.items()):
        rows = _collection(client, f"Quantised{number}", quantiser, VectorFilterStrategy.ACORN)
        _insert(rows, passages, [{} for _ in passages])
        found, took = _ask(rows, questions, [None] * len(questions))
        yield {
            "way": name,
            **{f"recall@{k}": _recall(found, exact, k) for k in (10, NEAREST)},
            **percentiles(took),
            "bytes": size(passages.shape[1]),
        }


def filters(client: WeaviateClient, count: int) -> Iterator[Row]:
    """A row for each way of filtering and share of passages that pass: recall and milliseconds."""
    embedder, drawn = DrawnVectors(), draw_passages(0, count)
    passages = embedder.embed_documents([passage.text for passage in drawn])
    questions = embedder.embed_queries(draw_questions(QUESTIONS, count))
    traits = [{name: getattr(passage, name) for name in FILTERED} for passage in drawn]
    for way in (VectorFilterStrategy.ACORN, VectorFilterStrategy.SWEEPING):
        rows = _collection(client, f"Filtered{way.value}", _Q.none(), way)
        _insert(rows, passages, traits)
        for name in FILTERED:
            yield {"way": way.value, **_filtered(rows, name, passages, questions, traits)}


def _filtered(
    rows: Any, name: str, passages: Vectors, questions: Vectors, traits: Sequence[dict[str, str]]
) -> Row:
    values = sorted({trait[name] for trait in traits})
    wanted = [values[number % len(values)] for number in range(len(questions))]
    told = np.array([trait[name] for trait in traits])
    scores = np.where(told[None, :] == np.array(wanted)[:, None], questions @ passages.T, -2.0)
    exact = np.argsort(-scores, axis=1)[:, :10]
    found, took = _ask(rows, questions, [Filter.by_property(name).equal(value) for value in wanted])
    right = [{int(at) for at in best if scores[n, at] > -2} for n, best in enumerate(exact)]
    outside = sum(told[at] != value for ids, value in zip(found, wanted, strict=True) for at in ids)
    recall = np.mean([len(set(ids[:10]) & best) / len(best) for ids, best in zip(found, right, strict=True)])
    return {
        "passing": 1 / len(values),
        "recall@10": float(recall),
        "outside": int(outside),
        **percentiles(took),
    }


def _collection(client: WeaviateClient, name: str, quantiser: Any, way: VectorFilterStrategy) -> Any:
    hnsw = Configure.VectorIndex.hnsw(
        distance_metric=VectorDistances.COSINE,
        max_connections=16,
        ef_construction=200,
        quantizer=quantiser,
        filter_strategy=way,
    )
    exact: Any = {"tokenization": Tokenization.FIELD, "index_searchable": False}
    return client.collections.create(
        name=name,
        properties=[Property(name=trait, data_type=DataType.TEXT, **exact) for trait in FILTERED],
        vector_config=Configure.Vectors.self_provided(vector_index_config=hnsw),
    )


def _insert(rows: Any, vectors: Vectors, traits: Sequence[dict[str, str]]) -> None:
    for start in range(0, len(vectors), 500):
        some = range(start, min(start + 500, len(vectors)))
        rows.data.insert_many(
            [
                DataObject(traits[at], uuid=f"00000000-0000-0000-0000-{at:012x}", vector=vectors[at].tolist())
                for at in some
            ]
        )


def _ask(rows: Any, questions: Vectors, where: Sequence[Any]) -> tuple[list[list[int]], list[float]]:
    found: list[list[int]] = []
    took: list[float] = []
    for vector, condition in zip(questions, where, strict=True):
        start = time.perf_counter()
        best = rows.query.near_vector(
            near_vector=vector.tolist(), filters=condition, limit=NEAREST, return_properties=[]
        ).objects
        took.append(1000 * (time.perf_counter() - start))
        found.append([int(str(row.uuid)[-12:], 16) for row in best])
    return found, took


def _recall(found: Sequence[Sequence[int]], exact: Any, k: int) -> float:
    return float(
        np.mean([len({*ids[:k]} & {*map(int, best[:k])}) / k for ids, best in zip(found, exact, strict=True)])
    )


def _show(title: str, rows: Sequence[Row]) -> None:
    table = Table(title=title)
    for column in rows[0]:
        table.add_column(column, justify="left" if column == "way" else "right")
    for row in rows:
        table.add_row(
            *(
                value if isinstance(value, str) else f"{value:.3f}".rstrip("0").rstrip(".")
                for value in row.values()
            )
        )
    Console().print(table)


def main(count: int) -> None:
    """Both tables."""
    settings = load_settings()
    embedder = choose_embedder(settings)
    sets = [load(name, settings.eval_data) for name in SETS]
    passages = embedder.embed_documents([embedded_text(passage) for one in sets for passage in one.passages])
    asked = [case.text for one in sets for case in one.cases]
    questions = embedder.embed_queries(asked[:: max(1, len(asked) // QUESTIONS)])
    with own_weaviate(settings.cache, {}) as urls:
        client = connect(urls.weaviate_http, urls.weaviate_grpc, urls.weaviate_api_key)
        try:
            _show(
                f"{len(passages):,} vectors of {embedder.name}",
                list(compressions(client, passages, questions)),
            )
            _show(f"{count:,} drawn passages, filtered", list(filters(client, count)))
        finally:
            client.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
