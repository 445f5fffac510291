"""Tells what a model would write for a run, and what that costs, before it is run."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.commands.screen import aside, bar, show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from retrieval.index.situate import Estimate
    from workers.wiring import House

Estimated = Annotated[
    bool, typer.Option("--estimate", help="Only tell what a model would write, and what that costs.")
]
Yes = Annotated[bool, typer.Option("--yes", help="Go on without asking.")]


def told_before(house: House, names: Sequence[str], *, only: bool, yes: bool, as_json: bool) -> bool:
    """Show the estimate where a model writes contexts, or where `only` that was asked; whether to go on."""
    if not only and not house.settings.config.knowledge.situate:
        return True
    with bar("Estimating") as progress:
        found = house.catalog.estimate(names, progress)
    figures = as_figures(found, _writer(house))
    if only:
        show(figures, as_json, lambda: sentence(figures))
        return False
    aside().print(sentence(figures))
    return yes or not found.passages or not sys.stdin.isatty() or typer.confirm("Go on?", err=True)


def as_figures(found: Estimate, model: str) -> dict[str, Any]:
    """The estimate with its price at most, in US dollars; None for a model whose price is not known."""
    from retrieval.providers.prices import token_cost

    dollars = token_cost(model.rpartition(":")[2], found.fresh + found.cached, found.written)
    return {**vars(found), "model": model, "dollars": None if dollars is None else round(dollars, 4)}


def sentence(figures: dict[str, Any]) -> str:
    """The estimate in words."""
    if not figures["passages"]:
        return "No model would write anything: all is written, or none is set to (knowledge.situate)."
    dollars = figures["dollars"]
    price = "at a price that is not known" if dollars is None else f"for at most ${dollars:,.2f}"
    return (
        "{model} would write contexts for {passages:,} passages of {documents:,} documents: {fresh:,} tokens"
        " read, {cached:,} more from the provider's cache, about {written:,} written, {price}."
    ).format(**figures, price=price)


def _writer(house: House) -> str:
    from workers.choices import choose_llm

    llm = choose_llm(house.settings)
    return llm.name if llm else ""
