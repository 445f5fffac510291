"""What tests of indexing share: an index, a source and a ledger, all in memory."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import create_engine
from sqlalchemy.pool import StaticPool

from retrieval.errors import Transient, Unreadable
from retrieval.ports import Listing
from retrieval.types import PUBLIC, Block, Document, Kind, Passage
from storage.base import Base, Database
from storage.documents import Ledger

TEAM = "T1"


@dataclass
class MemoryIndex:
    """Keeps the Index port's promise, and counts what was written."""

    passages: dict[tuple[str, str], tuple[Passage, ...]] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)

    def replace(self, team: str, document_id: str, passages: Sequence[Passage]) -> None:
        self.written.append(document_id)
        self.passages[(team, document_id)] = tuple(passages)

    def forget(self, team: str, document_id: str) -> None:
        self.passages.pop((team, document_id), None)

    def texts(self) -> list[str]:
        return [passage.text for held in self.passages.values() for passage in held]


@dataclass(frozen=True)
class Page:
    """A document of a `PageSource`: paragraphs under headings; `fails` names what reading it raises."""

    sections: tuple[tuple[str, str], ...]
    readers: frozenset[str] = frozenset({PUBLIC})
    fails: str = ""


@dataclass
class PageSource:
    """A source whose documents are set by the test. `fetched` lists the ids that were read."""

    pages: Mapping[str, Page]
    name: str = "pages"
    fetched: list[str] = field(default_factory=list)

    def listings(self) -> Iterable[Listing]:
        return [Listing(id, repr(page), id) for id, page in sorted(self.pages.items())]

    def fetch(self, listing: Listing) -> Document:
        self.fetched.append(listing.id)
        page = self.pages[listing.id]
        if page.fails == "unreadable":
            raise Unreadable("it is locked by a password")
        if page.fails == "transient":
            raise Transient("the source did not answer")
        blocks = tuple(block for heading, text in page.sections for block in section(heading, text))
        return Document(listing.id, self.name, listing.id, listing.version, blocks, page.readers)


def section(heading: str, text: str) -> tuple[Block, Block]:
    return Block(Kind.HEADING, heading, level=1), Block(Kind.PARAGRAPH, text, (heading,))


def memory_ledger() -> Ledger:
    engine = create_engine("sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False})
    Base.metadata.create_all(engine)
    return Ledger(Database(engine))
