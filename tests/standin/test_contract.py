"""Where both know a method, the front door says what the independent emulator behind it says."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from bot.standin.values import Json
from bot.standin.world import SlackWorld

pytestmark = pytest.mark.live
# What differs by intent: moments, and what the front door adds to emulate's answer.
MOMENTS = {"ts", "message_ts", "thread_ts", "created", "last_set", "hash", "id", "root_view_id", "edited"}


@pytest.fixture(scope="module")
def pair() -> Iterator[tuple[SlackWorld, SlackWorld]]:
    """Two equal worlds: one is asked at its front door, of the other the emulator itself."""
    with SlackWorld() as front, SlackWorld() as behind:
        yield front, behind


def asked(url: str, method: str, args: Json) -> Json:
    headers = {"Authorization": "Bearer xoxb-teamlore"}
    return httpx.post(f"{url}/api/{method}", json=args, headers=headers).json()


def contains(more: Any, less: Any) -> bool:
    """Whether `more` says all that `less` says, moments apart."""
    if isinstance(less, dict):
        return all(key in MOMENTS or contains(more.get(key), value) for key, value in less.items())
    if isinstance(less, list):
        return len(more) == len(less) and all(map(contains, more, less))
    return more == less


@pytest.mark.parametrize(
    ("method", "args"),
    [
        ("auth.test", {}),
        ("team.info", {}),
        ("bots.info", {"bot": "B00TEAMLORE"}),
        ("users.info", {"user": "U000ALICE"}),
        ("users.info", {"user": "U0NOBODY"}),
        ("users.list", {}),
        ("users.lookupByEmail", {"email": "bob@example.com"}),
        ("users.lookupByEmail", {"email": "zoe@example.com"}),
        ("conversations.list", {"types": "public_channel,private_channel"}),
        ("conversations.info", {"channel": "C00000ENG"}),
        ("conversations.info", {"channel": "C0NOWHERE"}),
        ("conversations.members", {"channel": "C00000ENG"}),
        ("conversations.history", {"channel": "C00000ENG"}),
        ("conversations.open", {"users": "U000ALICE"}),
        ("conversations.join", {"channel": "C00RANDOM"}),
        ("chat.postMessage", {"channel": "C00000ENG", "text": "hello"}),
        ("chat.postMessage", {"channel": "C0NOWHERE", "text": "hello"}),
        ("chat.postEphemeral", {"channel": "C00000ENG", "user": "U000ALICE", "text": "psst"}),
        ("chat.postEphemeral", {"channel": "C00000ENG", "user": "U0000GINA", "text": "psst"}),
        ("chat.update", {"channel": "C00000ENG", "ts": "1.1", "text": "x"}),
        ("chat.delete", {"channel": "C00000ENG", "ts": "1.1"}),
        ("chat.getPermalink", {"channel": "C00000ENG", "message_ts": "1.1"}),
        ("reactions.add", {"channel": "C00000ENG", "timestamp": "1.1", "name": "eyes"}),
        (
            "views.publish",
            {"user_id": "U000ALICE", "view": {"type": "home", "blocks": [{"type": "divider"}]}},
        ),
        (
            "views.open",
            {
                "trigger_id": "1.2.3",
                "view": {"type": "modal", "title": {"type": "plain_text", "text": "x"}, "blocks": []},
            },
        ),
        ("files.info", {"file": "F0NOTHING"}),
        ("oauth.v2.access", {"client_id": "111.222", "client_secret": "wrong", "code": "x"}),
    ],
)
def test_both_answer_alike(pair: tuple[SlackWorld, SlackWorld], method: str, args: Json):
    front, behind = pair
    at_the_door = asked(front.url, method, args)
    itself = asked(behind.emulator_url, method, args)
    assert contains(at_the_door, itself), (at_the_door, itself)


def test_a_conversation_is_kept_alike(pair: tuple[SlackWorld, SlackWorld]):
    kept: list[list[Json]] = []
    for world, url in ((pair[0], pair[0].url), (pair[1], pair[1].emulator_url)):
        root = world.post("alice", "eng", "question")
        reply = asked(url, "chat.postMessage", {"channel": "C00000ENG", "thread_ts": root, "text": "draft"})
        asked(url, "chat.update", {"channel": "C00000ENG", "ts": reply["ts"], "text": "answer"})
        asked(url, "reactions.add", {"channel": "C00000ENG", "timestamp": root, "name": "eyes"})
        kept.append(asked(url, "conversations.replies", {"channel": "C00000ENG", "ts": root})["messages"])
    assert contains(kept[0], kept[1])
    assert [message["text"] for message in kept[0]] == ["question", "answer"]
