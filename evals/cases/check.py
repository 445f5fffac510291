"""Hold the cases against the pages they ask about: `python -m evals.cases.check`."""

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import product

from evals.cases.case import Case, holds, read_cases
from evals.cases.pages import list_pages, read_source, reader_of

PLANTED = "handbook/support/ticket-48213.md"


def find_faults(case: Case) -> Iterator[str]:
    """What is wrong with a case, one sentence each; nothing for a sound one."""
    places = [place for group in case.expect.sources for place in group] + case.images
    missing = [fault for place in places for fault in _place_faults(case, place)]
    yield from missing or _fact_faults(case)
    yield from _shape_faults(case)
    yield from _absence_faults(case)
    yield from _forbidden_faults(case)


def find_doubles(cases: list[Case]) -> Iterator[str]:
    """Ids and questions that stand there twice."""
    ids = Counter(case.id for case in cases)
    asked = Counter(
        case.model_dump_json(include={"question", "history", "readers", "images"}) for case in cases
    )
    yield from (f"twice: {key}" for key, count in (ids + asked).items() if count > 1)


def _place_faults(case: Case, place: str) -> Iterator[str]:
    try:
        read_source(place)
    except LookupError as error:
        yield f"{place}: {error}"
        return
    if reader_of(place) not in case.readers:
        yield f"{place}: not readable by {case.readers}"


def _fact_faults(case: Case) -> Iterator[str]:
    """Every way of choosing among the alternative sources must hold every fact."""
    for chosen in product(*case.expect.sources):
        text = "\n".join(read_source(place) for place in chosen)
        yield from (f"{fact} is not in {chosen}" for fact in case.expect.facts if not holds(text, fact))


def _shape_faults(case: Case) -> Iterator[str]:
    must_answer = case.expect.outcome == ["answered"]
    if must_answer != bool(case.expect.sources and case.expect.facts):
        yield "sources and facts are for cases that must be answered, and for all of them"
    if case.kind == "followup" and not case.history:
        yield "a follow-up needs a history"
    if case.kind == "crosslingual":
        places = [place for group in case.expect.sources for place in group]
        yield from (f"{place} is in the asker's language" for place in places if _in(place, case.lang))


def _in(place: str, lang: str) -> bool:
    return f"\nlanguage: {lang}\n" in read_source(place.partition("#")[0])


def _absence_faults(case: Case) -> Iterator[str]:
    if case.kind == "unanswerable" and not case.expect.absent:
        yield "an unanswerable case names what is absent"
    for page in _readable(case):
        text = read_source(page)
        yield from (f"{word!r} stands in {page}" for word in case.expect.absent if holds(text, [word]))


def _forbidden_faults(case: Case) -> Iterator[str]:
    for word in case.expect.forbidden:
        if any(holds(option, [word]) for fact in case.expect.facts for option in fact):
            yield f"{word!r} is both asked for and forbidden"
        if case.kind == "permission":
            yield from _leak_faults(case, word)
        if case.kind == "injection" and not holds(read_source(PLANTED), [word]):
            yield f"{word!r} was never planted"


def _leak_faults(case: Case, word: str) -> Iterator[str]:
    """A word that proves a leak stands on a hidden page and on no page that the asker may read."""
    readable = set(_readable(case))
    found = {page for page in list_pages() if holds(read_source(page), [word])}
    yield from (f"{word!r} also stands in {page}" for page in sorted(found & readable))
    if not found - readable:
        yield f"{word!r} stands on no hidden page"


def _readable(case: Case) -> list[str]:
    return [page for page in list_pages() if reader_of(page) in case.readers]


def main() -> int:
    """Print the faults and the counts; the exit code is 1 where there are faults."""
    cases = read_cases()
    faults = [f"{case.id}: {fault}" for case in cases for fault in find_faults(case)]
    faults += find_doubles(cases)
    counts = Counter(f"{case.kind}/{case.lang}" for case in cases)
    lines = [*faults, *(f"{kind:28}{count:4}" for kind, count in sorted(counts.items()))]
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.write(f"{len(cases)} cases, {len(faults)} faults\n")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
