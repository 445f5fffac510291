"""Make the code traps, passages one character of a code apart: `python -m evals.cases.traps.make`."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evals.cases.beir import Row, write_lines, write_qrels
from evals.cases.traps.codes import is_near, near_codes
from evals.cases.traps.words import Fact, Words, read_words

HERE = Path(__file__).parents[1]
FULL_WIDTH = {ord(digit): ord(digit) + 0xFEE0 for digit in "0123456789"}
TYPED_FREELY = {"error", "product", "advisory"}


@dataclass(frozen=True)
class Trap:
    """A question for one code, the passage `gold` that answers it, and the passages one character away."""

    lang: str
    kind: str
    code: str
    query: str
    gold: str
    neighbours: tuple[str, ...]
    title: str
    passage: str

    @property
    def id(self) -> str:
        """The id of the question."""
        return f"q-{self.gold}"


def make_traps() -> list[Trap]:
    """All traps in a fixed order; the same ones each time."""
    return [trap for lang in ("en", "zh") for trap in _traps_of(lang, read_words(lang))]


def _traps_of(lang: str, words: Words) -> Iterator[Trap]:
    facts = words.facts()
    for kind, families in _families(words, random.Random(f"traps-{lang}")).items():
        left = iter(facts[kind])
        for number, codes in enumerate(families):
            yield from _family(f"{lang}-{kind}-{number}", codes, left, words)


def _families(words: Words, rng: random.Random) -> dict[str, list[list[str]]]:
    made = {kind: [near_codes(base, 4, rng) for base in bases] for kind, bases in words.bases.items()}
    people = [name for name, _ in words.people]
    settings = [name for name, _, _ in words.settings]
    return made | {"person": [people], "setting": [settings]}


def _family(name: str, codes: list[str], facts: Iterator[Fact], words: Words) -> Iterator[Trap]:
    lang, kind, number = name.split("-")
    title, passage, questions = words.wording[kind]
    for place, (code, (a, b)) in enumerate(zip(codes, facts, strict=False)):
        near = [other for other in codes if is_near(other, code)]
        warning = words.confused.format(near=near[0]) if place % 4 == 1 else ""
        typed = _as_typed(code, lang, place + int(number)) if kind in TYPED_FREELY else code
        yield Trap(
            lang=lang,
            kind=kind,
            code=code,
            query=questions[place % len(questions)].format(code=typed),
            gold=f"{name}-{place}",
            neighbours=tuple(f"{name}-{codes.index(other)}" for other in near),
            title=title.format(code=code),
            passage=passage.format(code=code, a=a, b=b) + warning,
        )


def _as_typed(code: str, lang: str, turn: int) -> str:
    """People type codes in small letters, with a blank for the hyphen, or in full-width digits."""
    if turn % 5 == 3:
        return code.lower()
    if turn % 5 == 4:
        return code.translate(FULL_WIDTH) if lang == "zh" else code.replace("-", " ").replace("_", " ")
    return code


def write(traps: list[Trap], folder: Path) -> None:
    """The BEIR-shaped folder `code_traps` and the list of traps beside it."""
    target = folder / "code_traps"
    corpus: list[Row] = [{"_id": trap.gold, "title": trap.title, "text": trap.passage} for trap in traps]
    queries: list[Row] = [{"_id": trap.id, "text": trap.query, "lang": trap.lang} for trap in traps]
    write_lines(target / "corpus.jsonl", corpus)
    write_lines(target / "queries.jsonl", queries)
    write_qrels(target / "qrels_test.tsv", [(trap.id, trap.gold) for trap in traps])
    write_lines(folder / "code_traps.jsonl", [_row(trap) for trap in traps])


def _row(trap: Trap) -> Row:
    return {
        "id": trap.id,
        "lang": trap.lang,
        "kind": trap.kind,
        "code": trap.code,
        "query": trap.query,
        "gold": trap.gold,
        "neighbours": list(trap.neighbours),
        "corpus": "code_traps/corpus.jsonl",
    }


if __name__ == "__main__":
    write(make_traps(), HERE)
