"""The front desk: what listeners may touch. Everything on it answers within milliseconds or fails."""

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from redis import Redis

from bot.claims import Claims
from bot.parse import Payload, Said, part
from storage.answers import AnswerRow, Answers
from storage.base import Database
from storage.feedback import Feedback
from storage.messages import Messages
from storage.settings import Choices
from workers.channel_source import heard, mark_stale, watched
from workers.errands import Errand, Errands
from workers.ids import question_id
from workers.inbox import Inbox, Incoming
from workers.queue import Queue
from workers.shared_clock import SharedClock
from workers.stops import Stops
from workers.threads import KEPT_SECONDS, OVERHEARD_SECONDS, Line, Threads


@dataclass(frozen=True)
class Desk:
    redis: Redis
    queue: Queue
    database: Database
    most_waiting: int = 200

    @cached_property
    def clock(self) -> SharedClock:
        return SharedClock(self.redis)

    @property
    def threads(self) -> Threads:
        return Threads(self.redis)

    @property
    def stops(self) -> Stops:
        return Stops(self.redis, self.clock.now)

    @property
    def inbox(self) -> Inbox:
        return Inbox(self.redis, self.clock.now)

    @property
    def answers(self) -> Answers:
        return Answers(self.database)

    @property
    def choices(self) -> Choices:
        return Choices(self.database)

    @property
    def feedback(self) -> Feedback:
        return Feedback(self.database)

    def take(self, incoming: Incoming) -> bool:
        """Keep and queue a question once; False when it was taken before. Raises when it cannot be queued."""
        with Claims(self.redis).take(incoming.id) as first:
            if first:
                self._queue(incoming)
            return first

    def revise(self, incoming: Incoming) -> None:
        """Queue a known question anew, to be answered in the same message."""
        self._queue(replace(incoming, fresh=True, came_at=0.0))

    def known(self, team: str, channel: str, ts: str) -> Incoming | None:
        """A question that was taken before, with the revision that it has now."""
        id = question_id(team, channel, ts)
        row = self.answers.find(id)
        kept = self.inbox.load(id) or (_from_row(row) if row else None)
        revision = max(kept.revision, row.version if row else 1) if kept else 1
        return replace(kept, revision=revision) if kept else None

    def send(self, id: str, errand: Errand) -> None:
        """Keep and queue an errand once, whatever Slack delivers twice. Raises when it cannot be queued."""
        name = "e" + hashlib.sha256(id.encode()).hexdigest()[:16]
        with Claims(self.redis).take(name) as first:
            if first:
                Errands(self.redis).keep(name, errand)
                self.queue.run("run_errand", name)
                Claims(self.redis).keep(name)

    def overhear(self, said: Said) -> None:
        """Keep what people say among themselves for a while: we may be asked about it later."""
        place = (said.team, said.channel, said.thread)
        seconds = KEPT_SECONDS if said.in_thread and self.threads.joined(*place) else OVERHEARD_SECONDS
        with self.redis.pipeline(transaction=False) as pipe:  # pyright: ignore[reportUnknownMemberType]
            Threads(pipe).note(*place, Line(said.ts, said.user, said.text), seconds)
            pipe.execute()

    def note_for_index(self, team: str, event: Payload, me: str) -> None:
        """Keep what was said, changed or deleted in a channel that is a source."""
        channel = str(event.get("channel"))
        place = watched(self.redis, team, channel)
        if place is None:
            return
        tenant, source = place
        messages = Messages(self.database)
        if event.get("subtype") == "message_deleted":
            messages.delete(tenant, channel, str(event.get("deleted_ts")))
        else:
            changed = event.get("subtype") == "message_changed"
            said = heard(dict(part(event, "message") if changed else event), me)
            messages.put(tenant, channel, [said] if said else [])
        mark_stale(self.redis, team, source)

    def _queue(self, incoming: Incoming) -> None:
        line = Line(incoming.ts, incoming.user, incoming.text, asked=True, bot=incoming.by_bot)
        with self.redis.pipeline(transaction=False) as pipe:  # pyright: ignore[reportUnknownMemberType]
            Inbox(pipe, self.clock.now).keep(incoming)
            Claims(pipe).keep(incoming.id)
            if incoming.surface == "message" and not incoming.unsure:
                Threads(pipe).note(incoming.team, incoming.channel, incoming.thread, line)
                Threads(pipe).join(incoming.team, incoming.channel, incoming.thread)
            Inbox(pipe).count()
            waiting: Any = pipe.execute()[-1]
        if waiting > self.most_waiting:
            self.queue.run("clock.turn_away", incoming.id)
        else:
            self.queue.answer(incoming.team, incoming.channel, incoming.ts)


def as_question(said: Said, unsure: bool = False) -> Incoming:
    """A message as a question to be answered in its thread."""
    return Incoming(
        team=said.team,
        enterprise=said.enterprise,
        channel=said.channel,
        kind=said.kind,
        ts=said.ts,
        thread=said.thread,
        user=said.user,
        text=said.text,
        external=said.external,
        files=said.files,
        viewing=said.viewing,
        unsure=unsure,
        by_bot=bool(said.bot),
    )


def _from_row(row: AnswerRow) -> Incoming:
    """A question older than a day, as its answer's row remembers it."""
    return Incoming(
        team=row.team,
        enterprise=row.detail.get("enterprise", ""),
        channel=row.channel,
        kind=row.detail.get("kind", "channel"),
        ts=row.question_ts,
        thread=row.thread,
        user=row.asker,
        text=row.question,
    )
