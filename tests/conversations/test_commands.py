"""`/knowledge`, the settings, the Home tab."""

import pytest

from storage.settings import Choices
from tests.conversations.talk import Thread, ask, modal, shown, whispered
from tests.office import Office, until

pytestmark = pytest.mark.live


def test_help_in_both_languages(office: Office) -> None:
    assert "a private answer" in office.world.slash("bob", "eng", "/knowledge", "help").body
    assert "私下回答" in office.world.slash("chenwei", "eng", "/knowledge", "帮助").body


@pytest.mark.complaint("A12")
def test_status_is_acknowledged_at_once_and_told_after(office: Office) -> None:
    assert "On it" in office.world.slash("bob", "eng", "/knowledge", "status").body
    whispered(office, "bob", "Nothing is indexed yet")


def test_sources(office: Office) -> None:
    office.world.slash("bob", "eng", "/knowledge", "sources")
    whispered(office, "bob", "handbook")


def test_only_administrators_change_anything(office: Office) -> None:
    for command in ("reindex", "add #eng", "remove handbook"):
        before = len(office.world.ephemerals)
        office.world.slash("bob", "eng", "/knowledge", command)
        whispered(office, "bob", "Only administrators", after=before)


@pytest.mark.complaint("A12")
def test_reindex_shows_progress_in_place_and_a_second_press_joins(office: Office) -> None:
    office.redis.set("fake:steps", "8")
    before = int(office.redis.get("fake:syncs") or 0)
    for _ in range(2):
        office.world.slash("alice", "eng", "/knowledge", "reindex handbook")
    channel = office.world.dm("alice")

    def progress() -> list[str]:
        return [shown(m) for m in office.world.messages(channel) if "handbook" in m["text"]]

    until(lambda: [text for text in progress() if "of 8" in text], 15)
    until(lambda: len([text for text in progress() if "done. 1 added" in text]) == 2, 15)
    assert int(office.redis.get("fake:syncs") or 0) == before + 1


def test_a_source_that_does_not_exist(office: Office) -> None:
    office.world.slash("alice", "eng", "/knowledge", "reindex nonsense")
    whispered(office, "alice", "no source nonsense", "handbook")


def test_add_and_remove_are_written_down(office: Office) -> None:
    office.world.slash("alice", "eng", "/knowledge", "add https://wiki.example.com")
    whispered(office, "alice", "Added")
    office.world.slash("alice", "eng", "/knowledge", "remove https://wiki.example.com")
    whispered(office, "alice", "Removed")
    actions = [row.action for row in Choices(office.database()).audit(office.world.workspace.team_id)]
    assert actions[:2] == ["remove", "add"]


def test_add_says_what_is_wrong(office: Office) -> None:
    office.world.slash("alice", "eng", "/knowledge", "add nonsense")
    whispered(office, "alice", "give a channel or a web address")


def test_facts_are_remembered_told_and_forgotten(office: Office) -> None:
    office.world.slash("bob", "eng", "/knowledge", "remember I work in Berlin & Bonn")
    whispered(office, "bob", "I will remember: I work in Berlin &amp; Bonn")
    office.world.slash("bob", "eng", "/knowledge", "facts")
    whispered(office, "bob", "1. I work in Berlin")
    office.world.slash("bob", "eng", "/knowledge", "forget 1")
    whispered(office, "bob", "Forgotten: I work in Berlin")


def test_why_tells_of_the_last_answer(office: Office) -> None:
    ask(office, "bob", "人事", "how many vacation days?").bot_says("25 days")

    def told() -> bool:
        before = len(office.world.ephemerals)
        office.world.slash("bob", "人事", "/knowledge", "why")
        return "Outcome" in shown(whispered(office, "bob", after=before + 1))

    until(told, 10)


