"""Others are shown only what was asked where every full member reads."""

from collections.abc import Mapping
from typing import Any

import pytest
from fakeredis import FakeRedis

from retrieval.types import PUBLIC
from storage.answers import AnswerRow
from workers.home import is_open
from workers.permissions import Directory
from workers.slack import Refused

ROW = AnswerRow(channel="C1", surface="message", readers=[PUBLIC, "channel:C1"], detail={"kind": "channel"})


def _directory(place: Mapping[str, Any] | None) -> Directory:
    def slack(method: str, **arguments: Any) -> dict[str, Any]:
        if place is None:
            raise Refused(method, "channel_not_found")
        return {"channel": place}

    return Directory(slack, FakeRedis(), "T1")


def test_a_question_of_a_public_channel_is_open() -> None:
    assert is_open(ROW, _directory({"is_channel": True}))


@pytest.mark.parametrize("place", [{"is_private": True}, {"is_mpim": True}, {"is_im": True}, None])
def test_what_slack_does_not_call_public_is_closed_whatever_the_event_said(
    place: Mapping[str, Any] | None,
) -> None:
    assert not is_open(ROW, _directory(place))
