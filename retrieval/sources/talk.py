"""A channel's talk as documents: each thread is one, and what nobody replied to is one a day."""

import html
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b

from retrieval.errors import Unreadable
from retrieval.ports import Listing
from retrieval.sources.build import Traits
from retrieval.types import Block, Document, Kind
from storage.messages import Said

_TITLE = 80
_ANGLE = re.compile(r"<([^<>]+)>")
_CLOSE = re.compile(r"[^\w]*$")


def _no_link(_: str) -> str:
    return ""


@dataclass
class TalkSource:
    """`read` gives all that was said, oldest first; `link` a message's address, `called` a user's name."""

    name: str
    channel: str
    read: Callable[[], Sequence[Said]]
    traits: Traits = field(default_factory=Traits)
    link: Callable[[str], str] = _no_link
    called: Callable[[str], str] = str
    _talks: dict[str, list[Said]] = field(default_factory=dict[str, list[Said]])

    def listings(self) -> Iterator[Listing]:
        """A talk's version is made of all its messages, so a late reply, an edit or a deletion changes it."""
        self._talks = {f"{self.name}/{key}": talk for key, talk in talks_of(self.read()).items()}
        for id, talk in self._talks.items():
            told = repr([(said.ts, said.user, said.text) for said in talk])
            mark = blake2b(told.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
            yield Listing(id, f"{mark}-{self.traits.digest}", self._title(id, talk))

    def fetch(self, listing: Listing) -> Document:
        talk = self._talks.get(listing.id)
        if not talk:
            raise Unreadable("all its messages were deleted")
        return Document(
            id=listing.id,
            source=self.name,
            title=self._title(listing.id, talk),
            version=listing.version,
            blocks=tuple(self._block(said) for said in talk),
            readers=self.traits.readers,
            url=self.link(talk[0].ts),
            language=self.traits.language,
            product_line=self.traits.product_line,
            author=self.called(talk[0].user),
            created_at=moment(talk[0].ts),
            updated_at=max(moment(said.changed or said.ts) for said in talk),
        )

    def _block(self, said: Said) -> Block:
        when = moment(said.ts)
        return Block(Kind.MESSAGE, f"{self.called(said.user)}, {when:%Y-%m-%d %H:%M}: {self._spoken(said)}")

    def _title(self, id: str, talk: Sequence[Said]) -> str:
        if id.rpartition("/")[2].count("-") == 2:
            return f"{self.channel} on {id.rpartition('/')[2]}"
        first = " ".join(self._spoken(talk[0]).split())
        if len(first) > _TITLE:
            first = _CLOSE.sub("", first[:_TITLE].rpartition(" ")[0] or first[:_TITLE]) + "…"
        return f"{self.channel}: {first}"

    def _spoken(self, said: Said) -> str:
        return spoken(said.text, self.called)


def talks_of(messages: Sequence[Said]) -> dict[str, list[Said]]:
    """Messages by thread, and those of no thread by day (UTC); talks are named by ts or date."""
    threads: defaultdict[str, list[Said]] = defaultdict(list)
    for said in messages:
        threads[said.thread].append(said)
    talks: defaultdict[str, list[Said]] = defaultdict(list)
    for thread, talk in threads.items():
        alone = len(talk) == 1 and talk[0].ts == thread
        talks[f"{moment(thread):%Y-%m-%d}" if alone else thread].extend(talk)
    return {key: sorted(talk, key=lambda said: said.ts) for key, talk in talks.items()}


def moment(ts: str) -> datetime:
    """Slack's `1546232817.053700` as a time."""
    return datetime.fromtimestamp(float(ts), UTC)


def spoken(text: str, called: Callable[[str], str]) -> str:
    """A message's markup as people read it: names for ids, links with addresses, entities decoded once."""
    return html.unescape(_ANGLE.sub(lambda found: _said(found[1], called), text)).strip()


def _said(inside: str, called: Callable[[str], str]) -> str:
    target, _, label = inside.partition("|")
    match target[:1]:
        case "@":
            return f"@{label or called(target[1:])}"
        case "#":
            return f"#{label or target[1:]}"
        case "!":
            return f"@{(label or target[1:].partition('^')[0]).lstrip('@')}"
        case _:
            return f"{label} ({target})" if label and label != target else target
