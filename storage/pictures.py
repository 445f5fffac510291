"""Pictures of the knowledge by what they look like, with who may see them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Index, String, delete, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from storage.base import Base, Database


class PictureRow(Base):
    """One picture in one passage; `look` is its perceptual hash in hexadecimal."""

    __tablename__ = "pictures"
    __table_args__ = (Index("ix_pictures_document", "team", "document_id"),)

    team: Mapped[str] = mapped_column(String(64), primary_key=True)
    passage_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    document_id: Mapped[str] = mapped_column(String(500))
    look: Mapped[str] = mapped_column(String(64))


class PictureReaderRow(Base):
    """One reader of one picture: a row, so that permission is a condition of the query itself."""

    __tablename__ = "picture_readers"

    team: Mapped[str] = mapped_column(String(64), primary_key=True)
    passage_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    reader: Mapped[str] = mapped_column(String(128), primary_key=True)


@dataclass(frozen=True)
class StoredPicture:
    """A picture, the passage that it stands in, and who may read that."""

    passage_id: str
    look: str
    readers: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Pictures:
    """Reads and writes looks of pictures. Raises sqlalchemy.exc.SQLAlchemyError."""

    database: Database

    def replace(self, team: str, document_id: str, pictures: Sequence[StoredPicture]) -> None:
        """Make `pictures` all those of a document."""
        with self.database.session() as session:
            _drop(session, team, document_id)
            for one in pictures:
                session.add(
                    PictureRow(team=team, passage_id=one.passage_id, document_id=document_id, look=one.look)
                )
                session.add_all(
                    PictureReaderRow(team=team, passage_id=one.passage_id, reader=reader)
                    for reader in one.readers
                )

    def drop(self, team: str, document_id: str) -> None:
        """Forget the pictures of a document."""
        with self.database.session() as session:
            _drop(session, team, document_id)

    def visible(self, team: str, readers: Collection[str]) -> list[StoredPicture]:
        """All pictures that share a reader with `readers`; their own readers are not told."""
        allowed = select(PictureReaderRow.passage_id).where(
            PictureReaderRow.team == team, PictureReaderRow.reader.in_(sorted(readers))
        )
        chosen = select(PictureRow).where(PictureRow.team == team, PictureRow.passage_id.in_(allowed))
        with self.database.session() as session:
            return [StoredPicture(row.passage_id, row.look) for row in session.scalars(chosen)]


def _drop(session: Session, team: str, document_id: str) -> None:
    ids = select(PictureRow.passage_id).where(PictureRow.team == team, PictureRow.document_id == document_id)
    readers = delete(PictureReaderRow).where(PictureReaderRow.team == team)
    session.execute(readers.where(PictureReaderRow.passage_id.in_(ids)))
    session.execute(delete(PictureRow).where(PictureRow.team == team, PictureRow.document_id == document_id))
