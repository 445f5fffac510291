"""What a model would write is told before it is written."""

from bot.commands.cost import as_figures, sentence
from retrieval.index.situate import Estimate

FOUND = Estimate(documents=2, passages=1_200, fresh=400_000, cached=1_600_000, written=180_000)


def test_the_price_counts_everything_at_full_price_since_caches_may_miss() -> None:
    figures = as_figures(FOUND, "openai:gpt-5-mini")
    assert figures["dollars"] == 0.86
    assert "1,200 passages of 2 documents" in sentence(figures)
    assert "for at most $0.86" in sentence(figures)


def test_an_unknown_price_is_said_to_be_unknown() -> None:
    figures = as_figures(FOUND, "openai:qwen-of-ours")
    assert figures["dollars"] is None
    assert "not known" in sentence(figures)


def test_nothing_to_write_is_said_so() -> None:
    assert "would write anything" in sentence(as_figures(Estimate(), "openai:gpt-5-mini"))
