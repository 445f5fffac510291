"""What was said in channels that are sources: our own copy, since Slack gives its history out slowly."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Index, String, Text, select
from sqlalchemy.orm import Mapped, mapped_column

from storage.base import Base, Database


class MessageRow(Base):
    """A deleted message keeps its row, so that an event that comes late does not bring it back."""

    __tablename__ = "messages"
    __table_args__ = (Index("messages_by_thread", "team", "channel", "thread"),)

    team: Mapped[str] = mapped_column(String(64), primary_key=True)
    channel: Mapped[str] = mapped_column(String(32), primary_key=True)
    ts: Mapped[str] = mapped_column(String(32), primary_key=True)
    thread: Mapped[str] = mapped_column(String(32))
    user: Mapped[str] = mapped_column(String(64))
    text: Mapped[str] = mapped_column(Text)
    changed: Mapped[str] = mapped_column(String(32), default="")
    deleted: Mapped[bool] = mapped_column(default=False)


@dataclass(frozen=True)
class Said:
    """One message. `thread` is the first message's ts; `changed` the ts of the last edit, empty for none."""

    ts: str
    thread: str
    user: str
    text: str
    changed: str = ""


@dataclass(frozen=True)
class Messages:
    database: Database

    def put(self, team: str, channel: str, messages: Iterable[Said]) -> None:
        """Add messages or their edits, in any order and as often as they come: the newest edit stays."""
        with self.database.session() as session:
            for said in messages:
                row = session.get(MessageRow, (team, channel, said.ts))
                if row is None:
                    session.add(MessageRow(team=team, channel=channel, **vars(said)))
                elif not row.deleted and said.changed > row.changed:
                    row.text, row.changed = said.text, said.changed

    def delete(self, team: str, channel: str, ts: str) -> None:
        """Blank a message. It need not be known: its own event may come later."""
        with self.database.session() as session:
            gone = MessageRow(team=team, channel=channel, ts=ts, thread=ts, user="", text="", deleted=True)
            known = session.get(MessageRow, (team, channel, ts))
            if known is not None:
                gone.thread = known.thread
            session.merge(gone)

    def of_channel(self, team: str, channel: str) -> list[Said]:
        """All that was said and not deleted, oldest first."""
        wanted = select(MessageRow).where(MessageRow.team == team, MessageRow.channel == channel)
        with self.database.session() as session:
            rows = list(session.scalars(wanted.where(MessageRow.deleted.is_(False)).order_by(MessageRow.ts)))
        return [Said(row.ts, row.thread, row.user, row.text, row.changed) for row in rows]

    def newest(self, team: str, channel: str) -> str:
        """The ts from which history is read on; empty when nothing is known."""
        wanted = select(MessageRow.ts).where(MessageRow.team == team, MessageRow.channel == channel)
        with self.database.session() as session:
            return session.scalar(wanted.order_by(MessageRow.ts.desc()).limit(1)) or ""
