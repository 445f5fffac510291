"""`teamlore doctor`: what is missing, and what helps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from bot.commands.screen import Json, show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from bot.finding import Finding

_MARKS = {"ok": "[green]✓[/green]", "note": "[yellow]–[/yellow]", "wrong": "[red]✗[/red]"}


def doctor(as_json: Json = False) -> None:
    """Check each server, key, scope and model, and name unknown TEAMLORE_* variables."""
    from bot.checkup import check_up

    findings = check_up()
    wrong = [finding for finding in findings if finding.state == "wrong"]
    value = {"healthy": not wrong, "findings": [vars(finding) for finding in findings]}
    show(value, as_json, lambda: _table(findings))
    if wrong:
        raise typer.Exit(1)


def _table(findings: Sequence[Finding]) -> Table:
    from rich.table import Table

    drawn = Table(box=None, show_header=False, padding=(0, 1, 0, 0))
    for finding in findings:
        remedy = f"\n[dim]→ {finding.remedy}[/dim]" if finding.remedy else ""
        drawn.add_row(_MARKS[finding.state], finding.what, finding.detail + remedy)
    return drawn
