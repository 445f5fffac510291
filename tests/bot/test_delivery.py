"""Faults of delivery that users of such bots report: repeated, late, lost, echoed, all over real HTTP."""

import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from storage.answers import Answers, State
from storage.settings import ChannelSettings, Choices
from tests.letters import mention, message
from tests.office import Office, texts, until
from workers.inbox import Incoming
from workers.slack import open_slack

pytestmark = pytest.mark.live
QUESTION = "<@UTEAMLORE> how many vacation days?"


@pytest.fixture
def root(office: Office) -> Iterator[str]:
    """A thread of its own for each test."""
    yield office.world.post("alice", "eng", "Morning!")
    office.redis.delete("fake:delay", "fake:fail", "fake:text")
    office.world.state.faults.clear()


def ts() -> str:
    return f"{time.time():.6f}"


def answers(office: Office, root: str) -> list[str]:
    return texts([m for m in office.world.messages("eng", root) if m["user"] == "UTEAMLORE"])


def settled(office: Office, root: str) -> list[str]:
    """The bot's messages, once there is one and a while later."""
    until(lambda: answers(office, root), 30)
    time.sleep(1)
    return answers(office, root)


@pytest.mark.complaint("A1")
def test_an_answer_that_takes_long_is_acknowledged_at_once_and_given_once(office: Office, root: str) -> None:
    office.redis.set("fake:delay", "3")
    event = mention(QUESTION, ts(), thread_ts=root)
    for retry in range(4):
        started = time.monotonic()
        assert office.letters.event(event, retry=retry).status_code == 200
        assert time.monotonic() - started < 3
        time.sleep(0.5)
    assert len(settled(office, root)) == 1


@pytest.mark.complaint("A4")
def test_a_replay_ten_minutes_after_a_restart_is_known(office: Office, root: str) -> None:
    event = mention(QUESTION, ts(), thread_ts=root)
    office.letters.event(event)
    settled(office, root)
    office.kill_worker()
    office.start_worker()
    office.later(600)
    assert office.letters.event(event, "EvReplay").status_code == 200
    assert office.letters.event({**event, "type": "message"}, "EvReplay2").status_code == 200
    assert len(settled(office, root)) == 1


def test_a_stream_that_a_lost_worker_began_becomes_the_answer(office: Office, root: str) -> None:
    event = mention(QUESTION, f"{time.time() - 5:.6f}", thread_ts=root)
    team, reader = office.world.workspace.team_id, "U000ALICE"
    asked = Incoming(team, "C00000ENG", event["ts"], reader, "how many vacation days?", root)
    rows = Answers(office.database())
    rows.begin(**asked.row())
    rows.update(asked.id, state=State.POSTING)
    slack = open_slack(office.world.workspace.app.bot_token, office.world.api_url)
    where = {
        "channel": "C00000ENG",
        "thread_ts": root,
        "recipient_user_id": reader,
        "recipient_team_id": team,
    }
    begun = slack("chat_startStream", **where, markdown_text="Full-time empl")["ts"]
    office.letters.event(event)
    until(lambda: (row := rows.find(asked.id)) and row.state == State.ANSWERED, 30)
    assert (row := rows.find(asked.id))
    assert row.ts == begun
    (said,) = answers(office, root)
    assert not said.startswith("Full-time empl")


@pytest.mark.complaint("A5")
def test_what_was_claimed_and_could_not_be_queued_is_taken_by_the_retry(office: Office, root: str) -> None:
    office.redis.rename("answers", "answers-before") if office.redis.exists("answers") else None
    office.redis.set("answers", "no list")
    event = mention(QUESTION, ts(), thread_ts=root)
    first = office.letters.event(event).status_code
    office.redis.delete("answers")
    second = office.letters.event(event, retry=1).status_code
    assert (first, second) in ((500, 200), (200, 200))
    assert len(settled(office, root)) == 1


@pytest.mark.complaint("A7")
def test_changes_that_change_no_text_are_no_questions(office: Office, root: str) -> None:
    asked = mention(QUESTION, ts(), thread_ts=root)
    office.letters.event(asked)
    settled(office, root)
    before = len(office.world.calls)
    kept = {"user": "U000ALICE", "text": QUESTION, "ts": asked["ts"], "thread_ts": root}
    unfurled = {**kept, "attachments": [{"title": "a page"}]}
    counted = {**kept, "reply_count": 3}
    ours = {**kept, "user": "UTEAMLORE", "bot_id": "B00TEAMLORE", "text": f"{QUESTION} edited"}
    for n in range(30):
        changed = (unfurled, counted, ours)[n % 3]
        event = message("", ts(), subtype="message_changed", message=changed, previous_message=kept)
        assert office.letters.event(event, f"EvChanged{n}").status_code == 200
    assert len(settled(office, root)) == 1
    assert len(office.world.calls) == before


