"""The events that the local Slack raises are those that Slack raises, with all their fields."""

import pytest
from slack_sdk import WebClient

from bot.standin.app import App
from bot.standin.workspace import Workspace
from bot.standin.world import SlackWorld
from tests.standin.conftest import RecordingApp

pytestmark = pytest.mark.live


def test_a_mention_raises_app_mention_and_message_under_different_event_ids(
    world: SlackWorld, connected: RecordingApp
):
    ts = world.ask("alice", "人事", "年假有几天？")
    world.wait_for(lambda: connected.events_of("app_mention") and connected.events_of("message"))
    mention, message = connected.events_of("app_mention")[0], connected.events_of("message")[0]
    assert mention["ts"] == message["ts"] == ts
    assert mention["text"] == "<@UTEAMLORE> 年假有几天？"
    ids = [payload["event_id"] for payload in connected.payloads if "event_id" in payload]
    assert len(set(ids)) == 2


def test_an_event_carries_the_fields_that_slack_sends(world: SlackWorld, connected: RecordingApp):
    world.ask("bob", "general", "hello")
    world.wait_for(lambda: connected.events_of("app_mention") and connected.events_of("message"))
    envelope = next(
        payload for payload in connected.payloads if payload.get("event", {}).get("type") == "message"
    )
    assert envelope["api_app_id"] == world.workspace.app.id
    assert envelope["team_id"] == "T0TEAMLORE"
    assert envelope["authorizations"][0]["user_id"] == world.workspace.app.user_id
    assert envelope["is_ext_shared_channel"] is False
    event = envelope["event"]
    assert event["channel_type"] == "channel"
    assert event["event_ts"] == event["ts"]
    assert event["blocks"][0]["elements"][0]["elements"][0] == {"type": "user", "user_id": "UTEAMLORE"}


def test_a_direct_message_raises_only_message_im(world: SlackWorld, connected: RecordingApp):
    world.ask("alice", world.dm("alice"), "hi")
    event = world.wait_for(lambda: connected.events_of("message"))[0]
    assert event["channel_type"] == "im"
    assert connected.events_of("app_mention") == []


def test_a_group_conversation_is_an_mpim_in_which_mentions_count(world: SlackWorld, connected: RecordingApp):
    world.ask("alice", world.group_dm("alice", "bob"), "hi")
    world.wait_for(lambda: connected.events_of("app_mention") and connected.events_of("message"))
    assert connected.events_of("message")[0]["channel_type"] == "mpim"


def test_what_is_said_where_the_bot_is_not_stays_unheard(world: SlackWorld, connected: RecordingApp):
    world.ask("alice", "random", "can you hear me?")
    world.ask("alice", "secret", "and here?")
    world.wait_for(lambda: connected.events_of("message"))
    assert {event["channel"] for event in connected.events} == {world.workspace.channel_id("secret")}
    assert connected.events_of("message")[0]["channel_type"] == "group"


def test_an_edit_raises_message_changed_and_the_mention_again_with_edited(
    world: SlackWorld, connected: RecordingApp
):
    ts = world.post("alice", "eng", "is the VPN down?")
    world.edit("alice", "eng", ts, "<@UTEAMLORE> is the VPN down?")
    mention = world.wait_for(lambda: connected.events_of("app_mention"))[0]
    assert mention["ts"] == ts
    assert mention["edited"]["user"] == world.workspace.person("alice").id
    changed = world.wait_for(lambda: [e for e in connected.events_of("message") if e.get("subtype")])[0]
    assert changed["subtype"] == "message_changed"
    assert changed["previous_message"]["text"] == "is the VPN down?"


def test_a_preview_raises_message_changed_with_the_same_text(world: SlackWorld, connected: RecordingApp):
    ts = world.post("alice", "eng", "<@UTEAMLORE> see https://example.com")
    world.unfurl("eng", ts)
    changed = world.wait_for(lambda: [e for e in connected.events_of("message") if e.get("subtype")])[0]
    assert changed["message"]["text"] == changed["previous_message"]["text"]
    assert "edited" not in changed["message"]
    assert len(connected.events_of("app_mention")) == 1


