"""Who is answered, and what may be shown where."""

import pytest

from storage.settings import ChannelSettings, Choices
from tests.conversations.talk import ask, dm, whispered
from tests.office import Office

pytestmark = pytest.mark.live


@pytest.mark.complaint("A13")
def test_a_guest_is_refused_politely(office: Office) -> None:
    ask(office, "gina", "general", "how many vacation days?").bot_says("guests cannot ask")
    dm(office, "gina", "how many vacation days?").bot_says("guests cannot ask")


@pytest.mark.complaint("A13")
def test_a_stranger_of_another_company_is_refused(office: Office) -> None:
    ask(office, "eve", "partners", "how many vacation days?").bot_says("only members of the workspace")


@pytest.mark.complaint("A13")
def test_a_member_in_a_shared_channel_is_refused_too(office: Office) -> None:
    ask(office, "alice", "partners", "how many vacation days?").bot_says("shared with another company")


def test_where_a_guest_reads_along_public_pages_are_not_shown(office: Office) -> None:
    said = ask(office, "alice", "general", "how many vacation days?").bot_says("found nothing")
    assert "25 days" not in str(said)


def test_private_pages_are_not_shown_in_public(office: Office) -> None:
    ask(office, "alice", "eng", "what are the salary bands?").bot_says("found nothing")


def test_private_pages_are_shown_in_their_own_channel(office: Office) -> None:
    ask(office, "alice", "secret", "what are the salary bands?").bot_says("90,000")


def test_private_pages_are_shown_to_a_member_directly(office: Office) -> None:
    dm(office, "alice", "what are the salary bands?").bot_says("90,000")
    dm(office, "bob", "what are the salary bands?").bot_says("found nothing")


def test_the_rest_is_offered_privately(office: Office) -> None:
    thread = ask(office, "alice", "eng", "vacation and salary?")
    thread.bot_says("25 days", "See the full answer privately")
    thread.press("alice", "private")
    whispered(office, "alice", "90,000")
    before = len(office.world.ephemerals)
    thread.press("bob", "private")
    assert "90,000" not in str(whispered(office, "bob", "25 days", after=before))


def test_who_leaves_a_channel_loses_its_pages_at_once(office: Office) -> None:
    office.world.invite("alice", "secret", "bob")
    dm(office, "bob", "what are the salary bands?").bot_says("90,000")
    office.world.kick("alice", "secret", "bob")
    dm(office, "bob", "what are the salary bands?").bot_says("found nothing")


@pytest.mark.complaint("A13")
def test_without_knowing_who_reads_along_nothing_is_shown(office: Office) -> None:
    office.world.inject("conversations.members", "fetch_members_failed", times=100)
    office.redis.delete(*office.redis.keys("slack:*"))
    said = ask(office, "alice", "eng", "how many vacation days?").bot_says()
    assert "25 days" not in str(said)


@pytest.mark.complaint("A9")
def test_another_bot_is_not_answered(office: Office) -> None:
    ask(office, "deploybot", "eng", "how do we deploy?").bot_is_silent()


@pytest.mark.complaint("A9")
def test_another_bot_is_answered_where_a_channel_wants_it_up_to_a_point(office: Office) -> None:
    team = office.world.workspace.team_id
    Choices(office.database()).change(team, "C00000ENG", ChannelSettings(bots=True))
    thread = ask(office, "deploybot", "eng", "how do we deploy?")
    thread.bot_says("make ship")
    for _ in range(2):
        thread.asks("deploybot", "how do we deploy?")
        thread.bot_says("make ship")
    thread.asks("deploybot", "how do we deploy?")
    thread.bot_is_silent()
    Choices(office.database()).change(team, "C00000ENG", ChannelSettings())
