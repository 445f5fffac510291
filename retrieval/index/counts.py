"""What one run over a source did, in numbers and reasons."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any


@dataclass(frozen=True)
class Failure:
    """A document that was not read, with the reason for people. `transient`: the next run tries again."""

    id: str
    title: str
    reason: str
    transient: bool = False


@dataclass(frozen=True)
class Tally:
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))

    @classmethod
    def between(cls, before: Mapping[str, str], after: Mapping[str, str]) -> "Tally":
        """What turns `before` into `after`, both from ids to content hashes."""
        both = before.keys() & after.keys()
        changed = sum(before[id] != after[id] for id in both)
        return cls(len(after) - len(both), changed, len(both) - changed, len(before) - len(both))


@dataclass(frozen=True)
class Counts:
    documents: Tally = Tally()
    passages: Tally = Tally()
    failed: tuple[Failure, ...] = ()
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.documents + other.documents,
            self.passages + other.passages,
            self.failed + other.failed,
            {**self.notes, **other.notes},
        )

    def as_json(self) -> dict[str, Any]:
        """The shape that `--json` prints: counts of documents and passages, and failures with reasons."""
        return {
            "documents": {**vars(self.documents), "failed": len(self.failed)},
            "passages": vars(self.passages),
            "failed": [{"id": one.id, "title": one.title, "reason": one.reason} for one in self.failed],
            "notes": {id: list(notes) for id, notes in self.notes.items()},
        }
