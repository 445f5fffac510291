"""What people chose for a channel, and the record of every change that an administrator made."""

from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import JSON, Index, String, bindparam, select
from sqlalchemy.orm import Mapped, mapped_column

from storage.base import Base, Database, Utc


@dataclass(frozen=True)
class ChannelSettings:
    """A channel's choices. `handoff` is a user, user group or channel id; `sources` empty means all."""

    follow_ups: bool = True
    unmentioned: bool = False
    feedback: bool = True
    language: Literal["", "en", "zh"] = ""
    tone: Literal["", "brief", "detailed"] = ""
    sources: tuple[str, ...] = ()
    handoff: str = ""
    bots: bool = False


class ChannelSettingsRow(Base):
    """One channel's choices; channel `*` holds those of the whole workspace, like the digest's channel."""

    __tablename__ = "channel_settings"

    team: Mapped[str] = mapped_column(String(32), primary_key=True)
    channel: Mapped[str] = mapped_column(String(32), primary_key=True)
    choices: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)


class AuditRow(Base):
    """One change: who did what."""

    __tablename__ = "audit"
    __table_args__ = (Index("ix_audit_team_at", "team", "at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    team: Mapped[str] = mapped_column(String(32))
    user: Mapped[str] = mapped_column(String(32))
    action: Mapped[str] = mapped_column(String(50))
    detail: Mapped[str] = mapped_column(String(500), default="")
    at: Mapped[datetime] = mapped_column(Utc, default=lambda: datetime.now(UTC))


@dataclass(frozen=True)
class Choices:
    """Raises sqlalchemy.exc.SQLAlchemyError."""

    database: Database

    def of_channel(self, team: str, channel: str) -> ChannelSettings:
        """A channel's settings; the defaults where nobody chose."""
        known = {field.name for field in fields(ChannelSettings)}
        stored: dict[str, Any] = {k: v for k, v in self._stored(team, channel).items() if k in known}
        stored["sources"] = tuple(stored.get("sources", ()))
        return ChannelSettings(**stored)

    def change(self, team: str, channel: str, settings: ChannelSettings) -> None:
        """Save a channel's settings."""
        self._store(team, channel, asdict(settings))

    def digest(self, team: str) -> str:
        """The channel of the weekly digest, empty when none was chosen."""
        return str(self._stored(team, "*").get("digest") or "")

    def send_digest_to(self, team: str, channel: str) -> None:
        """Choose the channel of the weekly digest; empty ends it."""
        self._store(team, "*", {"digest": channel})

    def digests(self) -> list[tuple[str, str]]:
        """Every workspace that wants a digest, with its channel."""
        with self.database.session() as session:
            rows = session.scalars(select(ChannelSettingsRow).filter_by(channel="*"))
            return [(row.team, row.choices["digest"]) for row in rows if row.choices.get("digest")]

    def record(self, team: str, user: str, action: str, detail: str = "") -> None:
        """Write a change down."""
        with self.database.session() as session:
            session.add(AuditRow(team=team, user=user, action=action, detail=detail[:500]))

    def audit(self, team: str, limit: int = 20) -> list[AuditRow]:
        """The newest changes first."""
        wanted = select(AuditRow).filter_by(team=team).order_by(AuditRow.id.desc()).limit(limit)
        with self.database.session() as session:
            return list(session.scalars(wanted))

    def _stored(self, team: str, channel: str) -> dict[str, Any]:
        with self.database.plain() as connection:
            found = connection.execute(_CHOSEN, {"in": team, "at": channel}).scalar_one_or_none()
        return dict(found or {})

    def _store(self, team: str, channel: str, choices: dict[str, Any]) -> None:
        with self.database.session() as session:
            session.merge(ChannelSettingsRow(team=team, channel=channel, choices=choices))


_CHOSEN = select(ChannelSettingsRow.choices).where(
    ChannelSettingsRow.team == bindparam("in"), ChannelSettingsRow.channel == bindparam("at")
)