@pytest.mark.complaint("A9")
def test_our_own_message_is_no_question_also_when_it_was_edited(office: Office, root: str) -> None:
    own = {"user": "UTEAMLORE", "bot_id": "B00TEAMLORE", "text": QUESTION, "ts": ts(), "thread_ts": root}
    for new in ({**own, "text": f"{QUESTION}!"}, {**own, "bot_id": "", "text": f"{QUESTION}?"}):
        event = message("", ts(), subtype="message_changed", message=new, previous_message=own)
        office.letters.event(event, f"Ev{ts()}")
    office.letters.event(message(QUESTION, own["ts"], user="UTEAMLORE", thread_ts=root))
    time.sleep(1.5)
    assert answers(office, root) == []


@pytest.mark.complaint("A9")
def test_two_bots_do_not_answer_each_other_for_ever(office: Office, root: str) -> None:
    team = office.world.workspace.team_id
    Choices(office.database()).change(team, "C00000ENG", ChannelSettings(bots=True))
    deploybot = office.world.workspace.person("deploybot")
    for n in range(8):
        bot = {"user": deploybot.id, "bot_id": deploybot.bot_id, "thread_ts": root}
        office.letters.event(message(f"{QUESTION} {n}", ts(), **bot), f"EvBot{n}")
        time.sleep(0.5)
    time.sleep(1)
    Choices(office.database()).change(team, "C00000ENG", ChannelSettings())
    assert 1 <= len(answers(office, root)) <= 4


@pytest.mark.complaint("A13")
@pytest.mark.parametrize(
    ("strange", "fragment"),
    [
        ({"user_team": "T0OTHER"}, "only members of the workspace"),
        ({"source_team": "T0OTHER"}, "only members of the workspace"),
        ({"user": "U0NOBODY"}, "only members of the workspace"),
    ],
)
def test_people_of_other_workspaces_are_refused(
    office: Office, root: str, strange: dict[str, Any], fragment: str
) -> None:
    office.letters.event({**mention(QUESTION, ts(), thread_ts=root), **strange}, f"Ev{ts()}")
    (said,) = settled(office, root)
    assert fragment in said
    assert "25 days" not in said


@pytest.mark.complaint("A13")
@pytest.mark.parametrize("method", ["conversations.info", "conversations.members", "users.info"])
def test_when_slack_will_not_say_who_is_there_nothing_is_shown(
    office: Office, root: str, method: str
) -> None:
    for key in office.redis.scan_iter("slack:*"):
        office.redis.delete(key)
    office.world.inject(method, "missing_scope", times=50)
    office.letters.event(mention(QUESTION, ts(), thread_ts=root), f"Ev{ts()}")
    (said,) = settled(office, root)
    assert "25 days" not in said
    assert "Sorry" in said


@pytest.mark.complaint("A14")
@pytest.mark.parametrize("fail", ["permanent", "bug"])
def test_whoever_asks_gets_an_answer_or_a_reason(office: Office, root: str, fail: str) -> None:
    office.redis.set("fake:fail", fail)
    office.letters.event(mention(QUESTION, ts(), thread_ts=root), f"Ev{ts()}")
    (said,) = settled(office, root)
    assert "Reference: q" in said
    assert "sk-secret" not in said


@pytest.mark.complaint("A16")
def test_the_last_of_forty_messages_is_known_though_slack_tells_nothing(office: Office) -> None:
    """We heard the thread ourselves, and did not need to ask."""
    office.world.inject("conversations.replies", 429, retry_after=60, times=50)
    root = office.world.post("alice", "eng", "What shall we write about?")
    for n in range(38):
        event = message(f"Idea {n}: a page about the weather.", ts(), user="U00000BOB", thread_ts=root)
        office.letters.event(event, f"EvIdea{root}{n}")
    office.letters.event(message("The deploy runbook, at last.", ts(), thread_ts=root), f"EvLast{root}")
    before = len(office.world.calls_of("conversations.replies"))
    office.letters.event(mention("<@UTEAMLORE> so when not to?", ts(), thread_ts=root), f"Ev{root}")
    (said,) = settled(office, root)
    assert "never on Fridays" in said
    assert len(office.world.calls_of("conversations.replies")) == before


def test_readiness_and_liveness_are_told(office: Office) -> None:
    assert httpx.get(f"{office.url}/healthz").text == "ok"
    assert httpx.get(f"{office.url}/readyz").status_code == 200
