"""A channel as a source: its whole history once, late replies too, and who may read it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from fakeredis import FakeRedis

from retrieval.errors import Permanent
from retrieval.sources.spec import SlackSpec
from retrieval.types import Document
from storage.base import Database, open_database
from storage.messages import Messages
from storage.migrate import upgrade
from workers.channel_source import Channels, mark_stale, take_stale, watched
from workers.slack import Refused


@dataclass
class FakeSlack:
    """A channel of threads, each a list of (ts, user, text), two to a page."""

    threads: dict[str, list[tuple[str, str, str]]]
    is_private: bool = False
    refuse: str = ""
    calls: list[str] = field(default_factory=list[str])

    def __call__(self, method: str, **arguments: Any) -> dict[str, Any]:
        self.calls.append(method)
        if method == self.refuse:
            raise Refused("missing_scope", method)
        match method:
            case "auth_test":
                return {"team_id": "T1", "user_id": "U0BOT", "url": "https://acme.slack.com/"}
            case "conversations_info":
                return {"channel": {"name": "eng", "is_private": self.is_private, "is_member": False}}
            case "users_list":
                return {"members": [{"id": "U1", "real_name": "Alice"}]}
            case "conversations_history":
                return self._page([self._root(ts) for ts in sorted(self.threads, reverse=True)], arguments)
            case "conversations_replies":
                said = [self._said(*one, thread=arguments["ts"]) for one in self.threads[arguments["ts"]]]
                return self._page(said, arguments)
            case _:
                return {}

    def _root(self, ts: str) -> dict[str, Any]:
        talk = self.threads[ts]
        more = {"reply_count": len(talk) - 1, "latest_reply": talk[-1][0]} if len(talk) > 1 else {}
        return {**self._said(*talk[0], thread=ts), **more}

    def _said(self, ts: str, user: str, text: str, thread: str) -> dict[str, Any]:
        return {"ts": ts, "user": user, "text": text, "thread_ts": thread}

    def _page(self, messages: list[dict[str, Any]], arguments: dict[str, Any]) -> dict[str, Any]:
        at = int(arguments.get("cursor") or 0)
        more = str(at + 2) if at + 2 < len(messages) else ""
        return {"messages": messages[at : at + 2], "response_metadata": {"next_cursor": more}}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    url = f"sqlite:///{tmp_path}/d.db"
    upgrade(url)
    database = open_database(url)
    yield database
    database.engine.dispose()


SPEC = SlackSpec.model_validate({"name": "eng", "channel": "C1"})


def documents(slack: FakeSlack, database: Database, redis: FakeRedis) -> list[Document]:
    source = Channels(lambda _: slack, database, redis).open("home", SPEC)
    return [source.fetch(listing) for listing in source.listings()]


def text(found: list[Document]) -> str:
    return "\n".join(block.text for document in found for block in document.blocks)


def test_the_whole_history_with_its_threads(database: Database) -> None:
    slack = FakeSlack(
        {
            "1.0": [("1.0", "U1", "We moved to Postgres."), ("2.0", "U2", "When?"), ("3.0", "U1", "In May.")],
            "4.0": [("4.0", "U1", "Lunch?")],
            "5.0": [("5.0", "U1", "The office is closed on Friday.")],
        }
    )
    found = text(documents(slack, database, FakeRedis()))
    assert all(said in found for said in ("Postgres", "When?", "In May.", "closed on Friday"))
    assert "Alice" in found


def test_a_late_reply_in_an_old_thread_is_read(database: Database) -> None:
    redis, slack = FakeRedis(), FakeSlack({"1.0": [("1.0", "U1", "We moved to Postgres.")]})
    documents(slack, database, redis)
    late = "9999999999.0"
    slack.threads["1.0"] += [(late, "U2", "And back to SQLite.")]
    assert "And back to SQLite." in text(documents(slack, database, redis))


def test_an_unchanged_thread_is_not_asked_for_again(database: Database) -> None:
    redis = FakeRedis()
    slack = FakeSlack({"1.0": [("1.0", "U1", "A question?"), ("2.0", "U2", "An answer.")]})
    documents(slack, database, redis)
    documents(slack, database, redis)
    assert slack.calls.count("conversations_replies") == 1


def test_our_own_messages_are_no_knowledge(database: Database) -> None:
    slack = FakeSlack({"1.0": [("1.0", "U1", "How many days off?"), ("2.0", "U0BOT", "25 days [1].")]})
    assert "25 days" not in text(documents(slack, database, FakeRedis()))


@pytest.mark.parametrize(("is_private", "readers"), [(False, {"public"}), (True, {"channel:C1"})])
def test_who_may_read_it(database: Database, is_private: bool, readers: set[str]) -> None:
    slack = FakeSlack({"1.0": [("1.0", "U1", "We moved to Postgres.")]}, is_private=is_private)
    assert documents(slack, database, FakeRedis())[0].readers == readers


def test_a_channel_that_we_may_not_read_is_said(database: Database) -> None:
    with pytest.raises(Permanent, match="invite me"):
        documents(FakeSlack({}, refuse="conversations_info"), database, FakeRedis())


def test_the_web_process_learns_what_to_note(database: Database) -> None:
    redis = FakeRedis()
    documents(FakeSlack({"1.0": [("1.0", "U1", "Hello there, all of you.")]}), database, redis)
    assert watched(redis, "T1", "C1") == ("home", "eng")
    assert watched(redis, "T1", "C2") is None
    assert len(Messages(database).of_channel("home", "C1")) == 1


def test_a_stale_source_is_taken_once() -> None:
    redis = FakeRedis()
    for _ in range(3):
        mark_stale(redis, "T1", "eng")
    assert list(take_stale(redis)) == [("T1", "eng")]
    assert list(take_stale(redis)) == []
