"""From what came in to what the pipeline is asked: the question, and the parts as its place wants them."""

import time
from dataclasses import dataclass, replace
from functools import cached_property

from retrieval.pipeline import Parts
from retrieval.types import Language, Question, Scope
from storage.settings import ChannelSettings
from workers.bench import Bench
from workers.choosing import WithChoices, within_sources
from workers.files import Looked
from workers.inbox import Incoming
from workers.promise import THINK_UNTIL
from workers.slack import Slack
from workers.threads import Line, WithThread, read_from_slack
from workers.words import language_of, say

_THREAD_LINES = 12


@dataclass(frozen=True)
class Asking:
    """One incoming question with what its files held."""

    bench: Bench
    incoming: Incoming
    slack: Slack
    looked: Looked

    def question(self, scope: Scope) -> Question:
        """What the pipeline is asked, within `scope`."""
        incoming = self.incoming
        return Question(
            id=incoming.id,
            text=incoming.text or self._unsaid(),
            scope=scope,
            thread=f"{incoming.team}:{incoming.channel}:{incoming.thread}",
            images=self.looked.images,
            asked_at=self.bench.now(),
            fresh=incoming.fresh,
            due=time.time() + THINK_UNTIL - self.bench.inbox.age(incoming),
        )

    def parts(self) -> Parts:
        """The pipeline, with the thread, what the files say, and the channel's choices."""
        house = self.bench.house
        parts = house.reading(self.looked.passages) if self.looked.passages else house.parts
        return replace(
            within_sources(parts, self.choices.sources),
            memory=WithThread(parts.memory, self._said()[-_THREAD_LINES:]),
            rewriter=WithChoices(parts.rewriter, self.choices),
        )

    @cached_property
    def choices(self) -> ChannelSettings:
        """What was chosen for the channel that the asker looks at."""
        incoming = self.incoming
        return self.bench.choices.of_channel(incoming.team, incoming.viewing or incoming.channel)

    def _unsaid(self) -> str:
        """What a file alone asks."""
        return say("about_file" if self.looked.passages else "about_picture", language_of(""))

    def _said(self) -> list[Line]:
        incoming = self.incoming
        place = (incoming.team, incoming.channel, incoming.thread)
        said = [line for line in self.bench.threads.lines(*place) if line.ts < incoming.ts]
        heard_it_all = incoming.thread in {incoming.ts, *(line.ts for line in said)}
        if heard_it_all or incoming.surface != "message":
            return said
        # Our own answers are kept right after their question's ts, by a sign that is Slack's no more.
        before = (said[0].ts if said else incoming.ts).rstrip("+")
        missed = read_from_slack(self.slack, incoming.channel, incoming.thread, before)
        self.bench.threads.begin_with(*place, missed)
        return [*missed, *said]


def nothing_asked(looked: Looked, language: Language) -> str:
    """What to say where neither words nor readable files came."""
    return "\n".join(note.say(language) for note in looked.notes) or say("empty", language)
