import json
from pathlib import Path

import pytest

from evals.datasets import SETS, load
from retrieval.errors import Permanent


def write(folder: Path, name: str, rows: list[dict[str, object]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "mine"
    write(
        made,
        "corpus.jsonl",
        [{"_id": "p1", "title": "Super_Bowl", "text": "text"}, {"_id": "p2", "text": "中文段落"}],
    )
    write(made, "queries.jsonl", [{"_id": "q1", "text": "asked"}, {"_id": "q9", "text": "not judged"}])
    (made / "qrels_test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\tp1\t1\nq2\tp2\t1\nq1\tp2\t0\n")
    return made


def test_any_folder_in_beir_s_shape_is_a_set(folder: Path) -> None:
    found = load(str(folder), folder.parent)
    assert [passage.id for passage in found.passages] == ["p1", "p2"]
    assert found.passages[0].title == "Super Bowl"
    assert found.passages[1].language == "zh"


def test_only_judged_questions_are_asked(folder: Path) -> None:
    found = load(str(folder), folder.parent)
    assert [case.id for case in found.cases] == ["q1"]
    assert found.qrels["q1"] == {"p1": 1}


def test_questions_can_come_from_another_list(folder: Path) -> None:
    write(folder, "held.jsonl", [{"_id": "q2", "text": "held out"}])
    assert [case.text for case in load(str(folder), folder.parent, folder / "held.jsonl").cases] == [
        "held out"
    ]


def test_beir_s_own_place_of_judgements_is_read(folder: Path) -> None:
    (folder / "qrels").mkdir()
    (folder / "qrels_test.tsv").rename(folder / "qrels" / "test.tsv")
    assert load(str(folder), folder.parent).cases


def test_an_absent_set_is_refused_with_the_names_that_there_are(tmp_path: Path) -> None:
    with pytest.raises(Permanent, match="scifact"):
        load("nothing", tmp_path)


def test_a_malformed_set_is_refused(folder: Path) -> None:
    write(folder, "corpus.jsonl", [{"wrong": 1}])
    with pytest.raises(Permanent, match="malformed"):
        load(str(folder), folder.parent)


def test_the_project_s_own_traps_are_complete(tmp_path: Path) -> None:
    found = SETS["code_traps"](tmp_path)
    ids = {passage.id for passage in found.passages}
    assert len(found.cases) >= 200
    assert all(set(found.qrels[case.id]) <= ids for case in found.cases)
