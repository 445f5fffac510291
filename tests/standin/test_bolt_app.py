"""An ordinary Bolt app cannot tell the local Slack from Slack: over HTTP, Socket Mode and OAuth."""

import gc
import re
import time
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlparse

import httpx
import pytest
from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_bolt.oauth.oauth_settings import OAuthSettings
from slack_sdk import WebClient
from slack_sdk.oauth.installation_store import FileInstallationStore
from slack_sdk.oauth.state_store import FileOAuthStateStore

from bot.standin.app import App as Installed
from bot.standin.workspace import Workspace
from bot.standin.world import SlackWorld
from tests.standin.bolt import serving
from tests.standin.test_messages import refusal

pytestmark = [
    pytest.mark.live,
    # The SDK's Socket Mode client forgets a socket when it reconnects while it is closed.
    pytest.mark.filterwarnings("ignore:.*socket:pytest.PytestUnraisableExceptionWarning"),
]


def answering(world: SlackWorld, **more: Any) -> App:
    """An app that repeats what it is asked, in the thread, and streams where it is told to."""
    client = WebClient(world.workspace.app.bot_token, base_url=world.api_url)
    secret = world.workspace.app.signing_secret
    app = App(client=client, signing_secret=secret, process_before_response=True, **more)

    def answer(event: dict[str, Any], say: Callable[..., Any], say_stream: Callable[..., Any]) -> None:
        if "stream" in event["text"]:
            stream = say_stream()
            stream.append(markdown_text="streamed ")
            stream.stop(markdown_text="to the end")
        else:
            say(text=f"You asked: {event['text']}", thread_ts=event.get("thread_ts") or event["ts"])

    app.event("app_mention")(answer)
    app.event("message")(lambda: None)
    app.command("/ask")(lambda ack: ack("Searching..."))
    return app


def test_over_http_a_mention_is_answered_in_its_thread(world: SlackWorld):
    with serving(answering(world)) as url:
        world.connect(f"{url}/slack/events")
        ts = world.ask("chenwei", "人事", "年假有几天？")
        assert world.wait_for_reply("人事", ts)["text"] == "You asked: <@UTEAMLORE> 年假有几天？"
        streamed = world.ask("alice", "eng", "stream, please")
        assert world.wait_for_reply("eng", streamed)["text"] == "streamed to the end"
        assert world.slash("alice", "eng", "/ask", "x").body == "Searching..."
        world.wait_for(lambda: len(world.deliveries) >= 7)
        assert world.violations == []
        assert {delivery.status for delivery in world.deliveries} == {200}


def test_over_http_bolt_refuses_a_forged_or_stale_signature(world: SlackWorld):
    with serving(answering(world)) as url:
        body = '{"type": "event_callback", "event": {"type": "app_mention"}}'
        forged = {**world.sign(body), "X-Slack-Signature": "v0=0000"}
        stale = world.sign(body, timestamp=int(time.time()) - 600)
        for headers in (forged, stale):
            sent = {**headers, "Content-Type": "application/json"}
            assert httpx.post(f"{url}/slack/events", content=body, headers=sent).status_code == 401


@pytest.fixture
def handler(world: SlackWorld) -> Iterator[SocketModeHandler]:
    """The same app over Socket Mode."""
    app_client = WebClient(world.workspace.app.app_token, base_url=world.api_url)
    mode = SocketModeHandler(
        answering(world), world.workspace.app.app_token, web_client=app_client, ping_interval=1
    )
    mode.connect()
    world.wait_for(lambda: world.sockets)
    yield mode
    mode.close()
    gc.collect()  # here, where what the SDK leaves open is expected


def test_over_socket_mode_a_mention_and_a_command_are_answered(world: SlackWorld, handler: SocketModeHandler):
    ts = world.ask("bob", "general", "hello")
    assert world.wait_for_reply("general", ts)["text"] == "You asked: <@UTEAMLORE> hello"
    assert world.slash("bob", "general", "/ask", "x").body == '{"text": "Searching..."}'
    assert world.ephemerals[0].text == "Searching..."
    world.wait_for(lambda: [d for d in world.deliveries if d.kind == "events_api" and d.status == 200][1:])


