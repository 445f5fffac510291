"""The front desk: what listeners may touch. Everything on it answers within milliseconds or fails."""

from dataclasses import dataclass

from bot.claims import Claims
from bot.parse import Said
from workers.inbox import FileNote, Inbox, Incoming
from workers.queue import Queue


@dataclass(frozen=True)
class Desk:
    claims: Claims
    inbox: Inbox
    queue: Queue

    def take(self, incoming: Incoming) -> bool:
        """Keep and queue a question once; False when it was taken before. Raises when it cannot be queued."""
        with self.claims.take(incoming.id) as first:
            if first:
                kept = self.inbox.keep(incoming)
                self.queue.answer(kept.team, kept.channel, kept.ts)
            return first


def as_question(said: Said) -> Incoming:
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
        external=said.external or said.shared,
        files=tuple(FileNote(f.id, f.name, f.mime, f.size) for f in said.files),
        viewing=said.viewing,
    )
