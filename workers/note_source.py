"""The notes that people confirmed, as a source like any other."""

from collections.abc import Iterable
from dataclasses import dataclass

from retrieval.errors import Unreadable
from retrieval.ports import Listing
from retrieval.types import Block, Document, Kind
from storage.base import Database
from storage.notes import NoteRow, Notes

NAME = "notes"


@dataclass
class NoteSource:
    database: Database
    tenant: str
    name: str = NAME

    def listings(self) -> Iterable[Listing]:
        """Every note, with its time as version."""
        for note in Notes(self.database).all(self.tenant):
            yield Listing(note.id, _version(note), note.title, len(note.text))

    def fetch(self, listing: Listing) -> Document:
        """One note. Raises Unreadable when it was deleted meanwhile."""
        note = Notes(self.database).find(listing.id)
        if note is None:
            raise Unreadable("the note was deleted")
        return Document(
            id=note.id,
            source=self.name,
            title=note.title,
            version=_version(note),
            blocks=(Block(Kind.PARAGRAPH, note.text, section=(note.title,)),),
            readers=frozenset(note.readers),
            url=note.url,
            author=note.author,
            created_at=note.at,
            updated_at=note.at,
        )


def _version(note: NoteRow) -> str:
    return note.at.isoformat()
