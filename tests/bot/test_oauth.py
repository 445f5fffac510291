"""Installed by OAuth into a workspace, the bot answers there with its own token for it, and renews that."""

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlparse

import httpx
import pytest
import yaml

from bot.oauth import SCOPES
from bot.standin.app import App
from bot.standin.workspace import Workspace
from bot.standin.world import SlackWorld
from tests.office import MANIFEST, Office, until
from workers.installations import ManyWorkspaces, open_installations
from workers.settings import load_settings

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def installed() -> Iterator[Office]:
    """An office whose app knows no token until Alice has installed it."""
    back = "http://127.0.0.1/slack/oauth_redirect"
    app = replace(App.from_manifest(yaml.safe_load(MANIFEST.read_text())), redirect_urls=(back,))
    world = SlackWorld(Workspace(app=app))
    variables: dict[str, Any] = {
        "SLACK_BOT_TOKEN": "",
        "SLACK_CLIENT_ID": app.client_id,
        "SLACK_CLIENT_SECRET": app.client_secret,
        "SLACK_REDIRECT_URL": back,
    }
    with Office(world, **variables) as office:
        consent(office.url, "alice")
        yield office


def consent(url: str, person: str) -> None:
    """Go through the install pages as a browser would."""
    with httpx.Client() as browser:
        install = browser.get(f"{url}/slack/install")
        page_url = re.search(r'href="([^"]*oauth/v2/authorize[^"]*)"', install.text)
        assert page_url
        page = browser.get(unescape(page_url[1]))
        form = next(f for f in re.findall(r"<form.*?</form>", page.text, re.S) if person in f)
        data = {name: unescape(value) for name, value in re.findall(r'name="([^"]+)" value="([^"]*)"', form)}
        root = page_url[1].split("/oauth/")[0]
        chosen = browser.post(f"{root}/oauth/v2/authorize/callback", data=data)
        query = {
            key: values[0] for key, values in parse_qs(urlparse(chosen.headers["location"]).query).items()
        }
        cookie = install.headers["set-cookie"].split(";")[0]
        done = browser.get(f"{url}/slack/oauth_redirect", params=query, headers={"Cookie": cookie})
        assert done.status_code == 200, done.text


def installations(office: Office) -> ManyWorkspaces:
    found = open_installations(load_settings(office.variables()), office.database(), office.redis)
    assert isinstance(found, ManyWorkspaces)
    return found


def test_the_manifests_scopes_are_those_that_are_asked_for() -> None:
    assert sorted(SCOPES) == sorted(yaml.safe_load(MANIFEST.read_text())["oauth_config"]["scopes"]["bot"])


def test_a_question_is_answered_with_the_workspaces_own_token(installed: Office) -> None:
    ts = installed.world.ask("alice", "eng", "how many vacation days?")
    said = until(lambda: installed.world.replies("eng", ts))
    assert "25 days" in said[0]["text"]
    posts = until(lambda: installed.world.calls_of("chat.postMessage"))
    assert posts[-1].token.startswith("xoxb-")


def test_a_token_that_ends_soon_is_renewed_once(installed: Office) -> None:
    many = installations(installed)
    team = installed.world.workspace.team_id
    old = many.of(team).token
    bot = many.vault.find_bot(enterprise_id=None, team_id=team, is_enterprise_install=False)
    assert bot
    bot.bot_token_expires_at = int(time.time()) + 60
    many.vault.save_bot(bot)
    renewed = many.of(team).token
    assert renewed != old
    assert many.of(team).token == renewed
    refreshes = [c for c in installed.world.calls_of("oauth.v2.access") if c.args.get("refresh_token")]
    assert len(refreshes) == 1


def test_uninstalling_forgets_the_workspace(installed: Office) -> None:
    many = installations(installed)
    team = installed.world.workspace.team_id
    installed.world.uninstall()
    until(lambda: many.vault.find_bot(enterprise_id=None, team_id=team, is_enterprise_install=False) is None)
    assert not Path(installed.home / "office.db").read_bytes().count(b"xoxb-")
