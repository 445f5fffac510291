"""Live data comes only from what was declared, within its limits, and says when it was true."""

import json
import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from retrieval.errors import Permanent, Transient
from retrieval.live.config import Api, LiveConfig, Parameter, read_live
from retrieval.live.http import ask_api
from retrieval.live.road import LiveRoad, live_tools, match_api
from retrieval.pipeline import silence
from retrieval.ports import OnText
from retrieval.types import Answer, Hit, Outcome, Query, Scope, Turn

SECRETS = {"STATUS_TOKEN": "s3cret"}


class Status(BaseHTTPRequestHandler):
    """A status API: by path, a state, a redirect, a flood, an error; it wants a token."""

    def do_GET(self) -> None:
        replies = {
            "/state/checkout": (200, json.dumps({"state": "degraded", "zh": "部分中断"}).encode()),
            "/state/flood": (200, b"x" * 2_000_000),
            "/state/broken": (503, b"down"),
            "/state/lost": (404, b"no"),
            "/state/away": (302, b""),
        }
        code, body = replies.get(self.path, (400, self.path.encode()))
        if self.headers.get("Authorization") != "Bearer s3cret":
            code, body = 401, b""
        self.send_response(code)
        if code == 302:
            self.send_header("Location", "http://169.254.169.254/latest/meta-data")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Stay silent."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Status) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{http.server_port}"
        http.shutdown()


def status_api(server: str, pattern: str = r"[a-z]+") -> Api:
    return Api(
        name="service_state",
        description="Current state of a service",
        timeout=5,
        url=server + "/state/{service}",
        headers={"Authorization": "Bearer $STATUS_TOKEN"},
        parameters={"service": Parameter(pattern=pattern)},
    )


def secret(name: str) -> str | None:
    return SECRETS.get(name)


def test_a_declared_api_is_asked_with_its_secret_by_reference(server: str) -> None:
    reply = ask_api(status_api(server), {"service": "checkout"}, secret)
    assert json.loads(reply) == {"state": "degraded", "zh": "部分中断"}
    assert "部分中断" in reply


@pytest.mark.parametrize(
    "arguments",
    [{"service": "../admin"}, {"service": "a/b"}, {"service": "a?x=1"}, {}, {"service": "a", "x": "1"}],
)
def test_arguments_cannot_lead_anywhere_else(server: str, arguments: dict[str, str]) -> None:
    with pytest.raises(Permanent):
        ask_api(status_api(server), arguments, secret)


def test_what_a_loose_pattern_lets_through_is_still_encoded(server: str) -> None:
    with pytest.raises(Permanent, match="answered 400"):
        ask_api(status_api(server, ".+"), {"service": "../../x?y#z"}, secret)


@pytest.mark.parametrize(
    ("service", "kind", "words"),
    [
        ("away", Permanent, "answered 302"),
        ("flood", Permanent, "more than"),
        ("lost", Permanent, "answered 404"),
        ("broken", Transient, "answered 503"),
    ],
)
def test_redirects_floods_and_errors_are_refused(
    server: str, service: str, kind: type[Exception], words: str
) -> None:
    with pytest.raises(kind, match=words):
        ask_api(status_api(server), {"service": service}, secret)


def test_a_missing_secret_is_named_and_nothing_is_asked(server: str) -> None:
    with pytest.raises(Permanent, match="STATUS_TOKEN is not set"):
        ask_api(status_api(server), {"service": "checkout"}, lambda _: None)


def test_a_dead_server_is_worth_another_try() -> None:
    with pytest.raises(Transient, match="does not answer"):
        ask_api(status_api("http://127.0.0.1:9"), {"service": "checkout"}, secret)


def compose(query: Query, hits: Sequence[Hit], turns: Sequence[Turn], on_text: OnText) -> Answer:
    return Answer(f"{hits[0].passage.title}: {hits[0].passage.text}", Outcome.ANSWERED)


def from_documents(query: Query, turns: Sequence[Turn], on_text: OnText) -> Answer:
    return Answer("from documents", Outcome.ANSWERED)


def ask(server: str, text: str) -> str:
    config = LiveConfig(api=(status_api(server, "checkout|broken|search"),))
    noon = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
    road = LiveRoad(lambda: live_tools(config, secret), None, compose, from_documents, lambda: noon)
    return road(Query("q", (text,), Scope("home", "U1")), [], silence).text


def test_without_a_model_the_api_is_chosen_by_words_and_the_answer_says_when(server: str) -> None:
    answer = ask(server, "What is the state of checkout right now?")
    assert answer.startswith("service_state, 2026-11-30 12:00 UTC:")
    assert "degraded" in answer


@pytest.mark.parametrize(
    "text", ["How many days of leave?", "state of the kitchen?", "is broken in this state?"]
)
def test_what_no_tool_can_answer_goes_to_the_documents(server: str, text: str) -> None:
    assert ask(server, text) == "from documents"


def test_a_parameter_is_not_read_out_of_the_middle_of_a_word(server: str) -> None:
    assert match_api("state of checkouts", [status_api(server, "checkout")]) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[api]]\nname='x'", "description"),
        ("[[api]]\nname='x'\ndescription='what it does'\nurl='ftp://h/x'", "fixed host"),
        (
            "[[api]]\nname='x'\ndescription='what it does'\nurl='http://{h}/x'\n[api.parameters.h]",
            "fixed host",
        ),
        ("[[api]]\nname='x'\ndescription='what it does'\nurl='http://h/{a}'", "disagree on a"),
        ("[[api]\n", "line 1"),
        ("[[mcp]]\nname='x'\nurl='http://h'\ntools=[]", "tools"),
        ("[[apis]]\n", "apis"),
    ],
)
def test_a_wrong_configuration_is_refused_by_place(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "live.toml").write_text(text)
    with pytest.raises(Permanent, match=words):
        read_live(tmp_path / "live.toml")


def test_without_a_file_nothing_may_be_asked(tmp_path: Path) -> None:
    assert read_live(tmp_path / "live.toml") == LiveConfig()
