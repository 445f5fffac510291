"""A house's own words are learned from its questions, and other questions are left alone."""

import json
from pathlib import Path

import numpy as np
import pytest

from evals.datasets import load, load_training
from evals.finetune_embedding import Pairs, before_after, fit, pairs_of, wins
from retrieval.errors import Permanent
from retrieval.search.adapter import FILE, AdaptedEmbedder, Adapter, adapted, read_adapter, write_adapter
from tests.standins.index import WordEmbedder

EMBEDDER = WordEmbedder()
THINGS = [(f"gull{letter * 3}", f"claim{letter * 3}") for letter in "abcdefghijklmnopqr"]
"""The house's word for each thing, and the plain one."""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """Three passages a thing in the house's words; questions in plain ones, two of three to learn from."""
    corpus: list[dict[str, str]] = []
    queries: list[dict[str, str]] = []
    qrels: dict[str, list[str]] = {"train": [], "test": []}
    for own, plain in THINGS:
        for n, aspect in enumerate(("desk", "deadline", "limit")):
            id = f"{own}-{n}"
            corpus.append({"_id": id, "title": own, "text": f"{own} {aspect}"})
            queries.append({"_id": f"q-{id}", "text": f"{plain} {aspect} {('please', 'where', 'tell')[n]}"})
            qrels["test" if n == 2 else "train"].append(f"q-{id}\t{id}\t1")
    for name, rows in (("corpus", corpus), ("queries", queries)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for name, lines in qrels.items():
        (tmp_path / f"qrels_{name}.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *lines]) + "\n")
    return tmp_path


def test_unseen_questions_about_unseen_passages_are_found_after_learning(house: Path) -> None:
    own = load(str(house), house.parent)
    adapter = fit(pairs_of(load_training(house), EMBEDDER), EMBEDDER.name)
    told = before_after(own, EMBEDDER, adapter)
    assert told["questions"] == len(THINGS)
    assert told["gain"] > 0.3
    assert told["p"] < 0.05


def test_questions_of_another_kind_are_not_moved() -> None:
    axes = np.eye(4, dtype=np.float32)
    adapter = Adapter(axes[:2], axes[2:], axes[0] * 0, 2.0, 0.2, 0.4, 4.0, "m")
    np.testing.assert_allclose(adapter.adapt(axes[3:]), axes[3:])
    assert adapter.adapt(axes[:1])[0, 2] > 0.9


def test_it_is_adopted_only_when_the_house_wins_and_others_do_not_lose() -> None:
    assert wins({"gain": 0.2}, {"gain": -0.01})
    assert wins({"gain": 0.2}, None)
    assert not wins({"gain": 0.2}, {"gain": -0.02})
    assert not wins({"gain": 0.0}, None)


def test_an_adopted_one_is_used_for_the_questions_of_its_model_alone(tmp_path: Path) -> None:
    pairs = Pairs(EMBEDDER.embed_queries(["a b", "c d"]), EMBEDDER.embed_documents(["x", "y"]), ("x", "y"))
    assert adapted(EMBEDDER, tmp_path) == (EMBEDDER, "")
    adapter = fit(pairs, EMBEDDER.name)
    write_adapter(adapter, tmp_path / "deep" / FILE)
    assert read_adapter(tmp_path / "deep" / FILE).weight == adapter.weight
    used, digest = adapted(EMBEDDER, tmp_path / "deep")
    assert isinstance(used, AdaptedEmbedder)
    assert len(digest) == 12
    np.testing.assert_array_equal(used.embed_documents(["x"]), EMBEDDER.embed_documents(["x"]))
    assert (used.embed_queries(["a b"]) != EMBEDDER.embed_queries(["a b"])).any()
    write_adapter(fit(pairs, "other:model"), tmp_path / "deep" / FILE)
    assert adapted(EMBEDDER, tmp_path / "deep") == (EMBEDDER, "")


def test_without_training_pairs_it_says_what_is_missing(house: Path) -> None:
    (house / "qrels_train.tsv").unlink()
    with pytest.raises(Permanent, match=r"no qrels_train\.tsv"):
        load_training(house)
    (house / "qrels_train.tsv").write_text("query-id\tcorpus-id\tscore\nq-gullaaa-0\tnone\t1\n")
    with pytest.raises(Permanent, match="no training pair"):
        pairs_of(load_training(house), EMBEDDER)
