"""Any LlamaHub reader (Confluence, Notion, Google Drive, Jira …), named in the configuration."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import blake2b
from importlib import import_module
from typing import Any

from retrieval.errors import Permanent, Transient, Unreadable
from retrieval.index.parse import parse
from retrieval.ports import Listing
from retrieval.sources.build import Traits, build_document
from retrieval.types import Document

_TITLES = ("title", "page_title", "name", "file_name", "filename", "subject")
_ADDRESSES = ("url", "web_url", "link", "source_url", "page_url", "source")
_CHANGED = ("last_modified", "last_modified_date", "last_edited_time", "updated_at", "modified", "updated")
_CREATED = ("created_at", "creation_date", "created_time", "created", "date")
_AUTHORS = ("author", "creator", "created_by", "owner")


@dataclass
class ReaderSource:
    """Readers deliver everything at once, so a run loads all and only the comparison is per document.

    `reader` is `module:Class`; `options` go to the class, `load` to its `load_data`.
    """

    name: str
    reader: str
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    load: Mapping[str, Any] = field(default_factory=dict[str, Any])
    traits: Traits = field(default_factory=Traits)
    _loaded: dict[str, Any] = field(default_factory=dict[str, Any])

    def listings(self) -> Iterator[Listing]:
        """Raises Permanent when the reader is missing or refuses its options, Transient when it fails."""
        self._loaded = {
            f"{self.name}/{_id(document, at)}": document for at, document in enumerate(self._load())
        }
        for id, document in self._loaded.items():
            told = repr((document.text, sorted(document.metadata.items(), key=str), self.traits.digest))
            version = blake2b(told.encode("utf-8", "replace"), digest_size=12).hexdigest()
            yield Listing(id, version, _first(document.metadata, _TITLES))

    def fetch(self, listing: Listing) -> Document:
        document = self._loaded.get(listing.id)
        if document is None:
            raise Unreadable("the reader no longer delivers it")
        told: Mapping[str, Any] = document.metadata
        parsed = parse(str(document.text).encode("utf-8", "replace"), "document.md")
        built = build_document(
            parsed,
            id=listing.id,
            source=self.name,
            version=listing.version,
            url=_first(told, _ADDRESSES),
            traits=self.traits,
            updated_at=_moment(_first(told, _CHANGED)),
        )
        title, author = _first(told, _TITLES), _first(told, _AUTHORS)
        return _named(built, title, author, _moment(_first(told, _CREATED)))

    def _load(self) -> list[Any]:
        module, _, name = self.reader.partition(":")
        try:
            reader = getattr(import_module(module), name)(**self.options)
        except ImportError as error:
            package = ".".join(module.split(".")[:3]).replace(".", "-").replace("_", "-")
            raise Permanent(f"{self.name}: the reader is not installed; install {package}") from error
        except (AttributeError, TypeError, ValueError) as error:
            raise Permanent(f"{self.name}: {self.reader} refuses its options: {error}") from error
        try:
            return list(reader.load_data(**self.load))
        except (TypeError, ValueError) as error:
            raise Permanent(f"{self.name}: {self.reader} refuses what it is to load: {error}") from error
        except Exception as error:  # readers raise whatever their services' libraries raise
            raise Transient(f"{self.name}: {self.reader} failed: {type(error).__name__}") from error


def _named(document: Document, title: str, author: str, created: datetime | None) -> Document:
    return replace(
        document,
        title=title or document.title,
        author=author or document.author,
        created_at=document.created_at or created,
    )


def _id(document: Any, at: int) -> str:
    """What the service calls it, else its address or place: the ids that LlamaIndex makes are random."""
    told: Mapping[str, Any] = document.metadata
    for key in ("page_id", "id", "document_id", "file_id", "file_path", "path", *_ADDRESSES):
        if told.get(key):
            return f"{told[key]}#{told['page_label']}" if told.get("page_label") else str(told[key])
    return str(at)


def _first(told: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    return next((str(told[key]) for key in keys if told.get(key)), "")


def _moment(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