def test_over_socket_mode_what_came_while_away_comes_again(world: SlackWorld, handler: SocketModeHandler):
    world.drop_sockets()
    ts = world.ask("bob", "general", "are you back?")
    assert world.wait_for_reply("general", ts, timeout=20)["text"].endswith("are you back?")


def test_over_socket_mode_a_silent_connection_is_noticed(world: SlackWorld, handler: SocketModeHandler):
    world.silence_sockets()
    world.ask("bob", "general", "anybody there?")
    world.wait_for(lambda: not handler.client.is_connected() or not world.sockets, timeout=20)
    assert {delivery.reason for delivery in world.deliveries} == {"http_timeout"}
    world.silence_sockets(False)
    world.wait_for(lambda: world.sockets, timeout=20)


def test_a_bad_app_token_opens_no_connection(world: SlackWorld, client: WebClient):
    assert refusal(client.apps_connections_open, app_token="xapp-wrong") == "invalid_auth"
    bot_token = world.workspace.app.bot_token
    assert refusal(client.apps_connections_open, app_token=bot_token) == "not_allowed_token_type"


def through_consent(url: str, person: str) -> httpx.Response:
    """Go through the install pages as a browser would, as this person."""
    browser = httpx.Client()
    install = browser.get(f"{url}/slack/install")
    consent = re.search(r'href="([^"]*oauth/v2/authorize[^"]*)"', install.text)
    assert consent
    page = browser.get(unescape(consent[1]))
    forms = re.findall(r"<form.*?</form>", page.text, re.S)
    form = next(form for form in forms if person in form)
    fields = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form))
    root = consent[1].split("/oauth/")[0]
    data = {name: unescape(value) for name, value in fields.items()}
    chosen = browser.post(f"{root}/oauth/v2/authorize/callback", data=data)
    back = urlparse(chosen.headers["location"])
    query = {key: values[0] for key, values in parse_qs(back.query).items()}
    # Bolt's state cookie is Secure; over plain HTTP a browser on this machine would still send it.
    cookie = install.headers["set-cookie"].split(";")[0]
    done = httpx.get(f"{url}/slack/oauth_redirect", params=query, headers={"Cookie": cookie})
    browser.close()
    return done


def test_an_app_installs_itself_and_its_token_rotates(tmp_path: Path):
    rotating = Workspace(
        app=Installed(rotates=True, redirect_urls=("http://127.0.0.1/slack/oauth_redirect",))
    )
    with SlackWorld(rotating) as world:
        store = FileInstallationStore(base_dir=str(tmp_path))
        settings = OAuthSettings(
            client_id=rotating.app.client_id,
            client_secret=rotating.app.client_secret,
            scopes=sorted(rotating.app.scopes),
            redirect_uri=rotating.app.redirect_urls[0],
            authorization_url=f"{world.url}/oauth/v2/authorize",
            installation_store=store,
            state_store=FileOAuthStateStore(expiration_seconds=60, base_dir=str(tmp_path)),
        )
        client = WebClient(base_url=world.api_url)
        app = App(signing_secret=rotating.app.signing_secret, oauth_settings=settings, client=client)
        with serving(app) as url:
            assert through_consent(url, "alice").status_code == 200
        bot = store.find_bot(enterprise_id=None, team_id=world.workspace.team_id)
        assert bot
        assert bot.bot_refresh_token
        mine = WebClient(bot.bot_token, base_url=world.api_url)
        assert mine.chat_postMessage(channel=world.workspace.channel_id("eng"), text="installed")["ok"]
        refreshed = refresh(client, rotating, bot.bot_refresh_token)
        renewed = WebClient(refreshed["access_token"], base_url=world.api_url)
        assert renewed.auth_test()["user_id"] == rotating.app.user_id
        code = refusal(refresh, client, rotating, bot.bot_refresh_token)
        assert code == "invalid_refresh_token"


def refresh(client: WebClient, workspace: Workspace, token: str) -> Any:
    return client.oauth_v2_access(
        client_id=workspace.app.client_id,
        client_secret=workspace.app.client_secret,
        grant_type="refresh_token",
        refresh_token=token,
    )
