"""Real talk of a Slack channel, replayed as live events: late replies, edits, deletions, redeliveries."""

import json
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from sqlalchemy import create_engine

from retrieval.errors import Permanent
from retrieval.index.recipe import plain_recipe
from retrieval.index.shelves import Shelves
from retrieval.index.sync import sync
from retrieval.sources.talk import TalkSource, moment, spoken, talks_of
from retrieval.types import Passage
from storage.base import Base, Database
from storage.documents import Ledger
from storage.messages import Messages, Said

app = typer.Typer()
_TEAM, _CHANNEL = "replay", "C0REPLAY"
_EDITED, _DELETED, _AGAIN = 0.05, 0.03, 0.10


@dataclass(frozen=True)
class Event:
    """A message as it came, or the ts of one that was deleted."""

    said: Said | None = None
    deleted: str = ""


@dataclass
class _Held:
    """An index that only holds, since the replay is about counts and not about search."""

    passages: dict[str, tuple[Passage, ...]] = field(default_factory=dict[str, tuple[Passage, ...]])

    def replace(self, team: str, document_id: str, passages: Sequence[Passage]) -> None:
        self.passages[document_id] = tuple(passages)

    def forget(self, team: str, document_id: str) -> None:
        self.passages.pop(document_id, None)


def read_talk(path: Path) -> list[Said]:
    """Messages of a chat in JSON lines; the first of a conversation is its thread's. Raises Permanent."""
    if not path.exists():
        raise Permanent(f"no chat at {path}")
    roots: dict[str, str] = {}
    found: list[Said] = []
    for line in path.read_text("utf-8").splitlines():
        told = json.loads(line)
        ts = f"{datetime.fromisoformat(told['ts']).replace(tzinfo=UTC).timestamp():.6f}"
        root = roots.setdefault(told["conversation_id"], ts)
        found.append(Said(ts, root, told["user"], told["text"]))
    return found


def events_of(messages: Sequence[Said], seed: int = 7) -> Iterator[Event]:
    """Some messages are edited or deleted later, some events come twice, some in the wrong order."""
    chance = random.Random(seed)
    for said in messages:
        later = float(said.ts) + 60
        edited = Said(said.ts, said.thread, said.user, f"{said.text} (edited)", f"{later:.6f}")
        events = [Event(said)]
        if chance.random() < _EDITED:
            events.append(Event(edited))
        if chance.random() < _DELETED:
            events.append(Event(deleted=said.ts))
        if chance.random() < _AGAIN:
            events.append(events[0])
        if len(events) > 1 and chance.random() < _AGAIN:
            events.reverse()
        yield from events


def replay(messages: Sequence[Said], *, every: int = 2_000) -> dict[str, Any]:
    """Record all events, syncing now and then, and compare the index with what is left of the talk."""
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        engine = create_engine(f"sqlite:///{folder}/replay.db")
        Base.metadata.create_all(engine)
        database = Database(engine)
        store, ledger, held = Messages(database), Ledger(database), _Held()
        source = TalkSource("talk", "#replay", lambda: store.of_channel(_TEAM, _CHANNEL))
        arguments = (source, _TEAM, Shelves(held), ledger, plain_recipe("none"))
        events = list(events_of(messages))
        for at, event in enumerate(events, 1):
            _record(store, event)
            if at % every == 0:
                sync(*arguments)
        sync(*arguments)
        again = sync(*arguments)
        found = _compare(messages, events, held)
        engine.dispose()
    rerun = {
        "added": again.documents.added,
        "changed": again.documents.changed,
        "removed": again.documents.removed,
    }
    return {**found, "rerun": rerun, "seconds": round(time.perf_counter() - start, 1)}


def _record(store: Messages, event: Event) -> None:
    if event.said is not None:
        store.put(_TEAM, _CHANNEL, [event.said])
    else:
        store.delete(_TEAM, _CHANNEL, event.deleted)


def _compare(messages: Sequence[Said], events: Sequence[Event], held: _Held) -> dict[str, Any]:
    """The truth is worked out from the events alone: the newest text of each message that nobody deleted."""
    deleted = {event.deleted for event in events if event.deleted}
    newest: dict[str, Said] = {}
    for event in events:
        said = event.said
        if said is None or said.ts in deleted:
            continue
        if said.changed >= getattr(newest.get(said.ts), "changed", ""):
            newest[said.ts] = said
    truth = talks_of([newest[ts] for ts in sorted(newest)])
    texts = {id: "\n".join(passage.text for passage in found) for id, found in held.passages.items()}
    whole = [key for key, talk in truth.items() if _is_whole(talk, texts.get(f"talk/{key}", ""))]
    return {
        "messages": len(messages),
        "deleted": len(deleted),
        "edited": sum(bool(said.changed) for said in newest.values()),
        "documents": len(held.passages),
        "expected_documents": len(truth),
        "whole": len(whole),
        "passages": sum(map(len, held.passages.values())),
    }


def _is_whole(talk: Sequence[Said], text: str) -> bool:
    """Every message is in the document, in order and in its newest wording, and nothing besides."""
    lines = (f"{said.user},{moment(said.ts):%Y-%m-%d%H:%M}:{spoken(said.text, str)}" for said in talk)
    return "".join(text.split()) == "".join("".join(lines).split())


@app.command("talk")
def talk_command(
    data: Annotated[Path | None, typer.Option("--data", help="Folder of the sets.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Replay a real channel as live events; fails unless the index equals what is left of the talk."""
    from evals.cli import data_folder

    made = replay(read_talk(data_folder(data) / "slack_chats" / "racket_general_2019.jsonl"))
    print(json.dumps(made) if as_json else "\n".join(f"{key}: {value}" for key, value in made.items()))
    equal = made["documents"] == made["expected_documents"] == made["whole"]
    raise typer.Exit(int(not equal or any(made["rerun"].values())))
