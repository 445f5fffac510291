"""Make the synonyms (`python -m evals.cases.jargon.make`): passages in house words, questions in plain ones.

Each in-house word has passages on both sides of the split; a test question asks about a passage that no
training question asks about, in plain words that no training question uses.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from evals.cases.beir import write_lines, write_qrels

HERE = Path(__file__).parents[1]
Split = Literal["train", "test"]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Concept(_Frozen):
    """An in-house word and what people call it who do not know it, in training and in the test."""

    word: str
    train: tuple[str, str]
    test: tuple[str, str]


class Aspect(_Frozen):
    """What is said about a word, and how it is asked for."""

    passages: tuple[str, str]
    train: tuple[str, str]
    test: tuple[str, str]


class Jargon(_Frozen):
    """The file of one language."""

    concepts: list[Concept]
    aspects: dict[str, Aspect]
    who: list[str]
    place: list[str]


@dataclass(frozen=True)
class Entry:
    """One passage with its questions; all of them belong to one side of the split."""

    id: str
    lang: str
    title: str
    text: str
    split: Split
    questions: tuple[str, ...]


def make_entries() -> list[Entry]:
    """All entries in a fixed order; the same ones each time."""
    return [entry for lang in ("en", "zh") for entry in _entries_of(lang, read_jargon(lang))]


def read_jargon(lang: str) -> Jargon:
    """What was written for `en` or `zh`."""
    return Jargon.model_validate_json((Path(__file__).parent / f"{lang}.json").read_text("utf-8"))


def _entries_of(lang: str, jargon: Jargon) -> Iterator[Entry]:
    rng = random.Random(f"jargon-{lang}")
    for number, concept in enumerate(jargon.concepts):
        for place, name in enumerate(jargon.aspects):
            split: Split = "test" if (place - number) % 5 in {0, 2} else "train"
            yield Entry(
                id=f"{lang}-{number:02d}-{name}",
                lang=lang,
                title=concept.word,
                text=_passage(concept, jargon.aspects[name], jargon, rng),
                split=split,
                questions=_questions(concept, jargon.aspects[name], split),
            )


def _passage(concept: Concept, aspect: Aspect, jargon: Jargon, rng: random.Random) -> str:
    text = rng.choice(aspect.passages).format(
        word=concept.word,
        who=rng.choice(jargon.who),
        place=rng.choice(jargon.place),
        days=rng.randrange(2, 31),
        sum=rng.randrange(12, 180) * 10,
        account=rng.randrange(3000, 9000),
    )
    return text[0].upper() + text[1:]


def _questions(concept: Concept, aspect: Aspect, split: Split) -> tuple[str, ...]:
    wordings = aspect.train if split == "train" else aspect.test
    plains = concept.train if split == "train" else concept.test
    return tuple(wording.format(plain=plain) for wording, plain in zip(wordings, plains, strict=True))


def write(entries: list[Entry], folder: Path) -> None:
    """The BEIR-shaped folder with `qrels_train.tsv` and `qrels_test.tsv`."""
    asked = [
        (f"{entry.id}-{at}", text, entry) for entry in entries for at, text in enumerate(entry.questions)
    ]
    write_lines(folder / "corpus.jsonl", [{"_id": e.id, "title": e.title, "text": e.text} for e in entries])
    write_lines(
        folder / "queries.jsonl",
        [{"_id": key, "text": text, "lang": e.lang, "split": e.split} for key, text, e in asked],
    )
    for split in ("train", "test"):
        pairs = [(key, entry.id) for key, _, entry in asked if entry.split == split]
        write_qrels(folder / f"qrels_{split}.tsv", pairs)


if __name__ == "__main__":
    write(make_entries(), HERE / "synonyms")
