"""What was measured and when: a JSON line a run in the state directory, and the charts drawn of them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evals.grading import MEASURES

TEMPLATES = Path(__file__).parent / "templates"
_WIDTH, _HEIGHT, _EDGE = 560, 120, 8


@dataclass(frozen=True)
class Measured:
    """One run: `what` was measured, when (ISO 8601, UTC), and its figures by name."""

    what: str
    at: str
    figures: Mapping[str, float]


@dataclass(frozen=True)
class Line:
    """One figure of one thing over time, as points of an SVG of 560 × 120; `low` and `high` are its edges."""

    name: str
    points: str
    last: float
    change: float
    low: float
    high: float


@dataclass(frozen=True)
class Chart:
    """All figures of one thing over time; `ends` are the days of its first and last run."""

    what: str
    runs: int
    ends: tuple[str, str]
    lines: tuple[Line, ...]


def note(home: Path, what: str, figures: Mapping[str, float]) -> None:
    """Keep the figures of a run."""
    home.mkdir(parents=True, exist_ok=True)
    made = Measured(what, f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}", dict(figures))
    with _file(home).open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(made), ensure_ascii=False) + "\n")


def read_history(home: Path) -> list[Measured]:
    """All runs that were kept, oldest first; a line cut short by a crash is left out."""
    if not _file(home).exists():
        return []
    return [one for line in _file(home).read_text(encoding="utf-8").splitlines() for one in _parsed(line)]


def of_gate(summary: Mapping[str, Any]) -> dict[str, float]:
    """The figures of a gate's run that are kept: shares over all cases, and how many leaked."""
    whole = summary["kinds"]["all"]
    shares = {name: whole[name] for name in ("right", *MEASURES) if whole[name] is not None}
    return {**shares, "leaks": float(len(summary["leaks"]))}


def of_search(summary: Mapping[str, Any]) -> dict[str, float]:
    """The figures of a search's run that are kept: its last stage."""
    last = list(summary["stages"])[-1]
    return {name: round(figure["mean"], 4) for name, figure in summary["stages"][last].items()}


def charts(history: Sequence[Measured]) -> list[Chart]:
    """A chart for each thing that was measured, the one measured last first."""
    things = dict.fromkeys(one.what for one in reversed(history))
    return [_chart(what, [one for one in history if one.what == what]) for what in things]


def _chart(what: str, runs: Sequence[Measured]) -> Chart:
    names = dict.fromkeys(name for run in reversed(runs) for name in run.figures)
    lines = tuple(_line(name, [run.figures[name] for run in runs if name in run.figures]) for name in names)
    return Chart(what, len(runs), (runs[0].at[:10], runs[-1].at[:10]), lines)


def _line(name: str, values: Sequence[float]) -> Line:
    low, high = min(values), max(values)
    step = (_WIDTH - 2 * _EDGE) / max(1, len(values) - 1)
    tall = (_HEIGHT - 2 * _EDGE) / ((high - low) or 1)
    places = ((_EDGE + n * step, _HEIGHT - _EDGE - (value - low) * tall) for n, value in enumerate(values))
    change = values[-1] - values[-2] if len(values) > 1 else 0.0
    return Line(name, " ".join(f"{x:.1f},{y:.1f}" for x, y in places), values[-1], change, low, high)


def _parsed(line: str) -> Iterable[Measured]:
    try:
        return [Measured(**json.loads(line))]
    except (ValueError, TypeError):
        return []


def _file(home: Path) -> Path:
    return home / "evaluations.jsonl"
