"""A parsed file to a document: its title, its dates, and what its source says of all its documents."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from pathlib import PurePosixPath

from retrieval.index.parse import Parsed
from retrieval.types import PUBLIC, Block, Document, Kind, Language


@dataclass(frozen=True)
class Traits:
    """What a source says of all its documents. `base_url` before a document's path makes its address."""

    readers: frozenset[str] = frozenset({PUBLIC})
    product_line: str = ""
    language: Language | None = None
    base_url: str = ""

    @property
    def digest(self) -> str:
        """Part of each listing's version, so that a change of permissions is a change of the document."""
        told = repr((sorted(self.readers), self.product_line, self.language, self.base_url))
        return blake2b(told.encode(), digest_size=6).hexdigest()


def build_document(
    parsed: Parsed,
    *,
    id: str,
    source: str,
    version: str,
    url: str,
    traits: Traits,
    updated_at: datetime | None = None,
) -> Document:
    """The document of one parsed file; `updated_at` is used where the file itself names no date."""
    return Document(
        id=id,
        source=source,
        title=parsed.title.strip() or title_of(parsed.blocks) or PurePosixPath(id).stem,
        version=version,
        blocks=parsed.blocks,
        readers=traits.readers,
        url=url,
        language=traits.language,
        product_line=traits.product_line,
        author=parsed.author.strip(),
        created_at=parsed.created_at,
        updated_at=parsed.updated_at or updated_at,
        notes=parsed.notes,
    )


def title_of(blocks: Sequence[Block]) -> str:
    """The headings of a title page, else the first heading when it stands at the top; else nothing."""
    first = [block for block in blocks if block.page == 1 and block.kind is not Kind.IMAGE]
    if first and all(block.kind is Kind.HEADING for block in first) and len(first) < len(blocks):
        return ": ".join(block.text for block in first[:3])
    top = next((block for block in blocks[:4] if block.kind is Kind.HEADING), None)
    return top.text if top is not None else ""
