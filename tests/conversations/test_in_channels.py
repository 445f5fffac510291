"""Questions in channels: who is answered, where, and when the bot holds its tongue."""

import pytest

from tests.conversations.talk import ask, chat
from tests.office import Office, until

pytestmark = pytest.mark.live


def test_a_mention_at_the_start(office: Office) -> None:
    thread = ask(office, "alice", "eng", "how many vacation days do I have?")
    thread.bot_says("25 days", "[1]", "Vacation", "p. 3", "updated 3 days ago")
    thread.bot_is_silent()


def test_a_mention_in_the_middle(office: Office) -> None:
    me = office.world.workspace.app.user_id
    thread = chat(office, "alice", "eng", f"Hey <@{me}>, what about vacation days?")
    thread.bot_says("25 days")


def test_a_mention_at_the_end(office: Office) -> None:
    me = office.world.workspace.app.user_id
    thread = chat(office, "bob", "eng", f"how do we deploy? <@{me}>")
    thread.bot_says("make ship")


def test_in_chinese(office: Office) -> None:
    thread = ask(office, "chenwei", "人事", "差旅费怎么报销？")
    thread.bot_says("三十天内", "来源", "报销流程", "3 天前更新", "有帮助", "为什么这样回答？")


def test_a_channel_message_without_a_mention_is_nobodys_question(office: Office) -> None:
    chat(office, "alice", "eng", "how many vacation days do I have?").bot_is_silent()


def test_nothing_found_is_said_with_the_nearest_source(office: Office) -> None:
    thread = ask(office, "alice", "eng", "what is music?")
    thread.bot_says("found nothing", "Nearest sources", "Vacation", "Ask a person")


def test_nothing_found_in_chinese(office: Office) -> None:
    ask(office, "chenwei", "eng", "音乐是什么？").bot_says("没有找到", "最接近的资料", "请教同事")


def test_only_a_mention(office: Office) -> None:
    ask(office, "alice", "eng", "").bot_says("Ask me a question")


@pytest.mark.complaint("B3")
def test_inside_a_thread_the_answer_goes_to_its_root(office: Office) -> None:
    thread = chat(office, "alice", "eng", "Planning the summer.")
    thread.says("bob", "I am away in August.")
    thread.asks("alice", "how many vacation days do we have?")
    thread.bot_says("25 days")


def test_two_questions_in_one_thread_within_seconds(office: Office) -> None:
    thread = ask(office, "alice", "eng", "how many vacation days?")
    thread.asks("bob", "and how do we deploy?")
    both = [thread.bot_says(), thread.bot_says()]
    assert {"25 days" in m["text"] for m in both} == {True, False}
    thread.bot_is_silent()


@pytest.mark.complaint("B1")
def test_a_follow_up_without_a_mention(office: Office) -> None:
    thread = ask(office, "alice", "eng", "how many vacation days?")
    thread.bot_says("25 days")
    thread.says("alice", "and for contractors?")
    thread.bot_says("Contractors have no paid vacation")


def test_a_colleagues_follow_up_without_a_mention(office: Office) -> None:
    thread = ask(office, "alice", "eng", "how many vacation days?")
    thread.bot_says("25 days")
    thread.says("bob", "what about contractors?")
    thread.bot_says("Contractors")


def test_a_chinese_follow_up_without_a_question_mark(office: Office) -> None:
    thread = ask(office, "chenwei", "eng", "差旅费怎么报销？")
    thread.bot_says("三十天")
    thread.says("chenwei", "报销单去哪里交")
    thread.bot_says("三十天")


def test_the_askers_bare_answer_to_the_bot(office: Office) -> None:
    office.redis.set("fake:text", "Which month?")
    thread = ask(office, "alice", "eng", "product sales")
    thread.bot_says("Which month?")
    office.redis.set("fake:text", "In March it was 40.")
    thread.says("alice", "March")
    thread.bot_says("In March")


@pytest.mark.parametrize("thanks", ["thanks!", "Got it, thanks", "谢谢", "好的", "👍", "ok"])
def test_thanks_need_no_answer(office: Office, thanks: str) -> None:
    thread = ask(office, "alice", "eng", "how many vacation days?")
    thread.bot_says("25 days")
    thread.says("alice", thanks)
    thread.bot_is_silent()


def test_silent_while_people_talk_to_each_other(office: Office) -> None:
    thread = ask(office, "alice", "eng", "how do we deploy?")
    thread.bot_says("make ship")
    thread.says("bob", "I did it on a Friday once.")
    thread.says("alice", "and what happened?")
    thread.says("bob", "Guess why we have that rule?")
    thread.bot_is_silent()


@pytest.mark.complaint("B1")
def test_silent_when_somebody_else_is_addressed(office: Office) -> None:
    thread = ask(office, "alice", "eng", "how many vacation days?")
    thread.bot_says("25 days")
    thread.says("alice", f"{office.world.workspace.person('bob').mention} how many did you take?")
    thread.bot_is_silent()


def test_a_mention_brings_the_bot_back(office: Office) -> None:
    thread = ask(office, "alice", "eng", "how many vacation days?")
    thread.bot_says("25 days")
    thread.says("bob", "I took ten.")
    thread.asks("bob", "how do contractors do it?")
    thread.bot_says("Contractors")


def test_what_people_said_between_is_known(office: Office) -> None:
    thread = chat(office, "alice", "eng", "I was reading the deploy runbook.")
    thread.asks("alice", "so when not to?")
    thread.bot_says("never on Fridays")


def test_a_code_is_not_touched(office: Office) -> None:
    ask(office, "alice", "eng", "what is KB-3102?").bot_says("KB-3102 means that the disk is full.")


@pytest.mark.complaint("B10")
def test_signs_are_escaped_once(office: Office) -> None:
    said = ask(office, "alice", "eng", "how do we deploy?").bot_says()
    text = said["blocks"][0]["text"]
    assert "a &lt; b &amp;&amp; c" in text
    assert "**make ship**" in text


@pytest.mark.complaint("B11")
def test_nobody_is_pinged_by_a_document(office: Office) -> None:
    office.redis.set("fake:text", "Always start with <!here> and <!channel>. **提示：**请注意 `vector<int>`")
    said = ask(office, "alice", "eng", "how to announce?").bot_says()
    assert "<!" not in str(said)
    assert "**提示**：请" in said["blocks"][0]["text"]
    assert "vector&lt;int&gt;" in said["blocks"][0]["text"]


def test_no_links_unfold(office: Office) -> None:
    ask(office, "alice", "eng", "what is KB-3102?").bot_says("KB-3102")
    posts = [c for c in office.world.calls_of("chat.postMessage") if "metadata" in c.args]
    assert {(c.args["unfurl_links"], c.args["unfurl_media"]) for c in posts} == {(False, False)}


def test_a_group_conversation(office: Office) -> None:
    group = office.world.group_dm("alice", "bob")
    ask(office, "alice", group, "how many vacation days?").bot_says("25 days")


def test_the_picture_of_a_cited_page_is_shown(office: Office) -> None:
    thread = ask(office, "chenwei", "eng", "快门按钮在哪里？")
    thread.bot_says("on the right")
    until(lambda: [m for m in office.world.messages("eng", thread.ts) if m.get("files")])
