"""A head is learned from what answered and what was found beside it, and adopted only where it wins."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from evals.datasets import load, load_training
from evals.finetune import app
from evals.finetune_rerank import (
    Lesson,
    Workshop,
    before_after,
    fit,
    learned,
    lessons,
    shipped_weights,
    wins,
)
from retrieval.config import RetrievalConfig
from retrieval.errors import Permanent
from retrieval.providers import fitted_reranker
from retrieval.search import adapter
from tests.standins.index import WordEmbedder

EMBEDDER = WordEmbedder()


class Misled:
    """A reranker that likes length, which tells nothing here."""

    name = "test:misled"
    trust = 0.9

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        return [min(1.0, len(text) / 200) for text in texts]


SHOP = Workshop(EMBEDDER, EMBEDDER, EMBEDDER.name, Misled(), RetrievalConfig())


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """Pages that are about what their title says; each also names the next thing, in more words."""
    things = [f"thing{a}{b}" for a in "abcdefgh" for b in "klmnop"]
    corpus = [
        {"_id": one, "title": one, "text": f"ask the desk first; unlike {other} " * (1 + n % 3)}
        for n, (one, other) in enumerate(zip(things, things[1:] + things[:1], strict=True))
    ]
    queries = [{"_id": f"q-{one}", "text": f"who approves {one}"} for one in things]
    for name, rows in (("corpus", corpus), ("queries", queries)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for name, side in (("train", things[:24]), ("test", things[24:])):
        rows = ["query-id\tcorpus-id\tscore", *(f"q-{one}\t{one}\t1" for one in side)]
        (tmp_path / f"qrels_{name}.tsv").write_text("\n".join(rows) + "\n")
    return tmp_path


def test_unseen_questions_gain_from_what_the_house_titles_tell(house: Path) -> None:
    head = fit(lessons(load_training(house), SHOP), SHOP)
    assert (head.reranker, head.embedder) == ("test:misled", "test:words")
    assert head.weights["head"] > head.weights["pairs"]
    told = before_after(load(str(house), house.parent), SHOP, head)
    assert told["nDCG@10"]["questions"] == 24
    assert told["RR@10"]["after"] == 1.0
    assert told["nDCG@10"]["gain"] > 0.1
    assert wins(told, None)


def test_where_no_figure_tells_anything_the_shipped_mix_stays() -> None:
    chance = np.random.default_rng(5)
    rows = chance.random((200, 6, 7)).astype(np.float32)
    taught = [Lesson(one, np.arange(6) == 0, str(n)) for n, one in enumerate(rows)]
    mix = learned(taught, shipped_weights(SHOP.reranker), 3.0)
    np.testing.assert_allclose(mix, [0.9, 0, 0, 0, 0, 0, 0.1], atol=0.05)
    assert min(mix) >= 0


def test_it_wins_only_beyond_chance_and_where_no_other_set_loses_a_point() -> None:
    def gains(first: float, second: float, p: float = 0.01) -> dict[str, dict[str, float]]:
        return {"nDCG@10": {"gain": first, "p": p}, "RR@10": {"gain": second, "p": p}}

    assert wins(gains(0.02, 0.0), gains(-0.01, 0.0))
    assert wins(gains(0.02, 0.01), None)
    assert not wins(gains(0.02, 0.01, p=0.2), None)
    assert not wins(gains(0.02, -0.01), None)
    assert not wins(gains(0.02, 0.01), gains(-0.011, 0.0))
    assert not wins(gains(0.02, 0.01), gains(0.0, -0.02))


def test_a_folder_without_lessons_says_what_is_missing(house: Path) -> None:
    (house / "qrels_train.tsv").write_text("query-id\tcorpus-id\tscore\nq-thingak\tnone\t1\n")
    with pytest.raises(Permanent, match="no training question"):
        lessons(load_training(house), SHOP)
    (house / "qrels_train.tsv").write_text("query-id\tcorpus-id\tscore\nq-thingak\tthingak\tmany\n")
    with pytest.raises(Permanent, match="malformed"):
        load_training(house)
    (house / "qrels_train.tsv").unlink()
    with pytest.raises(Permanent, match=r"no qrels_train\.tsv"):
        load_training(house)


def test_one_command_takes_back_what_was_adopted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEAMLORE_HOME", str(tmp_path))
    for what, file in (("rerank", fitted_reranker.FILE), ("embedding", adapter.FILE)):
        (tmp_path / file).write_text("x")
        for there in ("true", "false"):
            said = CliRunner().invoke(app, ["undo", what, "--json"])
            assert said.output.strip() == f'{{"undone": {there}}}'
        assert not (tmp_path / file).exists()


@pytest.mark.live
def test_the_command_adopts_a_head_of_the_local_models_that_wins_on_the_house(
    house: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from workers.choices import choose_embedder, choose_reranker
    from workers.settings import load_settings

    monkeypatch.setenv("TEAMLORE_HOME", str(tmp_path / "home"))
    said = CliRunner().invoke(app, ["rerank", str(house), "--guard", "", "--json"], catch_exceptions=False)
    told = json.loads(said.output)
    assert "24 labels are few" in told["warning"]
    assert told["adopted"] == wins(told[house.name], None)
    settings = load_settings()
    embedder = choose_embedder(settings)
    used = fitted_reranker.fitted(choose_reranker(settings, embedder), embedder, settings.home)
    assert isinstance(used, fitted_reranker.FittedReranker) == told["adopted"]
