"""Stands in for Cohere's rerank and embed (API v2). `python -m tests.standins.cohere 8098` serves one."""

import re
import sys
import time
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from tests.standins.openai import pseudo_vector
from tests.standins.server import Reaction, Route, Standin


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Rerank(Strict):
    """The body of `POST /v2/rerank`."""

    model: str
    query: str = Field(min_length=1)
    documents: list[Annotated[str, Field(min_length=1)]] = Field(min_length=1, max_length=1000)
    top_n: int | None = Field(None, ge=1)
    max_tokens_per_doc: int | None = Field(None, ge=1)


class Embed(Strict):
    """The body of `POST /v2/embed`."""

    model: str
    texts: list[Annotated[str, Field(min_length=1)]] | None = Field(None, min_length=1, max_length=96)
    images: list[Annotated[str, Field(pattern=r"^data:image/(png|jpeg);base64,")]] | None = Field(
        None, min_length=1, max_length=1
    )
    input_type: Literal["search_query", "search_document", "classification", "clustering", "image"]
    embedding_types: list[Literal["float", "int8", "uint8", "binary", "ubinary", "base64"]]
    truncate: Literal["NONE", "START", "END"] = "END"
    output_dimension: Literal[256, 512, 1024, 1536] | None = None

    @model_validator(mode="after")
    def _whole(self) -> "Embed":
        if (self.images is None) == (self.texts is None):
            raise ValueError("texts or images, and not both")
        if (self.images is not None) != (self.input_type == "image"):
            raise ValueError("images have the input type image")
        return self


class CohereStandin(Standin):
    """Its reranker scores by the share of the question's words that a text holds."""

    def __init__(self, *, port: int = 0) -> None:
        routes = [Route("/v2/rerank", Rerank, self._rerank), Route("/v2/embed", Embed, self._embed)]
        super().__init__(routes, port=port)

    def _rerank(self, request: Rerank) -> Reaction:
        scored = [
            {"index": i, "relevance_score": share(request.query, t)} for i, t in enumerate(request.documents)
        ]
        best = sorted(scored, key=lambda item: -item["relevance_score"])[: request.top_n]
        meta = {"api_version": {"version": "2"}, "billed_units": {"search_units": 1}}
        return {"id": "rerank-1", "results": best, "meta": meta}

    def _embed(self, request: Embed) -> Reaction:
        size = request.output_dimension or 1024
        given = request.texts or request.images or []
        rows = [pseudo_vector(f"{request.input_type} {one}", size).tolist() for one in given]
        unit = "images" if request.images else "input_tokens"
        meta = {"api_version": {"version": "2"}, "billed_units": {unit: len(rows)}}
        return {
            "id": "embed-1",
            "response_type": "embeddings_by_type",
            "embeddings": {"float": rows},
            "meta": meta,
        }


def share(query: str, text: str) -> float:
    """Which part of the query's words (or Chinese characters) the text holds."""
    words = set(re.findall(r"[a-z0-9]+|[\u4e00-\u9fff]", query.lower()))
    held = set(re.findall(r"[a-z0-9]+|[\u4e00-\u9fff]", text.lower()))
    return len(words & held) / max(1, len(words))


if __name__ == "__main__":
    with CohereStandin(port=int(sys.argv[1])) as standin:
        print(f"COHERE_BASE_URL={standin.url} COHERE_API_KEY=test-key", flush=True)
        while True:
            time.sleep(3600)
