"""Cohere's reranker and embeddings (API v2), or any server compatible with them.

The SDK's own retries are off, because Celery retries and the search falls back to its fused order.
"""

import base64
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import cohere
import httpx
import numpy as np
from cohere.core.api_error import ApiError
from cohere.core.parse_error import ParsingError
from cohere.core.request_options import RequestOptions

from retrieval.deadline import left
from retrieval.errors import Permanent, Transient
from retrieval.ports import Vectors
from retrieval.providers import batches
from retrieval.providers.failures import by_status
from retrieval.providers.prices import search_cost, token_cost
from retrieval.tracing import record_usage, span

_PER_RERANK = 100
"""Texts in one request: the size of one billed search unit."""
_QUERY = 5.0
"""Seconds for the vector of a question: without it the keyword leg goes on alone."""
_PIECE = 1500
"""Tokens of a passage judged at once; longer ones are split and keep their best piece's score."""


class CohereReranker:
    """Scores passages by Cohere's cross-encoder. `timeout` is in seconds a request."""

    def __init__(
        self, api_key: str, base_url: str = "", model: str = "rerank-v4.0-fast", timeout: float = 5
    ) -> None:
        self.name = f"cohere:{model}"
        self._model = model
        self._client = _client(api_key, base_url, timeout)
        self._timeout = timeout

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Relevance of each text, 0 to 1, in the order given."""
        pieces = [(row, piece) for row, text in enumerate(texts) for piece in _pieces(text)]
        best = [0.0] * len(texts)
        for start in range(0, len(pieces), _PER_RERANK):
            batch = pieces[start : start + _PER_RERANK]
            for (row, _), score in zip(batch, self._rerank(query, [p for _, p in batch]), strict=True):
                best[row] = max(best[row], score)
        return best

    def _rerank(self, query: str, texts: list[str]) -> list[float]:
        with span("cohere"), _failures():
            reply = self._client.rerank(
                model=self._model,
                query=batches.cut(query, tokens=2000),
                documents=texts,
                top_n=len(texts),
                request_options=_once(self._timeout),
            )
            units = _billed(reply.meta, "search_units") or 1
            record_usage(self.name, 0, 0, search_cost(self._model, units), "rerank")
        scores = {item.index: item.relevance_score for item in reply.results}
        if set(scores) != set(range(len(texts))):
            raise Permanent(f"cohere scored {len(scores)} of {len(texts)} texts")
        return [scores[row] for row in range(len(texts))]


class CohereEmbedder:
    """Embeddings with the input types that Cohere wants for questions and documents."""

    def __init__(
        self,
        api_key: str,
        base_url: str = "",
        model: str = "embed-v4.0",
        timeout: float = 30,
        dimensions: int = 1024,
    ) -> None:
        self.name = f"cohere:{model}"
        self.dimensions = dimensions
        self._model = model
        self._timeout = timeout
        self._client = _client(api_key, base_url, timeout)
        # Older models have one size and refuse the parameter.
        self._size: dict[str, Any] = (
            {} if "-v3" in model or "-v2" in model else {"output_dimension": dimensions}
        )

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of questions."""
        return self._all(texts, "search_query")

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of passages."""
        return self._all(texts, "search_document")

    def embed_pictures(self, pictures: Sequence[bytes]) -> Vectors:
        """Unit vectors of PNG pictures, by models of version 4; the service takes one a call."""
        rows = [self._embed("image", images=[_data_url(picture)]) for picture in pictures]
        return np.vstack(rows) if rows else np.zeros((0, self.dimensions), np.float32)

    def _all(self, texts: Sequence[str], kind: Literal["search_query", "search_document"]) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        parts = batches.split([text or " " for text in texts], texts_each=96, tokens_each=120_000)
        return np.vstack([self._embed(kind, texts=part) for part in parts])

    def _embed(
        self, kind: Literal["search_query", "search_document", "image"], **given: list[str]
    ) -> Vectors:
        """Vectors of `texts=` or `images=`."""
        with span("embed"), _failures():
            reply = self._client.v2.embed(
                model=self._model,
                input_type=kind,
                embedding_types=["float"],
                truncate="END",
                request_options=_once(_QUERY if kind == "search_query" else self._timeout),
                **given,
                **self._size,
            )
            tokens = int(_billed(reply.meta, "input_tokens") + _billed(reply.meta, "images"))
            record_usage(self.name, tokens, 0, token_cost(self._model, tokens), "embeddings")
        rows = np.asarray(reply.embeddings.float_ or [], np.float32)
        wanted = (sum(map(len, given.values())), self.dimensions)
        if rows.shape != wanted:
            raise Permanent(f"cohere sent vectors of shape {rows.shape}, wanted {wanted}")
        return batches.unit(rows)


def _client(api_key: str, base_url: str, timeout: float) -> cohere.ClientV2:
    return cohere.ClientV2(
        api_key or "none",
        base_url=base_url or None,
        timeout=timeout,
        max_retries=0,
        log_warning_experimental_features=False,
    )


def _once(timeout: float) -> RequestOptions:
    return {"timeout": left(timeout), "max_retries": 0}


def _pieces(text: str) -> list[str]:
    """A passage in parts that fit, cut at line ends or spaces where there are some."""
    pieces: list[str] = []
    while batches.tokens(text) > _PIECE:
        head = batches.cut(text, _PIECE)
        edge = max(head.rfind("\n"), head.rfind(" "), head.rfind("。"))
        head = head[: edge + 1] if edge > len(head) // 2 else head
        pieces.append(head)
        text = text[len(head) :]
    return [*pieces, text or " "]


def _data_url(picture: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(picture).decode()}"


def _billed(meta: Any, unit: str) -> float:
    billed = getattr(meta, "billed_units", None)
    return float(getattr(billed, unit, None) or 0)


@contextmanager
def _failures() -> Generator[None]:
    try:
        yield
    except httpx.TimeoutException:
        raise Transient("cohere did not answer in time") from None
    except httpx.TransportError:
        raise Transient("cohere cannot be reached") from None
    except ParsingError:
        raise Permanent("cohere sent a reply that cannot be read") from None
    except ApiError as error:
        headers: Mapping[str, str] = error.headers or {}
        raise by_status("cohere", error.status_code, headers) from None
