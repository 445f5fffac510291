"""The workspace is plain data that a test can shape."""

import pytest

from bot.standin.app import App
from bot.standin.people import Channel, Person, slack_id
from bot.standin.workspace import Workspace


def test_ids_look_like_slacks_and_never_change():
    assert slack_id("U", "alice") == "U000ALICE"
    assert slack_id("C", "人事") == slack_id("C", "人事") != slack_id("C", "人亊")
    assert slack_id("C", "人事").isascii()


def test_people_and_channels_can_be_added():
    workspace = Workspace().with_people(Person("dora")).with_channels(Channel("ops", ("teamlore", "dora")))
    row = next(row for row in workspace.records()["channels"] if row["name"] == "ops")
    assert row["members"] == [workspace.app.user_id, workspace.person("dora").id]


def test_nobody_is_invented():
    with pytest.raises(KeyError, match="nobody here is called 'zoe'"):
        Workspace().person("zoe")


def test_an_app_has_what_its_manifest_declares_and_no_more():
    app = App.from_manifest(
        {
            "features": {"slash_commands": [{"command": "/ask"}], "shortcuts": [{"callback_id": "about"}]},
            "oauth_config": {"scopes": {"bot": ["chat:write"]}},
            "settings": {
                "event_subscriptions": {"bot_events": ["app_mention"]},
                "token_rotation_enabled": True,
            },
        },
        name="knowbot",
    )
    assert (app.scopes, app.events) == ({"chat:write"}, {"app_mention"})
    assert (app.commands, app.shortcuts, app.rotates) == ({"/ask"}, {"about"}, True)
    assert app.user_id == "U0KNOWBOT"
