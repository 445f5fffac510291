"""Log lines are JSON, name the question, and hold neither secrets nor text of documents."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from retrieval.errors import Transient
from retrieval.pipeline import answer
from tests.tracing import parts, question
from workers.logs import about, start_logs
from workers.redact import redactor


@pytest.fixture
def out() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    stream = io.StringIO()
    start_logs("INFO", redactor(["plain-secret-value"]), stream)
    yield stream
    root.handlers[:] = before
    root.setLevel(level)
    structlog.reset_defaults()


def lines(out: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_every_line_inside_a_question_carries_its_id(out: io.StringIO) -> None:
    with about("q1", team="T1"):
        structlog.get_logger("ours").info("searched", passages=3)
        logging.getLogger("theirs").warning("slow %s", "reply")
    logging.getLogger("theirs").info("after")
    first, second, third = lines(out)
    assert (first["question"], first["team"], first["event"], first["passages"]) == (
        "q1",
        "T1",
        "searched",
        3,
    )
    assert (second["question"], second["event"], second["level"]) == ("q1", "slow reply", "warning")
    assert "question" not in third


def test_no_secret_is_written_whether_known_or_recognised(out: io.StringIO) -> None:
    structlog.get_logger().info(
        "start", token="xoxb-12345678-abcdef", url="redis://u:pass@h", other="plain-secret-value"
    )
    logging.getLogger("x").info("Authorization: Bearer abcdefghijklmnop")
    written = out.getvalue()
    assert not [
        secret for secret in ("xoxb-", "pass@", "plain-secret-value", "abcdefghijklmnop") if secret in written
    ]


def test_answering_a_question_writes_no_text_of_documents_or_questions(out: io.StringIO) -> None:
    with about("q1"):
        answer(question("what about MY-QUESTION"), parts())
        logging.getLogger("x").info("answered")
    assert "SECRET-MARKER" not in out.getvalue()
    assert "MY-QUESTION" not in out.getvalue()


def test_a_strangers_exception_is_told_by_class_and_place_alone(out: io.StringIO) -> None:
    try:
        json.loads("SECRET-MARKER")
        int("SECRET-MARKER")
    except ValueError:
        logging.getLogger("x").exception("could not read")
    (line,) = lines(out)
    assert "SECRET-MARKER" not in json.dumps(line)
    assert line["error"][0].startswith("JSONDecodeError at json/decoder.py:")


def test_our_own_errors_are_told_in_words_with_their_cause(out: io.StringIO) -> None:
    try:
        try:
            int("SECRET-MARKER")
        except ValueError as error:
            raise Transient("Weaviate did not answer within 10 s") from error
    except Transient:
        structlog.get_logger().exception("failed")
    (line,) = lines(out)
    assert line["error"][0].startswith("Transient: Weaviate did not answer within 10 s at ")
    assert line["error"][1].startswith("ValueError at ")
    assert "SECRET-MARKER" not in json.dumps(line)


def test_debug_lines_and_chatter_of_libraries_are_left_out_at_info(out: io.StringIO) -> None:
    structlog.get_logger().debug("details")
    logging.getLogger("httpx").info("HTTP Request: POST https://example.com")
    assert out.getvalue() == ""


def test_chinese_stays_readable(out: io.StringIO) -> None:
    structlog.get_logger().info("indexed", title="年假制度")
    assert "年假制度" in out.getvalue()
