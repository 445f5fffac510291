"""chat.* and the reading methods answer as Slack does, right or wrong."""

from typing import Any

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.standin.app import App
from bot.standin.workspace import Workspace
from bot.standin.world import SlackWorld

pytestmark = pytest.mark.live


def refusal(call: Any, *args: Any, **more: Any) -> str:
    """The error code with which a call is refused."""
    with pytest.raises(SlackApiError) as caught:
        call(*args, **more)
    return caught.value.response["error"]


@pytest.fixture
def eng(world: SlackWorld) -> str:
    return world.workspace.channel_id("eng")


def test_a_reply_is_seen_in_its_thread(world: SlackWorld, client: Any, eng: str):
    ts = world.post("alice", "eng", "anyone?")
    client.chat_postMessage(channel=eng, thread_ts=ts, text="yes")
    root, reply = world.messages("eng", ts)
    assert (root["text"], root["reply_count"]) == ("anyone?", 1)
    assert (reply["text"], reply["thread_ts"], reply["bot_id"]) == ("yes", ts, "B00TEAMLORE")
    assert world.violations == []


def test_text_above_forty_thousand_characters_is_cut_with_a_warning(client: Any, eng: str):
    answer = client.chat_postMessage(channel=eng, text="长" * 40_010)
    assert answer["warning"] == "message_truncated"
    assert len(answer["message"]["text"]) == 40_000


def test_markdown_text_is_kept_but_not_beside_text(world: SlackWorld, client: Any, eng: str):
    answer = client.chat_postMessage(channel=eng, markdown_text="**bold**")
    assert answer["message"]["blocks"] == [{"type": "markdown", "text": "**bold**"}]
    client.chat_update(channel=eng, ts=answer["ts"], markdown_text="_else_")
    assert world.messages("eng")[-1]["blocks"][0]["text"] == "_else_"
    # Slack's own types refuse the pair before the method does, hence their code.
    assert refusal(client.chat_postMessage, channel=eng, markdown_text="a", text="b") == "invalid_arguments"
    assert refusal(client.chat_postMessage, channel=eng, markdown_text="a" * 12_001) == "msg_too_long"


def test_an_update_takes_less_text_than_a_post(world: SlackWorld, client: Any, eng: str):
    ts = client.chat_postMessage(channel=eng, text="a" * 4_001)["ts"]
    assert refusal(client.chat_update, channel=eng, ts=ts, text="a" * 4_001) == "msg_too_long"
    assert [violation.rule for violation in world.violations] == ["msg_too_long"]
    assert client.chat_update(channel=eng, ts=ts, text="a" * 4_000)["ok"]


def test_the_bot_cannot_post_where_it_is_not(world: SlackWorld, client: Any):
    random = world.workspace.channel_id("random")
    assert refusal(client.chat_postMessage, channel=random, text="hi") == "not_in_channel"
    world.kick("alice", "secret", "teamlore")
    secret = world.workspace.channel_id("secret")
    assert refusal(client.chat_postMessage, channel=secret, text="hi") == "channel_not_found"
    assert refusal(client.conversations_info, channel=secret) == "channel_not_found"


def test_a_message_to_a_user_id_opens_a_direct_message(world: SlackWorld, client: Any):
    answer = client.chat_postMessage(channel=world.workspace.person("bob").id, text="psst")
    assert answer["channel"] == world.dm("bob")


def test_an_ephemeral_message_is_for_one_member(world: SlackWorld, client: Any, eng: str):
    alice, gina = world.workspace.person("alice").id, world.workspace.person("gina").id
    client.chat_postEphemeral(channel=eng, user=alice, text="only you")
    assert [(shown.user, shown.text) for shown in world.ephemerals] == [(alice, "only you")]
    assert world.messages("eng") == []
    assert refusal(client.chat_postEphemeral, channel=eng, user=gina, text="x") == "user_not_in_channel"


def test_a_permalink_is_on_the_workspaces_domain(world: SlackWorld, client: Any, eng: str):
    ts = world.post("alice", "eng", "look here")
    link = client.chat_getPermalink(channel=eng, message_ts=ts)["permalink"]
    assert link == f"https://acme.slack.com/archives/{eng}/p{ts.replace('.', '')}"


@pytest.mark.parametrize(
    ("token", "code"),
    [("", "not_authed"), ("xoxb-wrong", "invalid_auth"), ("xapp-teamlore", "not_allowed_token_type")],
)
def test_a_bad_token_is_refused_and_noted(world: SlackWorld, token: str, code: str):
    assert refusal(WebClient(token, base_url=world.api_url).auth_test) == code
    assert [violation.rule for violation in world.violations] == [code]


