"""Retrieval sets as passages, questions and judgements. Data stay where they lie; nothing is copied.

A set is a name below or any folder in BEIR's shape: corpus.jsonl (`_id`, `title`, `text`), queries.jsonl
(`_id`, `text`) and qrels_test.tsv (or qrels/test.tsv). Lists of questions may be a part of those judged.
"""

import csv
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from retrieval.errors import Permanent
from retrieval.types import Language, Passage

Qrels = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Case:
    """One question."""

    id: str
    text: str


@dataclass(frozen=True)
class RetrievalSet:
    """Passages, questions, and for each question the passages that answer it, with their grade."""

    name: str
    passages: tuple[Passage, ...]
    cases: tuple[Case, ...]
    qrels: Qrels

    def __post_init__(self) -> None:
        if not self.passages or not self.cases:
            raise Permanent(f"{self.name}: no passages or no judged questions")


def load(name: str, data: Path, queries: Path | None = None) -> RetrievalSet:
    """The set called `name`, or the folder at that path. Raises Permanent when it is absent or malformed."""
    try:
        found = SETS[name](data) if name in SETS else beir(name, Path(name))
        return replace(found, cases=_judged(_rows(queries), found.qrels)) if queries else found
    except FileNotFoundError as error:
        raise Permanent(
            f"{name}: {error.filename} is absent; sets are {', '.join(SETS)} or a folder"
        ) from error
    except (KeyError, ValueError) as error:
        raise Permanent(f"{name}: malformed data ({type(error).__name__}: {error})") from error


def load_training(folder: Path) -> RetrievalSet:
    """The questions to learn from of a folder in BEIR's shape. Raises Permanent where there are none."""
    try:
        return beir(folder.name, folder, qrels="qrels_train.tsv")
    except FileNotFoundError as error:
        absent = Path(error.filename).name
        raise Permanent(f"no {absent} in {folder}; `teamlore dataset` writes one") from error
    except (KeyError, ValueError) as error:
        raise Permanent(f"{folder}: malformed data ({type(error).__name__}: {error})") from error


def beir(
    name: str, folder: Path, corpus: str = "corpus.jsonl", queries: Path | None = None, qrels: str = ""
) -> RetrievalSet:
    """A folder in BEIR's shape. `queries` may come from another one, as questions of another language do."""
    judged = _qrels(folder, qrels)
    asked = _rows(queries or folder / "queries.jsonl")
    return RetrievalSet(
        name=Path(name).name,
        passages=tuple(_passages(_rows(folder / corpus))),
        cases=_judged(asked, judged),
        qrels=judged,
    )


def _anthropic(data: Path) -> RetrievalSet:
    """Code: 90 files in 737 chunks; a question's golden chunks are found or not (Pass@k)."""
    folder = data / "anthropic_contextual"
    files = json.loads((folder / "codebase_chunks.json").read_text(encoding="utf-8"))
    passages = [
        Passage(
            id=f"{file['original_uuid']}_{chunk['original_index']}",
            document_id=file["doc_id"],
            version="1",
            text=chunk["content"],
            position=chunk["original_index"],
        )
        for file in files
        for chunk in file["chunks"]
    ]
    rows = list(enumerate(_rows(folder / "evaluation_set.jsonl")))
    return RetrievalSet(
        name="anthropic_contextual",
        passages=tuple(passages),
        cases=tuple(Case(f"q{number}", row["query"]) for number, row in rows),
        qrels={f"q{number}": {f"{u}_{i}": 1 for u, i in row["golden_chunk_uuids"]} for number, row in rows},
    )


def _crossed(passages: str, questions: str) -> Callable[[Path], RetrievalSet]:
    return lambda data: beir(
        f"{questions}_to_{passages}", data / passages, queries=data / questions / "queries.jsonl"
    )


