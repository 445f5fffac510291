"""Files go up and down, and a wrong token gets the sign-in page that Slack would send."""

import httpx
import pytest
from slack_sdk import WebClient

from bot.standin.app import BOT_SCOPES, App
from bot.standin.workspace import Workspace
from bot.standin.world import SlackWorld

pytestmark = pytest.mark.live


def download(url: str, token: str) -> httpx.Response:
    return httpx.get(url, headers={"Authorization": f"Bearer {token}"})


def test_the_bot_uploads_into_a_thread(world: SlackWorld, client: WebClient):
    eng = world.workspace.channel_id("eng")
    ts = world.post("alice", "eng", "where is the shutter button?")
    client.files_upload_v2(channel=eng, thread_ts=ts, filename="shutter.png", content=b"png", title="快门")
    reply = world.messages("eng", ts)[-1]
    assert reply["files"][0]["title"] == "快门"
    assert world.violations == []


def test_a_persons_file_is_downloaded_with_the_bots_token(world: SlackWorld):
    world.post("alice", "eng", "look", files=(("a.png", b"\x89PNG"), ("b.txt", "二".encode())))
    first, second = world.messages("eng")[0]["files"]
    token = world.workspace.app.bot_token
    assert download(first["url_private_download"], token).content == b"\x89PNG"
    assert download(second["url_private_download"], token).content.decode() == "二"


def test_a_wrong_token_gets_the_sign_in_page_with_status_200():
    blind = Workspace(app=App(scopes=BOT_SCOPES - {"files:read"}))
    with SlackWorld(blind) as world:
        world.post("alice", "eng", "look", files=(("a.png", b"\x89PNG"),))
        url = world.messages("eng")[0]["files"][0]["url_private_download"]
        for token in (world.workspace.app.bot_token, "xoxb-wrong"):
            page = download(url, token)
            assert (page.status_code, page.headers["content-type"].split(";")[0]) == (200, "text/html")