def test_a_deletion_raises_message_deleted(world: SlackWorld, connected: RecordingApp):
    ts = world.post("alice", "eng", "never mind")
    world.delete("alice", "eng", ts)
    deleted = world.wait_for(lambda: [e for e in connected.events_of("message") if e.get("subtype")])[0]
    assert (deleted["subtype"], deleted["deleted_ts"]) == ("message_deleted", ts)


def test_the_bots_own_message_comes_back_with_its_bot_id(
    world: SlackWorld, connected: RecordingApp, client: WebClient
):
    client.chat_postMessage(channel=world.workspace.channel_id("eng"), text="<@UTEAMLORE> talks to itself")
    event = world.wait_for(lambda: connected.events_of("message"))[0]
    assert (event["bot_id"], event["user"]) == ("B00TEAMLORE", "UTEAMLORE")
    assert connected.events_of("app_mention") == []


def test_another_bot_is_told_apart_by_its_bot_id(world: SlackWorld, connected: RecordingApp):
    world.ask("deploybot", "general", "deploy finished")
    mention = world.wait_for(lambda: connected.events_of("app_mention"))[0]
    assert mention["bot_id"] == "B0DEPLOYBOT"


def test_somebody_from_another_organisation_is_marked(world: SlackWorld, connected: RecordingApp):
    world.ask("eve", "partners", "what do you pay your people?")
    world.wait_for(lambda: connected.events_of("app_mention"))
    envelope = next(p for p in connected.payloads if p.get("event", {}).get("type") == "app_mention")
    assert envelope["is_ext_shared_channel"] is True
    assert envelope["event"]["user_team"] == "T0PARTNER"


def test_a_file_comes_as_file_share_with_private_urls(world: SlackWorld, connected: RecordingApp):
    ts = world.post("bob", "eng", "<@UTEAMLORE> what is this?", files=(("shot.png", b"\x89PNG bytes"),))
    mention = world.wait_for(lambda: connected.events_of("app_mention"))[0]
    assert mention["ts"] == ts
    assert mention["files"][0]["name"] == "shot.png"
    assert mention["files"][0]["url_private_download"].startswith(world.url)


def test_reactions_and_membership_are_told(world: SlackWorld, connected: RecordingApp):
    ts = world.post("bob", "eng", "done")
    world.react("alice", "eng", ts, "eyes")
    world.unreact("alice", "eng", ts, "eyes")
    world.invite("alice", "eng", "gina")
    world.kick("alice", "eng", "gina")
    kinds = ("reaction_added", "reaction_removed", "member_joined_channel", "member_left_channel")
    world.wait_for(lambda: all(connected.events_of(kind) for kind in kinds))


def test_the_tabs_the_context_and_the_end_of_an_installation_are_told(
    world: SlackWorld, connected: RecordingApp
):
    world.open_home("chenwei")
    world.open_home("chenwei", tab="messages", looking_at="人事")
    world.look_at("chenwei", "eng")
    world.deactivate("bob")
    world.uninstall()
    opened = connected.events_of("app_home_opened")
    assert [event["tab"] for event in opened] == ["home", "messages"]
    assert opened[1]["context"]["entities"][0]["value"] == world.workspace.channel_id("人事")
    assert connected.events_of("app_context_changed")
    assert world.wait_for(lambda: connected.events_of("user_change"))[0]["user"]["deleted"] is True
    assert connected.events_of("tokens_revoked")
    assert connected.events_of("app_uninstalled")


def test_only_what_the_manifest_subscribes_to_is_sent(app: RecordingApp):
    quiet = Workspace(app=App(events=frozenset({"app_mention"})))
    with SlackWorld(quiet) as world:
        world.connect(app.url)
        world.ask("alice", "eng", "hello")
        world.wait_for(lambda: app.events_of("app_mention"))
        assert app.events_of("message") == []
