"""Which conditions a question names, and that only existing values count."""

from datetime import UTC, datetime

import pytest

from retrieval.types import Filters, Kind, Scope
from retrieval.understand.filters import Known, filters_in
from retrieval.understand.gate import CalibratedGate, OpenGate
from retrieval.understand.widen import widen
from tests.retrieval.answer.samples import query

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
KNOWN = Known(frozenset({"ops", "handbook"}), frozenset({"KB-3102", "Heron"}), frozenset({"Hannah Brook"}))


@pytest.mark.parametrize(
    ("text", "filters"),
    [
        ("tables about travel costs", Filters(kinds=(Kind.TABLE,))),
        ("报价的表格在哪里", Filters(kinds=(Kind.TABLE,))),
        ("screenshot of the login page", Filters(kinds=(Kind.IMAGE,))),
        ("how do I reset it for product KB-3102?", Filters(product_lines=("KB-3102",))),
        ("what was said in #ops about the outage?", Filters(sources=("ops",))),
        ("在 #ops 频道里谁提过宕机", Filters(sources=("ops",))),
        ("what was decided, written by Hannah Brook?", Filters(authors=("Hannah Brook",))),
        ("annual leave in the Chinese version", Filters(languages=("zh",))),
        (
            "messages from #ops in the last week",
            Filters(sources=("ops",), since=datetime(2026, 11, 23, tzinfo=UTC)),
        ),
        ("pages updated since 2025", Filters(since=datetime(2025, 1, 1, tzinfo=UTC))),
        ("the 2023 policy on leave", Filters()),
        ("what is said in #sales?", Filters()),
        ("how many days of leave do I get?", Filters()),
        ("what is on the table in the lobby", Filters()),
    ],
)
def test_conditions(text: str, filters: Filters) -> None:
    assert filters_in(text, KNOWN, NOW) == filters


def test_filters_that_find_nothing_are_dropped_but_the_scope_stays() -> None:
    from dataclasses import replace

    asked = replace(query("tables about ops"), filters=Filters(kinds=(Kind.TABLE,)))
    assert CalibratedGate().judge(asked, []) == OpenGate().judge(asked, []) == "again"
    wider = widen(asked)
    assert not wider.filters
    assert wider.scope == asked.scope == Scope("home", "U1")
    assert OpenGate().judge(wider, []) == "nothing"
