"""The ledger of what was indexed: documents with versions, failures with reasons, runs and their locks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from sqlalchemy import JSON, DateTime, Index, RowMapping, String, Text, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, mapped_column

from storage.base import Base, Database

State = Literal["writing", "indexed", "failed"]


class DocumentRow(Base):
    """`state` is `writing` from before a document's passages are written until they are known to be there."""

    __tablename__ = "documents"
    __table_args__ = (Index("documents_by_source", "team", "source"),)

    team: Mapped[str] = mapped_column(String(64), primary_key=True)
    id: Mapped[str] = mapped_column(String(1024), primary_key=True)
    source: Mapped[str] = mapped_column(String(255))
    state: Mapped[str] = mapped_column(String(16))
    version: Mapped[str] = mapped_column(String(255))
    recipe: Mapped[str] = mapped_column(String(255))
    fingerprint: Mapped[str] = mapped_column(String(64), default="")
    title: Mapped[str] = mapped_column(Text, default="")
    url: Mapped[str] = mapped_column(Text, default="")
    reason: Mapped[str] = mapped_column(Text, default="")
    notes: Mapped[list[str]] = mapped_column(JSON, default=list)
    attempts: Mapped[int] = mapped_column(default=0)
    passage_count: Mapped[int] = mapped_column(default=0)
    passages: Mapped[dict[str, str]] = mapped_column(JSON, default=dict, deferred=True)
    indexed_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class SyncRow(Base):
    """One run over one source; also the lock that keeps a second run out while `until` lies ahead."""

    __tablename__ = "syncs"

    team: Mapped[str] = mapped_column(String(64), primary_key=True)
    source: Mapped[str] = mapped_column(String(255), primary_key=True)
    owner: Mapped[str] = mapped_column(String(255), default="")
    until: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    started_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    finished_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    done: Mapped[int] = mapped_column(default=0)
    total: Mapped[int] = mapped_column(default=0)
    error: Mapped[str] = mapped_column(Text, default="")
    counts: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)


@dataclass(frozen=True)
class Entry:
    """A document as the ledger knows it. `passages` maps ids to content hashes; read by `Ledger.passages`."""

    id: str
    source: str
    state: State
    version: str
    recipe: str
    fingerprint: str = ""
    title: str = ""
    url: str = ""
    reason: str = ""
    notes: tuple[str, ...] = ()
    attempts: int = 0
    passage_count: int = 0


@dataclass(frozen=True)
class SyncState:
    """The newest run of a source, as `status` shows it."""

    source: str
    running: bool
    done: int
    total: int
    started_at: datetime | None
    finished_at: datetime | None
    error: str
    documents: int
    passages: int
    failed: int
    counts: Mapping[str, Any] = field(default_factory=dict[str, Any])


_COLUMNS = tuple(Entry.__dataclass_fields__)


