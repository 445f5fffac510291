"""Which documents a community's summary stands on."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Index, String, delete, select
from sqlalchemy.orm import Mapped, mapped_column

from storage.base import Base, Database


class CommunityRow(Base):
    """One document that supports one community."""

    __tablename__ = "communities"
    __table_args__ = (Index("ix_communities_document", "team", "document_id"),)

    team: Mapped[str] = mapped_column(String(64), primary_key=True)
    community_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    document_id: Mapped[str] = mapped_column(String(500), primary_key=True)


@dataclass(frozen=True)
class Communities:
    """Reads and writes what communities stand on. Raises sqlalchemy.exc.SQLAlchemyError."""

    database: Database

    def keep(self, team: str, community_id: str, document_ids: Iterable[str]) -> None:
        """Note the documents that a community stands on, instead of those noted before."""
        self.drop(team, community_id)
        with self.database.session() as session:
            session.add_all(
                CommunityRow(team=team, community_id=community_id, document_id=id) for id in set(document_ids)
            )

    def drop(self, team: str, community_id: str) -> None:
        """Forget a community."""
        chosen = (CommunityRow.team == team) & (CommunityRow.community_id == community_id)
        with self.database.session() as session:
            session.execute(delete(CommunityRow).where(chosen))

    def all(self, team: str) -> set[str]:
        """The ids of every community of a team."""
        with self.database.session() as session:
            return set(session.scalars(select(CommunityRow.community_id).where(CommunityRow.team == team)))

    def standing_on(self, team: str, document_id: str) -> list[str]:
        """The communities that a document supports."""
        chosen = (CommunityRow.team == team) & (CommunityRow.document_id == document_id)
        with self.database.session() as session:
            return sorted(session.scalars(select(CommunityRow.community_id).where(chosen)))
