"""The nouns of Teamlore: frozen values that the stages take and return."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Literal, NamedTuple

PUBLIC = "public"
"""The reader held by every full member of a workspace."""

Language = Literal["en", "zh"]
Role = Literal["user", "assistant"]


class Kind(StrEnum):
    """What a block or passage is."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    TABLE = "table"
    CODE = "code"
    IMAGE = "image"
    MESSAGE = "message"
    SUMMARY = "summary"


class RouteName(StrEnum):
    """The roads a question can take."""

    SMALLTALK = "smalltalk"
    DOCUMENTS = "documents"
    TABLES = "tables"
    MULTIHOP = "multihop"
    LIVE = "live"
    OUT_OF_SCOPE = "out_of_scope"


class Outcome(StrEnum):
    """How a question ended."""

    ANSWERED = "answered"
    NOT_FOUND = "not_found"
    HANDED_OFF = "handed_off"
    SMALLTALK = "smalltalk"


@dataclass(frozen=True)
class Scope:
    """Who asks, and who will be able to read the answer.

    A passage is visible when it shares at least one reader with `readers`; `readers` holds only what
    *everybody* who will see the answer may read, so an answer never shows text to somebody who may not.
    `private` adds what the asker alone may read; it is used only to say that more exists, never to answer.
    """

    team: str
    user: str
    channel: str = ""
    readers: frozenset[str] = frozenset({PUBLIC})
    private: frozenset[str] = frozenset()


@dataclass(frozen=True)
class ImageRef:
    """A picture in the object store. `uri` is its address there; `sha256` names its bytes.

    `look`, by which copies are known, is a perceptual hash of 256 bits and the colours of 16 fields (red,
    green and blue of each, from the upper left), all in hexadecimal.
    """

    uri: str
    mime: str = "image/png"
    sha256: str = ""
    caption: str = ""
    text: str = ""
    look: str = ""


@dataclass(frozen=True)
class Question:
    """What a person typed. `id` is used everywhere: claim, task, memory, feedback, trace, apology.

    `due` is when the answer must be there, in seconds since the epoch; 0 where nobody waits.
    """

    id: str
    text: str
    scope: Scope
    thread: str = ""
    images: tuple[ImageRef, ...] = ()
    asked_at: datetime | None = None
    locale: str = ""
    fresh: bool = False
    due: float = 0.0


@dataclass(frozen=True)
class Turn:
    """One earlier question or answer of the thread; `evidence` are the ids of the passages it cited."""

    role: Role
    text: str
    evidence: tuple[str, ...] = ()
    at: datetime | None = None


@dataclass(frozen=True)
class Route:
    """Which road, who decided (`rule`, `classifier`, `model`, `default`), and how sure (0 to 1)."""

    name: RouteName
    decided_by: str
    confidence: float = 1.0


@dataclass(frozen=True)
class Filters:
    """Soft conditions on passages: any value of a field, all fields together; dates are inclusive."""

    kinds: tuple[Kind, ...] = ()
    sections: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    product_lines: tuple[str, ...] = ()
    languages: tuple[Language, ...] = ()
    authors: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None

    def __bool__(self) -> bool:
        return self != Filters()


@dataclass(frozen=True)
class Query:
    """A question that stands alone. `wordings[0]` is what is answered; the original is always among them.

    `relaxed` are conditions that found nothing and were dropped; `imagined` is a page made up to search by
    its meaning alone.
    """

    id: str
    wordings: tuple[str, ...]
    scope: Scope
    language: Language = "en"
    filters: Filters = Filters()
    relaxed: Filters = Filters()
    route: Route = Route(RouteName.DOCUMENTS, "default")
    facts: tuple[str, ...] = ()
    images: tuple[ImageRef, ...] = ()
    fresh: bool = False
    imagined: str = ""

    @property
    def text(self) -> str:
        """The stand-alone wording."""
        return self.wordings[0]


@dataclass(frozen=True)
class Block:
    """One heading, paragraph, table, code fence or figure of a document, in reading order.

    `section` is the path of headings above it; `rows` holds a table's cells, header first;
    `page` counts from 1.
    """

    kind: Kind
    text: str
    section: tuple[str, ...] = ()
    level: int = 0
    page: int | None = None
    anchor: str = ""
    rows: tuple[tuple[str, ...], ...] = ()
    caption: str = ""
    language: str = ""
    image: ImageRef | None = None


@dataclass(frozen=True)
class Document:
    """What a source delivers. `id` is stable over versions; `version` changes when anything did."""

    id: str
    source: str
    title: str
    version: str
    blocks: tuple[Block, ...]
    readers: frozenset[str] = frozenset({PUBLIC})
    url: str = ""
    language: Language | None = None
    product_line: str = ""
    author: str = ""
    created_at: datetime | None = None
    updated_at: datetime | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Passage:
    """What is indexed and found. `text` is what readers see; `context` situates it and is only indexed.

    `position` counts the passages of a document from 0; passages with the same `parent` are read together.
    """

    id: str
    document_id: str
    version: str
    text: str
    title: str = ""
    section: str = ""
    kind: Kind = Kind.PARAGRAPH
    context: str = ""
    parent: str = ""
    position: int = 0
    language: Language = "en"
    source: str = ""
    product_line: str = ""
    author: str = ""
    url: str = ""
    page: int | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    readers: frozenset[str] = frozenset({PUBLIC})
    image: ImageRef | None = None


class Lead(NamedTuple):
    """What a search points to before it is read, with the scores and ranks of a hit.

    `id` is the index's own for a passage; it tells nothing outside it. A tuple, since a search makes hundreds
    and a frozen dataclass takes five times as long to make.
    """

    id: str
    score: float
    scores: Mapping[str, float] = MappingProxyType({})
    ranks: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True)
class Hit:
    """A passage that a search found. `score` is that of the last stage; `scores` and `ranks` are by stage."""

    passage: Passage
    score: float
    scores: Mapping[str, float] = field(default_factory=dict[str, float])
    ranks: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True)
class Citation:
    """A passage that an answer really used, numbered as the reader sees it (from 1, one a document)."""

    number: int
    passage: Passage
    quote: str


@dataclass(frozen=True)
class Check:
    """What one check of an answer found; `score` lies between 0 (bad) and 1 (good)."""

    name: str
    passed: bool
    score: float = 1.0
    detail: str = ""


@dataclass(frozen=True)
class TableView:
    """Rows that an answer shows as a table; `sql` is what produced them."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    sql: str = ""


@dataclass(frozen=True)
class Answer:
    """Markdown with numbered citations. Carries no Slack markup."""

    text: str
    outcome: Outcome
    citations: tuple[Citation, ...] = ()
    images: tuple[ImageRef, ...] = ()
    checks: tuple[Check, ...] = ()
    revisions: int = 0
    cached_at: datetime | None = None
    language: Language = "en"
    route: Route = Route(RouteName.DOCUMENTS, "default")
    nearest: tuple[Passage, ...] = ()
    table: TableView | None = None
    degraded: tuple[str, ...] = ()
    more_in_private: bool = False

    @property
    def cached(self) -> bool:
        """Whether an earlier answer was shown again."""
        return self.cached_at is not None