@dataclass(frozen=True)
class Ledger:
    """Every method is one short transaction."""

    database: Database

    def entries(self, team: str, source: str) -> dict[str, Entry]:
        """What is known of a source's documents, by id."""
        columns = [getattr(DocumentRow, name) for name in _COLUMNS]
        wanted = select(*columns).where(DocumentRow.team == team, DocumentRow.source == source)
        with self.database.session() as session:
            rows = session.execute(wanted).mappings().all()
        return {row["id"]: _entry(row) for row in rows}

    def passages(self, team: str, document_id: str) -> dict[str, str]:
        """Passage ids to content hashes of one document; empty for an unknown one."""
        with self.database.session() as session:
            found = session.scalar(_one(select(DocumentRow.passages), team, document_id))
        return dict(found or {})

    def begin(self, team: str, entry: Entry) -> None:
        """Note, before anything is written to the index, that a document is being worked on."""
        with self.database.session() as session:
            changed = session.execute(
                _one(update(DocumentRow), team, entry.id).values(
                    state="writing", version=entry.version, recipe=entry.recipe, attempts=entry.attempts
                )
            )
            if not changed.rowcount:  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
                session.add(_row(team, entry, {}))

    def settle(self, team: str, entry: Entry, passages: Mapping[str, str]) -> None:
        """Replace what is known of a document."""
        with self.database.session() as session:
            session.merge(_row(team, entry, passages))

    def touch(self, team: str, entry: Entry, version: str) -> None:
        """What is indexed of a document is what belongs to `version`; its passages are not touched."""
        with self.database.session() as session:
            held = _one(update(DocumentRow), team, entry.id)
            session.execute(held.values(version=version, recipe=entry.recipe, state="indexed", attempts=0))

    def release(self, team: str, ids: Iterable[str]) -> None:
        """These were left in good order; the attempt does not count against them."""
        with self.database.session() as session:
            for document_id in ids:
                session.execute(_one(update(DocumentRow), team, document_id).values(attempts=0))

    def expire(self, team: str, source: str) -> None:
        """Have every document of a source indexed again by the next run, parked ones too."""
        with self.database.session() as session:
            all_of_it = update(DocumentRow).where(DocumentRow.team == team, DocumentRow.source == source)
            session.execute(all_of_it.values(recipe=""))

    def reopen(self, team: str, ids: Iterable[str]) -> set[str]:
        """Have these documents written anew by the next run; returns the sources that they are of."""
        again = update(DocumentRow).values(state="writing", attempts=0).returning(DocumentRow.source)
        with self.database.session() as session:
            return {source for id in ids for source in session.scalars(_one(again, team, id))}

    def drop(self, team: str, document_id: str) -> None:
        with self.database.session() as session:
            session.execute(_one(delete(DocumentRow), team, document_id))

    def lock(self, team: str, source: str, owner: str, seconds: float, *, dead: str = "") -> str:
        """Take the source for `owner`; returns who holds it now (`owner` on success, else another).

        A lock that ran out, or whose owner is `dead`, is taken over. Calling again prolongs it.
        """
        now = datetime.now(UTC)
        with self.database.session() as session:
            free = (SyncRow.until.is_(None)) | (SyncRow.until < now) | (SyncRow.owner.in_((owner, dead)))
            held = session.execute(
                _sync(update(SyncRow), team, source)
                .where(free)
                .values(owner=owner, until=now + timedelta(seconds=seconds))
            )
            if held.rowcount:  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
                return owner
            current = session.scalar(_sync(select(SyncRow.owner), team, source))
        return current if current is not None else self._first_lock(team, source, owner, seconds)

    def unlock(self, team: str, source: str, owner: str) -> None:
        with self.database.session() as session:
            session.execute(
                _sync(update(SyncRow), team, source).where(SyncRow.owner == owner).values(until=None)
            )

    def report(self, team: str, source: str, **values: Any) -> None:
        """Set columns of the source's run: done, total, started_at, finished_at, error, counts."""
        with self.database.session() as session:
            session.execute(_sync(update(SyncRow), team, source).values(**values))

    def failures(self, team: str) -> list[Entry]:
        """Documents that could not be read, with their reasons, by source and id."""
        columns = [getattr(DocumentRow, name) for name in _COLUMNS]
        wanted = select(*columns).where(DocumentRow.team == team, DocumentRow.state == "failed")
        with self.database.session() as session:
            rows = session.execute(wanted.order_by(DocumentRow.source, DocumentRow.id)).mappings().all()
        return [_entry(row) for row in rows]

    def states(self, team: str) -> list[SyncState]:
        """Each source with its newest run and its totals, by name."""
        with self.database.session() as session:
            runs = list(session.scalars(select(SyncRow).where(SyncRow.team == team).order_by(SyncRow.source)))
            totals = session.execute(
                select(
                    DocumentRow.source, DocumentRow.state, func.count(), func.sum(DocumentRow.passage_count)
                )
                .where(DocumentRow.team == team)
                .group_by(DocumentRow.source, DocumentRow.state)
            ).all()
        counted = {(source, state): (count, passages or 0) for source, state, count, passages in totals}
        return [_state(run, counted) for run in runs]

    def titles(self, team: str, sources: Sequence[str], limit: int = 50) -> list[str]:
        """Titles of documents of these sources, those indexed last first."""
        of = (DocumentRow.team == team, DocumentRow.source.in_(sources), DocumentRow.state == "indexed")
        wanted = select(DocumentRow.title).where(*of, DocumentRow.title != "")
        with self.database.session() as session:
            newest = wanted.order_by(DocumentRow.indexed_at.desc()).limit(limit)
            return list(dict.fromkeys(session.scalars(newest)))

    def teams(self) -> list[str]:
        """Everybody who has documents."""
        with self.database.session() as session:
            return list(session.scalars(select(DocumentRow.team).distinct()))

    def _first_lock(self, team: str, source: str, owner: str, seconds: float) -> str:
        until = datetime.now(UTC) + timedelta(seconds=seconds)
        try:
            with self.database.session() as session:
                session.execute(insert(SyncRow).values(team=team, source=source, owner=owner, until=until))
        except IntegrityError:  # another process was first
            return self.lock(team, source, owner, seconds)
        return owner


def _entry(row: RowMapping) -> Entry:
    values: dict[str, Any] = {**row, "notes": tuple(row["notes"])}
    return Entry(**values)


def _one(statement: Any, team: str, document_id: str) -> Any:
    return statement.where(DocumentRow.team == team, DocumentRow.id == document_id)


def _sync(statement: Any, team: str, source: str) -> Any:
    return statement.where(SyncRow.team == team, SyncRow.source == source)


def _row(team: str, entry: Entry, passages: Mapping[str, str]) -> DocumentRow:
    values = {name: getattr(entry, name) for name in _COLUMNS} | {"notes": list(entry.notes)}
    now = datetime.now(UTC) if entry.state == "indexed" else None
    return DocumentRow(team=team, passages=dict(passages), indexed_at=now, **values)


def _state(run: SyncRow, counted: Mapping[tuple[str, str], tuple[int, int]]) -> SyncState:
    until = run.until.replace(tzinfo=UTC) if run.until and run.until.tzinfo is None else run.until
    documents, passages = counted.get((run.source, "indexed"), (0, 0))
    return SyncState(
        source=run.source,
        running=until is not None and until > datetime.now(UTC),
        done=run.done,
        total=run.total,
        started_at=run.started_at,
        finished_at=run.finished_at,
        error=run.error,
        documents=documents,
        passages=passages,
        failed=counted.get((run.source, "failed"), (0, 0))[0],
        counts=run.counts or {},
    )
