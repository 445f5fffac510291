"""What tracing costs an answer, and what a cache hit saves: `python -m evals.bench_tracing`.

The same questions over the sample, in one process, without any provider of spans first and with everything
(trace log, metrics, redaction) after. CPU time of all threads, because wall time on a shared machine says
little about a few milliseconds.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

from evals.cases.case import read_cases
from evals.sample_house import open_sample_house
from retrieval.pipeline import answer
from retrieval.types import Question, Scope
from workers.metrics import Meter
from workers.telemetry import start_telemetry
from workers.wiring import HOME_TENANT, House

_QUESTIONS = 40


def spent_ms(house: House, texts: Sequence[str], *, fresh: bool, clock: Callable[[], float]) -> list[float]:
    """Milliseconds of each question by `clock`."""
    spent: list[float] = []
    for number, text in enumerate(texts):
        question = Question(f"bench-{number}", text, Scope(HOME_TENANT, "bench"), fresh=fresh)
        start = clock()
        answer(question, house.parts)
        spent.append(1000 * (clock() - start))
    return spent


def main() -> int:
    """Print both figures; fails when tracing takes more than 3 % or a hit is not five times faster."""
    answerable = (case.question for case in read_cases() if case.expect.outcome == ["answered"])
    texts = list(islice(answerable, _QUESTIONS))
    with open_sample_house() as house:
        spent_ms(house, texts, fresh=True, clock=time.process_time)  # models load, pages are read
        made = statistics.median(spent_ms(house, texts, fresh=True, clock=time.perf_counter))
        hit = statistics.median(spent_ms(house, texts, fresh=False, clock=time.perf_counter))
        plain = sum(spent_ms(house, texts, fresh=True, clock=time.process_time))  # last, as warm as with it
        traced = _traced(house, texts)
    share = traced / plain - 1
    each = [f"{total / len(texts):.1f} ms" for total in (plain, traced)]
    print(f"tracing: CPU an answer {each[0]} without, {each[1]} with ({share:+.1%})")
    print(f"cache: {made:.1f} ms made, {hit:.1f} ms from the cache ({made / hit:.1f} times faster), medians")
    return int(share > 0.03 or made < 5 * hit)


def _traced(house: House, texts: Sequence[str]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        meter = Meter(Path(folder))
        telemetry = start_telemetry(house.settings, house.database, "bench", [meter])
        start = time.process_time()
        spent_ms(house, texts, fresh=True, clock=time.process_time)
        telemetry.flush()
        total = 1000 * (time.process_time() - start)
        telemetry.close()
    return total


if __name__ == "__main__":
    sys.exit(main())
