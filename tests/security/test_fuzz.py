"""Bytes and payloads of every kind: a parser refuses what it cannot read; Slack's are read or dropped.

What once broke is kept here as an example, and is tried at every run.
"""

import contextlib
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.parse import form_values, parse_message, plain
from retrieval.errors import Unreadable
from retrieval.index.parse import Limits, parse
from tests.retrieval.index.parse import make

SUFFIXES = "md txt html pdf docx pptx xlsx csv tsv json yaml toml xml rtf odt epub eml ipynb py zip svg rst"
NAMES = [f"a.{suffix}" for suffix in SUFFIXES.split(" ")]
WHOLE = {
    "a.pdf": make.pdf([("Hello", 11, False)]),
    "a.docx": make.docx(make.p("Hello")),
    "a.xlsx": make.xlsx({"One": [["a", "b"], ["1", "2"]]}),
    "a.html": b"<html><body><h1>Hello</h1><table><tr><td>1</td></tr></table></body></html>",
    "a.eml": b"From: a@example.com\nSubject: Hello\nContent-Type: text/plain\n\nHello",
    "a.rtf": rb"{\rtf1\ansi Hello\par}",
    "a.json": b'{"a": [1, {"b": "c"}]}',
    "a.md": "# 标题\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```py\nx\n```".encode(),
}
LIMITS = Limits()
many = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
words = st.text(max_size=200) | st.text(alphabet="<>@#!|&;U1a ", max_size=200)


@many
@given(st.binary(max_size=2000), st.sampled_from(NAMES))
@example(b"\xff\xfe\x00", "a.csv")
@example(b"[" * 900, "a.json")
@example(b"{\\rtf1" + b"{" * 900, "a.rtf")
def test_no_bytes_break_a_parser(data: bytes, name: str) -> None:
    with contextlib.suppress(Unreadable):
        parse(data, name, limits=LIMITS)


@many
@given(st.sampled_from(sorted(WHOLE)), st.data())
def test_no_damage_breaks_a_parser(name: str, data: st.DataObject) -> None:
    whole = bytearray(WHOLE[name])
    for _ in range(data.draw(st.integers(1, 8))):
        place = data.draw(st.integers(0, len(whole) - 1))
        whole[place] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(1, len(whole)))
    with contextlib.suppress(Unreadable):
        parse(bytes(whole[:cut]), name, limits=LIMITS)


def event(**fields: Any) -> dict[str, Any]:
    said = {"type": "message", "channel": "C1", "ts": "1.0", **fields}
    return {"team_id": "T1", "event_id": "Ev1", "event": said}


@many
@given(words)
@example("<@U1|<@U1>>")
@example("<https://a|b|c>")
def test_any_text_of_a_message_is_read(text: str) -> None:
    said = parse_message(event(text=text, user="U2"), "UBOT")
    assert said is not None
    assert plain(text) == plain(text)


@many
@given(
    st.dictionaries(
        st.sampled_from(["thread_ts", "user", "bot_id", "subtype", "user_team", "edited"]), values
    )
)
def test_odd_fields_of_a_message_are_borne(fields: dict[str, Any]) -> None:
    with contextlib.suppress(KeyError, TypeError, AttributeError, ValueError):
        parse_message(event(text="hello", **fields), "UBOT")


@many
@given(st.dictionaries(st.text(max_size=8), values, max_size=4))
def test_odd_forms_are_borne(body: dict[str, Any]) -> None:
    with contextlib.suppress(KeyError, TypeError, AttributeError, ValueError):
        form_values({"view": {"state": {"values": body}}})


@pytest.mark.parametrize("name", sorted(WHOLE))
def test_the_whole_files_are_read(name: str) -> None:
    assert parse(WHOLE[name], name, limits=LIMITS).blocks
