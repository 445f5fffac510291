"""`teamlore cache`: what the cache did, why a question was or was not answered from it, and its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.screen import Json, Refused, read_settings, show, with_servers

if TYPE_CHECKING:
    from rich.table import Table

    from retrieval.cache.two_step import TwoStepCache
    from workers.wiring import House

app = typer.Typer(help="The cache of answers: stats, clear, explain.", no_args_is_help=True)


@app.command()
def stats(as_json: Json = False) -> None:
    """Hits by step, misses, entries that ended because a source changed, entries that live."""
    from workers.wiring import open_house

    with open_house(with_servers(read_settings())) as house:
        counts = _cache(house).entries.stats(house.tenant(""))
    show(counts, as_json, lambda: ", ".join(f"{name} {count}" for name, count in counts.items()))


@app.command()
def clear(as_json: Json = False) -> None:
    """End every entry."""
    from workers.wiring import open_house

    with open_house(with_servers(read_settings())) as house:
        ended = _cache(house).entries.clear(house.tenant(""))
    show({"ended": ended}, as_json, lambda: f"Ended {ended} entries.")


@app.command()
def explain(
    question: Annotated[str, typer.Argument(help="A question.")],
    as_json: Json = False,
    readers: Annotated[str, typer.Option("--as", help="Who asks, comma-separated readers.")] = "public",
) -> None:
    """Which earlier questions are near this one, and what keeps them apart."""
    from bot.commands.ask import make_question
    from workers.wiring import open_house

    with open_house(with_servers(read_settings())) as house:
        asked = make_question(question, house, frozenset(readers.split(",")))
        query = house.parts.rewriter.rewrite(asked, [], house.parts.router.route(asked, []))
        found = _cache(house).explain(query)
        needed = house.settings.config.cache.threshold
    rows = [dict(zip(("question", "cosine", "sure", "apart_by"), one, strict=True)) for one in found]
    show(rows, as_json, lambda: _table(found, needed))


def _cache(house: House) -> TwoStepCache:
    from retrieval.cache.two_step import TwoStepCache

    if not isinstance(house.parts.cache, TwoStepCache):
        raise Refused("the cache is off; TEAMLORE_CACHE__EXACT=true switches it on")
    return house.parts.cache


def _table(found: list[tuple[str, float, float, str]], needed: float) -> Table | str:
    from rich.table import Table

    if not found:
        return "No earlier question in this scope."
    table = Table("earlier question", "cosine", "sure", "", box=None)
    for text, cosine, sure, apart in found:
        verdict = f"[red]{apart}[/red]" if apart else "[green]same[/green]" if sure >= needed else "not sure"
        table.add_row(text, f"{cosine:.3f}", f"{sure:.2f}", verdict)
    return table
