"""The regression gate: every written case through the whole product, compared with a kept baseline.

No key is needed: answers are quotations. A change passes when nothing leaks and no share falls by more than
chance explains (exact one-sided sign test over the cases that changed, Bonferroni over kinds).
"""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evals.cases.case import Case
from evals.cases.pages import SAMPLE
from evals.grading import MEASURES, Grade, grade
from multimodal.pictures import strip_metadata
from retrieval.pipeline import answer
from retrieval.types import Answer, ImageRef, Query, Question, Scope, Turn
from workers.wiring import HOME_TENANT, House

BASELINE = Path(__file__).parent / "baselines" / "gate.json"
ALPHA = 0.05
Kept = Mapping[str, Mapping[str, bool]]
"""The marks of each case's id."""
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Told:
    """A memory that knows one case's thread and keeps nothing."""

    turns: tuple[Turn, ...]

    def recall(self, question: Question) -> list[Turn]:
        return list(self.turns)

    def keep(self, question: Question, query: Query, answer: Answer) -> None:
        pass

    def facts(self, question: Question) -> tuple[str, ...]:
        return ()


def run(house: House, cases: Sequence[Case], progress: Progress) -> list[Grade]:
    """Ask every case and grade what came back."""
    grades: list[Grade] = []
    for case in cases:
        grades.append(grade(case, ask(house, case)))
        progress(len(grades), len(cases))
    return grades


def ask(house: House, case: Case) -> Answer:
    """The product's answer to a case, with its thread, its pictures and the asker's readers."""
    memory = Told(tuple(Turn(said.role, said.text) for said in case.history))
    images = tuple(_keep(house, SAMPLE / path) for path in case.images)
    scope = Scope(HOME_TENANT, user="eval", channel="eval", readers=frozenset(case.readers))
    question = Question(f"gate-{case.id}", case.question, scope, thread=case.id, images=images, fresh=True)
    return answer(question, replace(house.parts, memory=memory))


def summary(grades: Sequence[Grade]) -> dict[str, Any]:
    """Shares by kind, the whole first; a measure that no case of a kind asks for is None."""
    kinds = {"all": list(grades)}
    for one in grades:
        kinds.setdefault(one.case.kind, []).append(one)
    leaks = {one.case.id: list(one.leaks) for one in grades if one.leaks}
    return {"kinds": {kind: _shares(some) for kind, some in kinds.items()}, "leaks": leaks}


def failures(grades: Sequence[Grade], kept: Kept) -> list[str]:
    """Why the gate is closed, one sentence each; nothing where it is open."""
    leaks = [f"{one.case.id} leaks {', '.join(one.leaks)}" for one in grades if one.leaks]
    groups: dict[str, list[Grade]] = {}
    for one in grades:
        groups.setdefault(one.case.kind, []).append(one)
    drops = list(_drops("all", grades, kept, ALPHA))
    for kind, some in groups.items():
        drops += _drops(kind, some, kept, ALPHA / len(groups))
    return leaks + drops


def read_baseline(path: Path = BASELINE) -> Kept:
    """The marks that were kept; none where there is no file."""
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def write_baseline(grades: Iterable[Grade], path: Path = BASELINE) -> None:
    """Keep the marks, a case a line, so that a change of the file can be read."""
    lines = [f"{json.dumps(one.case.id)}: {json.dumps(marks_of(one))}" for one in grades]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def marks_of(one: Grade) -> dict[str, bool]:
    """The marks by measure, and whether all hold."""
    return {**one.marks, "right": one.right}


def _drops(name: str, grades: Sequence[Grade], kept: Kept, alpha: float) -> Iterator[str]:
    for measure in (*MEASURES, "right"):
        pairs = [(kept.get(one.case.id, {}).get(measure), marks_of(one).get(measure)) for one in grades]
        won = sum(before is False and now is True for before, now in pairs)
        lost = sum(before is True and now is False for before, now in pairs)
        if by_chance(won, lost) < alpha:
            yield f"{name}: {measure} lost in {lost} cases, won in {won}"


def by_chance(won: int, lost: int) -> float:
    """How likely at least `lost` of the changed cases are lost when winning and losing are equally likely."""
    changed = won + lost
    return sum(math.comb(changed, count) for count in range(lost, changed + 1)) / 2**changed


def _shares(grades: Sequence[Grade]) -> dict[str, float | None]:
    marks = [marks_of(one) for one in grades]
    shares: dict[str, float | None] = {"cases": len(grades)}
    for measure in (*MEASURES, "right"):
        held = [mark[measure] for mark in marks if measure in mark]
        shares[measure] = round(sum(held) / len(held), 3) if held else None
    return shares


def _keep(house: House, path: Path) -> ImageRef:
    data = path.read_bytes()
    return house.objects.put(*strip_metadata(data))
