"""`teamlore ask`: the same road as in Slack, without Slack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.commands.screen import Json, Refused, aside, read_settings, show, with_servers

if TYPE_CHECKING:
    from rich.console import Group

    from retrieval.types import Answer, Citation, Question
    from workers.settings import Settings
    from workers.wiring import House

Readers = Annotated[str, typer.Option("--as", help="Who reads the answer, comma-separated readers.")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Answer anew, past the cache.")]


def ask(
    question: Annotated[str, typer.Argument(help="What you want to know.")],
    as_json: Json = False,
    readers: Readers = "public",
    fresh: Fresh = False,
) -> None:
    """Ask a question and print the answer with its sources."""
    if not question.strip():
        raise Refused("the question is empty")
    from workers.wiring import open_house

    settings = with_servers(read_settings())
    with aside().status("Thinking…"), open_house(settings) as house:
        asked = make_question(question, house, frozenset(readers.split(",")), fresh)
        found, timings = answer_timed(asked, house, settings)
    show(as_dict(asked.id, found, timings), as_json, lambda: draw(asked.id, found))


def make_question(text: str, house: House, readers: frozenset[str], fresh: bool = False) -> Question:
    """A question of the person at this machine, to the knowledge that a single workspace has."""
    import getpass
    import time

    from retrieval.types import Question, Scope
    from workers.ids import question_id

    user = getpass.getuser()
    id = question_id("command line", user, str(time.time_ns()))
    return Question(id, text, Scope(house.tenant(""), user, "command line", readers), fresh=fresh)


def answer_timed(question: Question, house: House, settings: Settings) -> tuple[Answer, dict[str, float]]:
    """The answer, and what each stage took in milliseconds; the trace is written before this returns."""
    from retrieval.pipeline import answer
    from workers.logs import about, start_logs
    from workers.redact import redactor
    from workers.telemetry import Stopwatch, secrets_of, start_telemetry

    start_logs("ERROR", redactor(secrets_of(settings)))
    watch = Stopwatch()
    telemetry = start_telemetry(settings, house.database, "cli", [watch])
    try:
        with about(question.id):
            found = answer(question, house.parts)
    finally:
        telemetry.close()
    return found, watch.timings_ms


def as_dict(id: str, answer: Answer, timings_ms: dict[str, float]) -> dict[str, Any]:
    """An answer as `ask --json` prints it."""
    return {
        "id": id,
        "text": answer.text,
        "outcome": answer.outcome.value,
        "route": answer.route.name.value,
        "citations": [_citation(citation) for citation in answer.citations],
        "images": [{"uri": image.uri, "caption": image.caption} for image in answer.images],
        "cached": answer.cached,
        "timings_ms": {stage: round(spent, 1) for stage, spent in timings_ms.items()},
    }


def _citation(citation: Citation) -> dict[str, Any]:
    passage = citation.passage
    return {
        "number": citation.number,
        "title": passage.title,
        "url": passage.url,
        "quote": citation.quote,
        "section": passage.section,
        "page": passage.page,
        "document": passage.document_id,
    }


def draw(id: str, answer: Answer) -> Group:
    """An answer as people read it in a terminal."""
    from rich.console import Group
    from rich.markdown import Markdown
    from rich.text import Text

    sources = [Text(_source(citation), style="dim") for citation in _once_each(answer.citations)]
    note = f"from the cache, {answer.cached_at:%Y-%m-%d %H:%M} · " if answer.cached_at else ""
    foot = Text(f"{note}teamlore trace {id}", style="dim italic")
    return Group(Markdown(answer.text), *([Text("")] if sources else []), *sources, foot)


def _source(citation: Citation) -> str:
    passage = citation.passage
    place = f", {passage.section}" if passage.section else ""
    page = f", page {passage.page}" if passage.page else ""
    return f"[{citation.number}] {passage.title or passage.document_id}{place}{page}  {passage.url}"


def _once_each(citations: tuple[Citation, ...]) -> list[Citation]:
    return list({citation.number: citation for citation in reversed(citations)}.values())[::-1]
