from datetime import UTC, datetime, timedelta

import pytest

from retrieval.errors import Permanent
from retrieval.search.fade import fade
from retrieval.sources.spec import read_spec
from retrieval.types import Hit, Passage

NOW = datetime(2026, 6, 1, tzinfo=UTC)
CHAT = {"chat": timedelta(days=90)}


def hit(id: str, score: float, days: int | None, source: str = "chat") -> Hit:
    at = None if days is None else NOW - timedelta(days=days)
    return Hit(Passage(id, "d", "1", id, source=source, updated_at=at), score)


def order(*hits: Hit) -> list[str]:
    return [one.passage.id for one in fade(hits, CHAT, NOW)]


def test_of_two_alike_passages_the_newer_comes_first() -> None:
    assert order(hit("old", 0.9, 400), hit("new", 0.85, 1)) == ["new", "old"]


def test_at_the_half_life_half_of_what_can_be_lost_is_lost() -> None:
    assert fade([hit("a", 0.8, 90)], CHAT, NOW)[0].score == pytest.approx(0.8 * 0.75)


def test_a_much_better_old_passage_stays_before_a_new_one() -> None:
    assert order(hit("old", 0.9, 9_000), hit("new", 0.4, 1)) == ["old", "new"]


def test_other_sources_and_passages_without_a_date_do_not_fade() -> None:
    assert order(hit("rule", 0.8, 4_000, "handbook"), hit("undated", 0.7, None), hit("new", 0.6, 0)) == [
        "rule",
        "undated",
        "new",
    ]


def test_a_date_in_the_future_or_without_a_zone_is_no_error() -> None:
    naive = Hit(Passage("n", "d", "1", "n", source="chat", updated_at=datetime(2026, 1, 1)), 1.0)
    assert fade([hit("soon", 0.9, -5), naive], CHAT, NOW)[0].score == 0.9


def test_a_source_asks_for_fading_in_days() -> None:
    values = {"kind": "folder", "name": "news", "path": "/docs"}
    assert read_spec({**values, "half_life": "90d"}).fading == timedelta(days=90)
    assert read_spec(values).fading is None
    with pytest.raises(Permanent, match="half_life"):
        read_spec({**values, "half_life": "0d"})