def test_settings_are_for_administrators(office: Office) -> None:
    office.world.slash("alice", "eng", "/knowledge", "settings")
    view = modal(office, "alice")
    assert "follow-ups" in shown(view)
    office.world.submit_view(
        "alice", view, {"handoff_person": "U00000BOB", "tone": "brief", "language": "auto"}
    )
    whispered(office, "alice", "settings are saved")
    settings = Choices(office.database()).of_channel(office.world.workspace.team_id, "C00000ENG")
    assert (settings.handoff, settings.tone) == ("U00000BOB", "brief")
    office.world.slash("bob", "eng", "/knowledge", "settings")
    office.world.submit_view("bob", modal(office, "bob"), {"tone": "normal", "language": "auto"})
    whispered(office, "bob", "Only administrators")
    office.world.slash("alice", "eng", "/knowledge", "settings")
    office.world.submit_view(
        "alice", modal(office, "alice"), {"tone": "normal", "language": "auto", "handoff_person": None}
    )
    until(lambda: not Choices(office.database()).of_channel("T0TEAMLORE", "C00000ENG").handoff)


def test_the_home_tab(office: Office) -> None:
    office.world.open_home("bob")
    home = until(lambda: office.world.home("bob"))
    assert "Your recent questions" in shown(home)
    assert "Sources" not in shown(home)


def test_the_home_tab_of_an_administrator(office: Office) -> None:
    office.world.open_home("alice")
    home = until(lambda: office.world.home("alice"))
    assert "Questions without an answer" in shown(home)
    assert "handbook" in shown(home)


def test_the_home_tab_in_chinese(office: Office) -> None:
    office.world.open_home("chenwei")
    assert "您最近的提问" in shown(until(lambda: office.world.home("chenwei")))


def test_help_in_the_persons_own_language(office: Office) -> None:
    for command in ("help", ""):
        assert "私下回答" in office.world.slash("chenwei", "eng", "/knowledge", command).body
        assert "a private answer" in office.world.slash("bob", "eng", "/knowledge", command).body
    assert "正在处理" in office.world.slash("chenwei", "eng", "/knowledge", "sources").body
    assert "请在命令后输入问题" in office.world.slash("chenwei", "eng", "/ask", "").body


def test_a_question_from_the_home_tab_is_answered_in_the_direct_messages(office: Office) -> None:
    office.world.open_home("bob")
    home = until(lambda: office.world.home("bob"))
    assert office.world.click("bob", home, "home_ask").accepted
    office.world.submit_view("bob", modal(office, "bob"), {"question": "how many vacation days?"})
    channel = office.world.dm("bob")
    (root, *_) = until(lambda: [m for m in office.world.messages(channel) if "vacation days?" in m["text"]])
    Thread(office, channel, root["ts"]).bot_says("25 days", "Sources")


def test_a_fact_is_told_and_forgotten_at_home(office: Office) -> None:
    office.world.open_home("bob")
    office.world.click("bob", until(lambda: office.world.home("bob")), "home_remember")
    office.world.submit_view("bob", modal(office, "bob"), {"fact": "I ride a bike"})
    until(lambda: "I ride a bike" in shown(office.world.home("bob")))
    home = until(lambda: office.world.home("bob"))
    number = shown(home).count("Forget")
    office.world.click("bob", home, "home_forget", f"{number}:I ride a bike")
    until(lambda: "I ride a bike" not in shown(office.world.home("bob")))


def test_every_change_of_the_knowledge_is_in_the_audit(office: Office) -> None:
    for command in ("reindex handbook", "add https://audit.example.com", "remove https://audit.example.com"):
        before = len(office.world.ephemerals)
        office.world.slash("alice", "eng", "/knowledge", command)
        whispered(office, "alice", after=before)
    office.world.open_home("alice")
    home = until(lambda: office.world.home("alice"))
    office.world.click("alice", home, "home_reindex", "handbook")

    def actions() -> list[tuple[str, str]]:
        rows = Choices(office.database()).audit(office.world.workspace.team_id, 4)
        return [(row.action, row.detail) for row in reversed(rows)]

    # What was done is told before it is on record.
    wanted = ["add", "reindex", "reindex", "remove"]
    until(lambda: sorted(action for action, _ in actions()) == wanted)
    assert ("reindex", "handbook") in actions()
