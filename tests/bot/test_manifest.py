"""The manifest asks for what the code uses, and for nothing more."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from slack_sdk import WebClient

from bot.listeners import COMMANDS, EVENTS, SHORTCUTS
from bot.oauth import SCOPES
from tests.office import MANIFEST, ROOT

HISTORY = {"channels:history", "groups:history", "im:history", "mpim:history"}
READ = {"channels:read", "groups:read", "mpim:read"}
NEEDED: dict[str, set[str]] = {
    "agents_sessions_setStatus": {"chat:write"},
    "assistant_threads_setStatus": {"chat:write"},
    "assistant_threads_setSuggestedPrompts": {"assistant:write"},
    "auth_test": set(),
    "chat_appendStream": {"chat:write"},
    "chat_delete": {"chat:write"},
    "chat_getPermalink": set(),
    "chat_postEphemeral": {"chat:write"},
    "chat_postMessage": {"chat:write"},
    "chat_startStream": {"chat:write"},
    "chat_stopStream": {"chat:write"},
    "chat_update": {"chat:write"},
    "conversations_history": {"channels:history", "groups:history"},
    "conversations_info": READ,
    "conversations_join": {"channels:join"},
    "conversations_members": READ,
    "conversations_open": {"im:write"},
    "conversations_replies": HISTORY,
    "files_delete": {"files:write"},
    "files_info": {"files:read"},
    "files_upload_v2": {"files:write"},
    "users_conversations": {"groups:read"},
    "users_info": {"users:read"},
    "users_list": {"users:read"},
    "views_open": set(),
    "views_publish": set(),
}
"""Of each method of the Web API that we call, the scopes for the conversations that we call it on."""
SUBSCRIBED: dict[str, set[str]] = {
    "agent_session_stopped": {"chat:write"},
    "app_context_changed": set(),
    "app_home_opened": set(),
    "app_mention": {"app_mentions:read"},
    "app_uninstalled": set(),
    "channel_shared": {"channels:read", "groups:read"},
    "channel_unshared": {"channels:read", "groups:read"},
    "member_joined_channel": {"channels:read", "groups:read"},
    "member_left_channel": {"channels:read", "groups:read"},
    "message.channels": {"channels:history"},
    "message.groups": {"groups:history"},
    "message.im": {"im:history"},
    "message.mpim": {"mpim:history"},
    "team_access_revoked": set(),
    "tokens_revoked": set(),
    "user_change": {"users:read"},
}
"""Of each event, the scopes without which Slack does not send it."""


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    return yaml.safe_load(MANIFEST.read_text())


def methods() -> set[str]:
    """The Web API methods that stand in our code, by their SDK names."""
    files = [*ROOT.glob("bot/*.py"), *ROOT.glob("workers/*.py")]
    return {name for file in files for name in _constants(file) if "_" in name and hasattr(WebClient, name)}


def _constants(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
            yield node.value


def test_every_method_that_is_called_is_known_with_its_scopes() -> None:
    assert methods() == set(NEEDED)


def test_the_scopes_are_those_of_methods_events_and_commands(manifest: dict[str, Any]) -> None:
    events = manifest["settings"]["event_subscriptions"]["bot_events"]
    used = set[str]().union(*(NEEDED[name] for name in methods()), *(SUBSCRIBED[event] for event in events))
    asked = manifest["oauth_config"]["scopes"]["bot"]
    assert set(asked) == used | {"commands"}
    assert sorted(SCOPES) == sorted(asked)


def test_every_event_is_listened_to_and_none_is_missing(manifest: dict[str, Any]) -> None:
    events = manifest["settings"]["event_subscriptions"]["bot_events"]
    assert {event.partition(".")[0] for event in events} == set(EVENTS)


def test_commands_and_shortcuts_are_those_that_are_answered(manifest: dict[str, Any]) -> None:
    features = manifest["features"]
    assert {command["command"] for command in features["slash_commands"]} == set(COMMANDS)
    assert {shortcut["callback_id"] for shortcut in features["shortcuts"]} == set(SHORTCUTS)


def test_what_people_read_of_the_app_is_within_slacks_limits(manifest: dict[str, Any]) -> None:
    about, features = manifest["display_information"], manifest["features"]
    assert len(about["name"]) <= 35
    assert len(about["description"]) <= 140
    assert len(features["agent_view"]["agent_description"]) <= 300
    assert len(features["agent_view"]["suggested_prompts"]) <= 4
    assert "assistant_view" not in features
