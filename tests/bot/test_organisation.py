"""Installed once for a whole Enterprise Grid organisation: each workspace knows its own, and can go alone."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import yaml
from slack_sdk.oauth.installation_store import Installation

from bot.standin.app import App
from bot.standin.workspace import Workspace
from bot.standin.world import SlackWorld
from storage.answers import Answers, State
from storage.facts import Facts
from tests.letters import mention
from tests.office import MANIFEST, Office, texts, until
from workers.installations import ManyWorkspaces, open_installations
from workers.settings import load_settings

pytestmark = pytest.mark.live
ORGANISATION = "E0ACME"


@pytest.fixture(scope="module")
def office() -> Iterator[Office]:
    """An office in a workspace of an organisation; the organisation's own token is all that we have."""
    app = App.from_manifest(yaml.safe_load(MANIFEST.read_text()))
    workspace = Workspace(app=app, enterprise_id=ORGANISATION, is_org_install=True)
    world = SlackWorld(workspace)
    variables: dict[str, Any] = {
        "SLACK_BOT_TOKEN": "",
        "SLACK_CLIENT_ID": app.client_id,
        "SLACK_CLIENT_SECRET": app.client_secret,
    }
    with Office(world, **variables) as office:
        install(office)
        yield office


def many(office: Office) -> ManyWorkspaces:
    found = open_installations(load_settings(office.variables()), office.database(), office.redis)
    assert isinstance(found, ManyWorkspaces)
    return found


def install(office: Office) -> None:
    app = office.world.workspace.app
    many(office).vault.save(
        Installation(
            app_id=app.id,
            enterprise_id=ORGANISATION,
            team_id=None,
            user_id="U000ALICE",
            bot_id=app.bot_id,
            bot_user_id=app.user_id,
            bot_token=app.bot_token,
            is_enterprise_install=True,
        )
    )


def test_a_workspace_of_the_organisation_is_answered(office: Office) -> None:
    ts = office.world.ask("alice", "eng", "how many vacation days?")
    (said,) = until(lambda: office.world.replies("eng", ts))
    assert "25 days" in said["text"]
    posts = until(lambda: office.world.calls_of("chat.postMessage"))
    assert posts[-1].token == office.world.workspace.app.bot_token


def test_a_button_and_a_command_are_answered_too(office: Office) -> None:
    ts = office.world.ask("bob", "eng", "how do we deploy?")
    (said,) = until(lambda: office.world.replies("eng", ts))
    office.world.click("bob", ("eng", said["ts"]), "feedback", "positive")
    until(lambda: [e for e in office.world.ephemerals if "Thank you" in e.text])
    office.world.slash("bob", "eng", "/ask", "how many vacation days?")
    until(lambda: [e for e in office.world.ephemerals if "25 days" in e.text])


def test_work_that_starts_from_here_knows_the_organisation(office: Office) -> None:
    """A run over a source is asked for by the workspace's id, and speaks by the organisation's token."""
    office.world.slash("alice", "eng", "/knowledge", "reindex handbook")
    channel = office.world.dm("alice")
    until(lambda: [t for t in texts(office.world.messages(channel)) if "done. 1 added" in t])
    assert many(office).of(office.world.workspace.team_id).token == office.world.workspace.app.bot_token


def test_each_workspace_is_a_tenant_of_its_own(office: Office) -> None:
    team = office.world.workspace.team_id
    office.world.slash("bob", "eng", "/knowledge", "remember I work in Berlin")
    until(lambda: Facts(office.database()).of(team, "U00000BOB"))
    assert Facts(office.database()).of("T0OTHER", "U00000BOB") == ()


def test_a_workspace_that_takes_its_access_back_loses_its_data_alone(office: Office) -> None:
    other = replace(office.letters, team="T0OTHER")
    event = mention("<@UTEAMLORE> how many vacation days?", "1796000000.000100")
    assert other.event(event, enterprise_id=ORGANISATION).status_code == 200
    of_other = Answers(office.database())
    until(lambda: [r for r in of_other.recent("T0OTHER", "U000ALICE") if r.state == State.ANSWERED])
    office.world.deliver({"type": "team_access_revoked", "team_ids": ["T0OTHER"], "event_ts": "1.0"})
    until(lambda: not of_other.recent("T0OTHER", "U000ALICE"))
    assert of_other.recent(office.world.workspace.team_id, "U000ALICE")
    assert many(office).of(office.world.workspace.team_id).token


def test_when_the_organisation_removes_the_app_all_its_workspaces_are_forgotten(office: Office) -> None:
    team = office.world.workspace.team_id
    office.redis.set("fake:pace", "0.2")
    office.redis.set("fake:text", "word " * 200)
    ts = office.world.ask("alice", "eng", "tell me a long story")
    until(lambda: office.redis.keys("lease:answer:*"))
    office.world.uninstall()
    until(lambda: not Answers(office.database()).recent(team, "U000ALICE"), 30)
    assert Facts(office.database()).of(team, "U00000BOB") == ()
    assert office.redis.sismember("seen:forgotten", team)
    assert not many(office).vault.find_bot(
        enterprise_id=ORGANISATION, team_id=None, is_enterprise_install=True
    )
    left = [key for key in office.redis.scan_iter() if team.encode() in key]
    assert [key for key in left if not key.startswith((b"stop-team:", b"lease:"))] == []
    assert not office.redis.keys("question:*")
    assert "word " * 150 not in str(office.world.replies("eng", ts))