def test_a_revoked_token_is_refused_without_blame(world: SlackWorld, client: Any):
    world.revoke(world.workspace.app.bot_token, "account_inactive")
    assert refusal(client.auth_test) == "account_inactive"
    assert world.violations == []


@pytest.mark.parametrize("method", ["chat_postMessage", "assistant_threads_setStatus"])
def test_a_missing_scope_is_named(method: str):
    with SlackWorld(Workspace(app=App(scopes=frozenset({"channels:read"})))) as world:
        client: Any = WebClient(world.workspace.app.bot_token, base_url=world.api_url)
        eng = world.workspace.channel_id("eng")
        ts = world.post("alice", "eng", "hi")
        args = {
            "chat_postMessage": {"channel": eng, "text": "x"},
            "assistant_threads_setStatus": {"channel_id": eng, "thread_ts": ts, "status": "x"},
        }
        with pytest.raises(SlackApiError) as caught:
            getattr(client, method)(**args[method])
        assert caught.value.response["error"] == "missing_scope"
        assert caught.value.response["needed"] == "chat:write"
        assert [violation.rule for violation in world.violations] == ["missing_scope"]


def test_a_thread_and_a_channel_come_in_pages(world: SlackWorld, client: Any, eng: str):
    root = world.post("alice", "eng", "0")
    for number in range(1, 6):
        world.post("alice", "eng", str(number), thread_ts=root)
    first = client.conversations_replies(channel=eng, ts=root, limit=4)
    rest = client.conversations_replies(
        channel=eng, ts=root, limit=4, cursor=first["response_metadata"]["next_cursor"]
    )
    assert [m["text"] for m in [*first["messages"], *rest["messages"]]] == list("012345")
    assert (first["has_more"], rest["has_more"]) == (True, False)
    world.post("alice", "eng", "later")
    newer = client.conversations_history(channel=eng, oldest=root)
    assert [message["text"] for message in newer["messages"]] == ["later"]
    both = client.conversations_history(channel=eng, oldest=root, inclusive=True)
    assert [message["text"] for message in both["messages"]] == ["later", "0"]


def test_an_app_outside_the_marketplace_gets_fifteen_messages(app_world: SlackWorld):
    client: Any = WebClient(app_world.workspace.app.bot_token, base_url=app_world.api_url)
    root = app_world.post("alice", "eng", "0")
    for number in range(1, 20):
        app_world.post("alice", "eng", str(number), thread_ts=root)
    eng = app_world.workspace.channel_id("eng")
    page = client.conversations_replies(channel=eng, ts=root, limit=200)
    assert [message["text"] for message in page["messages"]] == [str(number) for number in range(15)]


@pytest.fixture
def app_world() -> Any:
    with SlackWorld(history_limit=15) as world:
        yield world


def test_people_and_channels_are_told_in_full(world: SlackWorld, client: Any):
    gina = client.users_info(user=world.workspace.person("gina").id)["user"]
    assert (gina["is_restricted"], gina["locale"]) == (True, "en-US")
    chen = client.users_lookupByEmail(email="chenwei@example.com")["user"]
    assert (chen["real_name"], chen["locale"], chen["tz"]) == ("陈伟", "zh-CN", "Asia/Shanghai")
    eve = client.users_info(user=world.workspace.person("eve").id)["user"]
    assert (eve["is_stranger"], eve["team_id"]) == (True, "T0PARTNER")
    partners = client.conversations_info(channel=world.workspace.channel_id("partners"))["channel"]
    assert partners["is_ext_shared"] is True


def test_users_conversations_are_those_of_the_bot(world: SlackWorld, client: Any):
    mine = client.users_conversations(types="public_channel,private_channel")["channels"]
    assert {channel["name"] for channel in mine} == {"general", "eng", "人事", "secret", "partners"}
    bobs = client.users_conversations(user=world.workspace.person("bob").id)["channels"]
    assert {channel["name"] for channel in bobs} == {"general", "eng", "random"}


def test_members_come_in_pages(world: SlackWorld, client: Any):
    general = world.workspace.channel_id("general")
    page = client.conversations_members(channel=general, limit=4)
    following = page["response_metadata"]["next_cursor"]
    rest = client.conversations_members(channel=general, limit=4, cursor=following)
    assert len({*page["members"], *rest["members"]}) == 6


def test_an_unknown_method_is_refused_in_slacks_words(client: Any):
    assert refusal(client.api_call, "chat.teleport") == "unknown_method"
