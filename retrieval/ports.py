"""What the pipeline needs from the outside: one or two methods each, all protocols in this one file."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from retrieval.types import (
    Answer,
    Block,
    Check,
    Document,
    Hit,
    ImageRef,
    Passage,
    Query,
    Question,
    Route,
    Scope,
    TableView,
    Turn,
)

Vectors = NDArray[np.float32]
OnText = Callable[[str], None]
"""Receives the answer's Markdown piece by piece while it is written."""

Shape = TypeVar("Shape", bound=BaseModel)


@dataclass(frozen=True)
class Message:
    """One message to a language model; `images` go to models that see."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    images: tuple[bytes, ...] = ()
    tool_call_id: str = ""
    tool_calls: tuple["ToolCall", ...] = ()


@dataclass(frozen=True)
class Tool:
    """A tool that a model may call; `parameters` is a JSON Schema object."""

    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True)
class ToolCall:
    """A model's wish to call a tool."""

    id: str
    name: str
    arguments: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class Reply:
    """What a model answered: text, or tools that it wants called first."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()


class LLM(Protocol):
    """A language model. Raises Transient or Permanent. `name` is `provider:model`."""

    name: str

    def write(self, messages: Sequence[Message], *, max_tokens: int = 1024) -> str: ...
    def stream(self, messages: Sequence[Message], *, max_tokens: int = 1024) -> Iterator[str]: ...
    def extract(self, messages: Sequence[Message], shape: type[Shape]) -> Shape: ...
    def call_tools(self, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply: ...


class Embedder(Protocol):
    """Texts to unit vectors, shape (len(texts), dimensions). `name`, `provider:model`, names the index."""

    name: str
    dimensions: int

    def embed_queries(self, texts: Sequence[str]) -> Vectors: ...
    def embed_documents(self, texts: Sequence[str]) -> Vectors: ...


class PictureEmbedder(Protocol):
    """Pictures (encoded bytes) to unit vectors, shape (len(pictures), dimensions)."""

    name: str
    dimensions: int

    def embed_pictures(self, pictures: Sequence[bytes]) -> Vectors: ...


class Reranker(Protocol):
    """Scores how well each text answers the query, 0 to 1, in the order given."""

    name: str

    def score(self, query: str, texts: Sequence[str]) -> list[float]: ...


class Searcher(Protocol):
    """Finds passages that everybody in `query.scope` may read, best first, at most `limit`."""

    def search(self, query: Query, limit: int) -> list[Hit]: ...


class Library(Protocol):
    """Reads passages already known, within the scope's permissions: parents, neighbours, evidence."""

    def siblings(self, passages: Sequence[Passage], scope: Scope) -> list[Passage]: ...
    def fetch(self, ids: Sequence[str], scope: Scope) -> list[Passage]: ...


class Index(Protocol):
    """Holds exactly the passages of the newest version of each document."""

    def replace(self, team: str, document_id: str, passages: Sequence[Passage]) -> None: ...
    def forget(self, team: str, document_id: str) -> None: ...


class Keeper(Protocol):
    """Keeps something of each document beside its passages (tables, relations). Calls may be repeated."""

    def keep(self, team: str, document: Document, passages: Sequence[Passage]) -> None: ...
    def drop(self, team: str, document_id: str) -> None: ...


class Cache(Protocol):
    """Earlier answers that may be shown again to exactly this scope; `make` is called when there is none.

    Equal questions asked at once call `make` once (single flight). `query.fresh` skips the lookup.
    `reject` ends what a question was answered from, after its reader said that it is wrong.
    """

    def answer(self, query: Query, make: Callable[[], Answer]) -> Answer: ...
    def reject(self, team: str, question_id: str) -> bool: ...


class Memory(Protocol):
    """The thread so far, oldest first, and the facts that the asker told."""

    def recall(self, question: Question) -> list[Turn]: ...
    def keep(self, question: Question, query: Query, answer: Answer) -> None: ...
    def facts(self, question: Question) -> tuple[str, ...]: ...


class Router(Protocol):
    def route(self, question: Question, turns: Sequence[Turn]) -> Route: ...


class Rewriter(Protocol):
    """Makes a question stand alone: 1 to 3 wordings, the original always among them."""

    def rewrite(self, question: Question, turns: Sequence[Turn], route: Route) -> Query: ...


class Writer(Protocol):
    """Writes Markdown with [n] marks, n counting `evidence` from 1. Pieces go to `on_text` as they come."""

    name: str

    def write(self, query: Query, evidence: Sequence[Hit], turns: Sequence[Turn], on_text: OnText) -> str: ...


class Gate(Protocol):
    """Judges what was found: `answer`, `again` (rewrite and search once more) or `nothing`."""

    def judge(self, query: Query, hits: Sequence[Hit]) -> Literal["answer", "again", "nothing"]: ...


class Compressor(Protocol):
    """Keeps of each passage what bears on the question, within a budget of tokens."""

    def compress(self, query: Query, hits: Sequence[Hit]) -> list[Hit]: ...


class Checker(Protocol):
    """Checks an answer against its evidence."""

    def check(self, query: Query, text: str, evidence: Sequence[Hit]) -> list[Check]: ...


class Tables(Protocol):
    """Tables that the scope may read. Raises Permanent with the reason when a statement is refused."""

    def schema(self, query: Query) -> str: ...
    def select(self, sql: str, scope: Scope) -> TableView: ...


class Graph(Protocol):
    """Passages that support relations of the entities in a question."""

    def neighbours(self, query: Query, limit: int) -> list[Hit]: ...


class Ocr(Protocol):
    """Reads the text of an image (encoded bytes); `confidence` is 0 to 1. Raises Unreadable."""

    name: str

    def read(self, image: bytes) -> tuple[str, float]: ...


class See(Protocol):
    """Reads a figure (encoded bytes) into an image block, or None when there is nothing to read in it."""

    def __call__(self, image: bytes, caption: str, /) -> Block | None: ...


class ObjectStore(Protocol):
    """Keeps the original bytes of images, addressed by content."""

    def put(self, data: bytes, mime: str) -> ImageRef: ...
    def get(self, ref: ImageRef) -> bytes: ...


@dataclass(frozen=True)
class Listing:
    """One document as its source lists it, before its bytes are fetched."""

    id: str
    version: str
    title: str = ""
    size: int | None = None


class Source(Protocol):
    """Lists what exists with a version, and fetches one. Raises Unreadable for one that cannot be read."""

    name: str

    def listings(self) -> Iterable[Listing]: ...
    def fetch(self, listing: Listing) -> Document: ...
