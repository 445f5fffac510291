"""What an answer may show: what the asker and everybody else in the place may read; nothing when in doubt."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from fakeredis import FakeRedis

from retrieval.errors import Transient
from workers.inbox import Incoming
from workers.permissions import Denied, Directory, forget_membership, scope_of
from workers.slack import Refused

FULL = {"U1": {}, "U2": {}, "U3": {"is_restricted": True}, "U4": {"deleted": True}, "UB": {"is_bot": True}}
CHANNELS = {
    "C1": ["U1", "U2", "UB"],
    "C2": ["U1", "U3"],
    "P1": ["U1", "U2"],
    "P2": ["U1"],
    "X1": ["U1", "U9"],
}


@dataclass
class FakeSlack:
    users: dict[str, dict[str, Any]] = field(default_factory=lambda: dict(FULL))
    channels: dict[str, list[str]] = field(default_factory=lambda: dict(CHANNELS))
    shared: tuple[str, ...] = ()
    fail: dict[str, Exception] = field(default_factory=dict[str, Exception])
    calls: list[str] = field(default_factory=list[str])

    def __call__(self, method: str, **arguments: Any) -> dict[str, Any]:
        self.calls.append(method)
        if method in self.fail:
            raise self.fail[method]
        match method:
            case "users_info" if arguments["user"] not in self.users:
                raise Refused("user_not_found", method)
            case "users_info":
                return {"user": {"id": arguments["user"], **self.users[arguments["user"]]}}
            case "users_list":
                return {"members": [{"id": id, **about} for id, about in self.users.items()]}
            case "conversations_info":
                return {"channel": {"is_ext_shared": arguments["channel"] in self.shared}}
            case "conversations_members":
                return {"members": self.channels[arguments["channel"]]}
            case _:
                return {"channels": [{"id": "P1"}, {"id": "P2"}]}


def asked(user: str = "U1", channel: str = "C1", **others: Any) -> Incoming:
    return Incoming("T1", channel, "1.0", user, "hi?", "1.0", **others)


def readers(incoming: Incoming, slack: FakeSlack | None = None) -> set[str]:
    scope = scope_of(incoming, Directory(slack or FakeSlack(), FakeRedis(), "T1"), "home")
    return set(scope.readers)


def test_in_a_channel_of_full_members_what_all_of_them_read() -> None:
    assert readers(asked()) == {"public", "channel:C1", "channel:P1"}


def test_what_the_asker_alone_may_read_is_only_known_to_exist() -> None:
    scope = scope_of(asked(), Directory(FakeSlack(), FakeRedis(), "T1"), "home")
    assert scope.private == {"channel:P2", "user:U1"}


def test_a_guest_in_the_channel_takes_public_away() -> None:
    assert readers(asked(channel="C2")) == {"channel:C2"}


def test_a_stranger_in_the_channel_takes_everything_but_its_own_away() -> None:
    assert readers(asked(channel="X1")) == {"channel:X1"}


def test_alone_with_the_bot_everything_of_ones_own() -> None:
    everything = {"public", "channel:P1", "channel:P2", "user:U1"}
    assert readers(asked(channel="D1", kind="im")) == everything
    assert readers(asked(surface="ask")) == everything


@pytest.mark.parametrize(
    ("incoming", "reason"),
    [
        (asked("U3"), "denied_guest"),
        (asked("U4"), "denied_deactivated"),
        (asked("U9"), "denied_external"),
        (asked("UB"), "denied_bot"),
        (asked(external=True), "denied_external"),
    ],
)
def test_who_is_refused(incoming: Incoming, reason: str) -> None:
    with pytest.raises(Denied) as denied:
        readers(incoming)
    assert denied.value.reason == reason


def test_a_shared_channel_is_refused() -> None:
    with pytest.raises(Denied, match="denied_shared"):
        readers(asked(), FakeSlack(shared=("C1",)))


@pytest.mark.parametrize(
    "method", ["users_info", "users_list", "conversations_info", "conversations_members"]
)
def test_when_slack_refuses_to_say_who_reads_along_nothing_is_shown(method: str) -> None:
    with pytest.raises(Denied):
        readers(asked(), FakeSlack(fail={method: Refused("missing_scope", method)}))


@pytest.mark.parametrize(
    "method", ["users_info", "users_list", "conversations_members", "users_conversations"]
)
def test_when_slack_is_away_the_question_waits(method: str) -> None:
    with pytest.raises(Transient):
        readers(asked(), FakeSlack(fail={method: Transient("away")}))


def test_membership_is_remembered_and_dropped_when_it_changes() -> None:
    redis, slack = FakeRedis(), FakeSlack()
    directory = Directory(slack, redis, "T1")
    scope_of(asked(), directory, "home")
    calls = len(slack.calls)
    scope_of(asked(), directory, "home")
    assert len(slack.calls) == calls
    slack.channels["C1"] = ["U1", "U2", "U3"]
    forget_membership(redis, "T1", channel="C1")
    assert "public" not in scope_of(asked(), directory, "home").readers


def test_who_becomes_a_guest_is_one_at_once() -> None:
    redis, slack = FakeRedis(), FakeSlack()
    directory = Directory(slack, redis, "T1")
    scope_of(asked("U2"), directory, "home")
    slack.users["U2"] = {"is_ultra_restricted": True}
    forget_membership(redis, "T1", user="U2")
    with pytest.raises(Denied, match="denied_guest"):
        scope_of(asked("U2"), directory, "home")