def _mixed(questions: Language) -> Callable[[Path], RetrievalSet]:
    """Every other paragraph in English, the rest in Chinese; asked is what stands in the other language."""

    def read(data: Path) -> RetrievalSet:
        both: Mapping[Language, RetrievalSet] = {
            "en": beir("xquad_en", data / "xquad_en"),
            "zh": beir("xquad_zh", data / "xquad_zh"),
        }
        chosen = [
            pair[at % 2] for at, pair in enumerate(zip(both["en"].passages, both["zh"].passages, strict=True))
        ]
        foreign = {passage.id for passage in chosen if passage.language != questions}
        asked = both[questions]
        cases = tuple(case for case in asked.cases if foreign.intersection(asked.qrels[case.id]))
        return RetrievalSet(f"xquad_{questions}_to_mixed", tuple(chosen), cases, asked.qrels)

    return read


def _two_wiki(data: Path) -> RetrievalSet:
    """The first 780 passages are the index that others published figures for."""
    found = beir("2wiki_multihop", data / "2wiki_multihop")
    return replace(found, passages=found.passages[:780])


def _mtrag(data: Path) -> RetrievalSet:
    """The last turn as people rewrote it, over the pooled passages."""
    folder = data / "mtrag"
    qrels = _qrels(folder, "qrels_mtrag_human_covered.tsv")
    rows = [{**r, "text": r["human_rewrite"]} for r in _rows(folder / "queries_mtrag_human_covered.jsonl")]
    passages = tuple(_passages(_rows(folder / "corpus_pooled.jsonl")))
    return RetrievalSet("mtrag", passages, _judged(rows, qrels), qrels)


def _code_traps(_: Path) -> RetrievalSet:
    """Codes, versions and names one character apart: the project's own."""
    return beir("code_traps", Path(__file__).parent / "cases" / "code_traps")


def _folder(name: str) -> Callable[[Path], RetrievalSet]:
    return lambda data: beir(name, data / name)


SETS: Mapping[str, Callable[[Path], RetrievalSet]] = {
    "code_traps": _code_traps,
    "scifact": _folder("scifact"),
    "anthropic_contextual": _anthropic,
    "xquad_en": _folder("xquad_en"),
    "xquad_zh": _folder("xquad_zh"),
    "cmrc2018_dev": _folder("cmrc2018_dev"),
    "xquad_en_to_xquad_zh": _crossed("xquad_zh", "xquad_en"),
    "xquad_zh_to_xquad_en": _crossed("xquad_en", "xquad_zh"),
    "xquad_en_to_mixed": _mixed("en"),
    "xquad_zh_to_mixed": _mixed("zh"),
    "2wiki_multihop": _two_wiki,
    "mtrag": _mtrag,
}


def _rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def _passages(rows: Sequence[Mapping[str, Any]]) -> Iterator[Passage]:
    for row in rows:
        text, title = row["text"], (row.get("title") or "").replace("_", " ")
        yield Passage(
            id=row["_id"],
            document_id=row["_id"],
            version="1",
            text=text,
            title=title,
            language=language_of(text),
        )


def language_of(text: str) -> Language:
    """Chinese when a fifth of the characters are Han."""
    han = sum("\u4e00" <= character <= "\u9fff" for character in text)
    return "zh" if han * 5 > len(text) else "en"


def _judged(rows: Sequence[Mapping[str, Any]], qrels: Qrels) -> tuple[Case, ...]:
    return tuple(Case(row["_id"], row["text"]) for row in rows if row["_id"] in qrels)


def _qrels(folder: Path, name: str = "") -> Qrels:
    choices = [folder / name] if name else [folder / "qrels_test.tsv", folder / "qrels" / "test.tsv"]
    path = next((choice for choice in choices if choice.exists()), choices[0])
    found: dict[str, dict[str, int]] = {}
    with path.open(encoding="utf-8", newline="") as lines:
        for query, passage, grade, *_ in list(csv.reader(lines, delimiter="\t"))[1:]:
            if int(grade) > 0:
                found.setdefault(query, {})[passage] = int(grade)
    return found
