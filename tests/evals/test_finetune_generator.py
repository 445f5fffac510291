"""A hosted job is begun, waited for and judged over HTTP; what does not win is not recommended."""

import json
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from evals.finetune_generator import before_after, chats
from retrieval.errors import Permanent, Transient
from retrieval.ports import Message
from retrieval.providers.openai_jobs import HostedJobs

SOURCES = "Answer from these sources, citing them as [1], [2]:\n\n[1] Staff have 25 days of leave a year."


class Provider(ThreadingHTTPServer):
    """Takes files and jobs as OpenAI does; `states` are what a job tells of itself, one a question."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files: list[bytes] = []
        self.jobs: list[dict[str, Any]] = []
        self.states = ["queued", "running", "succeeded"]

    def job(self) -> dict[str, Any]:
        state = self.states.pop(0) if len(self.states) > 1 else self.states[0]
        made = "ft:m:house" if state == "succeeded" else None
        return {"id": "ftjob-1", "object": "fine_tuning.job", "status": state, "fine_tuned_model": made}


class _Handler(BaseHTTPRequestHandler):
    server: Provider  # pyright: ignore[reportIncompatibleVariableOverride]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.path == "/v1/files":
            assert b'name="purpose"\r\n\r\nfine-tune' in body
            self.server.files.append(body)
            self._say({"id": f"file-{len(self.server.files)}", "object": "file"})
        else:
            assert self.path == "/v1/fine_tuning/jobs"
            self.server.jobs.append(json.loads(body))
            self._say(self.server.job())

    def do_GET(self) -> None:
        assert self.path == "/v1/fine_tuning/jobs/ftjob-1"
        self._say(self.server.job())

    def _say(self, told: dict[str, Any]) -> None:
        data = json.dumps(told).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider() as provider:
        threading.Thread(target=provider.serve_forever, args=(0.02,), daemon=True).start()
        yield provider
        provider.shutdown()


@pytest.fixture
def jobs(provider: Provider) -> HostedJobs:
    return HostedJobs("test-key", f"http://127.0.0.1:{provider.server_port}/v1", sleep=lambda _: None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    roles = (("system", SOURCES), ("user", "How much leave?"), ("assistant", "25 days of leave a year [1]."))
    line = json.dumps({"messages": [{"role": role, "content": text} for role, text in roles]})
    for name in ("train", "test"):
        (tmp_path / f"{name}.jsonl").write_text(line + "\n", encoding="utf-8")
    return tmp_path


def begin(jobs: HostedJobs, folder: Path) -> str:
    return jobs.start(folder / "train.jsonl", folder / "test.jsonl", "gpt-4.1-mini")


def test_a_job_is_begun_with_both_files_and_waited_for(
    provider: Provider, jobs: HostedJobs, folder: Path
) -> None:
    assert jobs.outcome(begin(jobs, folder), 60) == "ft:m:house"
    assert provider.jobs == [
        {"model": "gpt-4.1-mini", "training_file": "file-1", "validation_file": "file-2"}
    ]
    assert b"train.jsonl" in provider.files[0]


def test_a_job_that_runs_on_is_asked_about_again_later_and_a_failed_one_is_told(
    provider: Provider, jobs: HostedJobs
) -> None:
    provider.states = ["running"]
    assert jobs.outcome("ftjob-1", 0) is None
    provider.states = ["failed"]
    with pytest.raises(Permanent, match="failed"):
        jobs.outcome("ftjob-1", 0)


def test_a_provider_that_does_not_answer_is_transient_and_no_chats_are_told(
    folder: Path, tmp_path: Path
) -> None:
    with pytest.raises(Transient):
        begin(HostedJobs("k", "http://127.0.0.1:9/v1"), folder)
    with pytest.raises(Permanent, match="dataset generator"):
        chats(tmp_path / "none.jsonl")


class Writes:
    """A model that always says the same."""

    name = "fake:writes"

    def __init__(self, text: str) -> None:
        self._text = text

    def write(self, messages: Sequence[Message], *, max_tokens: int = 1024) -> str:
        assert [message.role for message in messages] == ["system", "user"]
        return self._text


def test_an_answer_without_a_mark_or_with_invented_words_is_worth_less(folder: Path) -> None:
    good, bad = (
        Writes("Staff have 25 days of leave a year [1]."),
        Writes("Staff have 25 days of leave a year."),
    )
    kept = chats(folder / "test.jsonl") * 10
    told = before_after(bad, good, kept)  # pyright: ignore[reportArgumentType]
    assert (told["before"], told["after"], told["wins"]) == (0.0, 1.0, True)
    assert not before_after(good, good, kept)["wins"]  # pyright: ignore[reportArgumentType]
    assert not before_after(bad, good, kept[:2])["wins"]  # pyright: ignore[reportArgumentType]
