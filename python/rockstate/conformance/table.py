"""The report on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rockstate.conformance.results import VERDICTS, Report, Verdict

if TYPE_CHECKING:
    from rich.console import Console

_STYLES: dict[Verdict, str] = {"passed": "green", "failed": "red", "absent": "yellow", "error": "magenta"}
_LINES = 40  # of a program; the reports have all of it


def print_report(report: Report, console: Console) -> None:
    """Prints capabilities, a table of the checks, and for each failure its message and program."""
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for column in ("rule", "what it means", "outcome", "time"):
        table.add_column(column, no_wrap=column != "what it means", justify="right" if column == "time" else "left")
    for result in report.results:
        rule = result.check.rule
        meaning = Text.assemble((rule.title, "bold"), f": {rule.meaning}\n", (result.check.title, "dim"))
        table.add_row(rule.id, meaning, Text(result.verdict, _STYLES[result.verdict]), f"{result.seconds:.1f} s")
    console.print(table)
    _print_absent(report, console)
    for result in report.results:
        if result.verdict in ("failed", "error"):
            heading = f"\n{result.check.rule.id} {result.check.title}: {result.verdict}"
            console.print(Text(heading, f"bold {_STYLES[result.verdict]}"), soft_wrap=True)
            console.print(Text(result.message), soft_wrap=True)
            console.print(Text(_shortened(result.program), "dim"), soft_wrap=True)
    count = report.count()
    counts = ", ".join(f"[{_STYLES[each]}]{count[each]} {each}[/]" for each in VERDICTS if count[each])
    console.print(f"{counts or 'no checks'} in {report.seconds:.0f} s", soft_wrap=True)


def _print_absent(report: Report, console: Console) -> None:
    from rich.text import Text

    for each in report.capabilities:
        if not each.is_there:
            reason = " ".join(each.reason.split())
            shown = reason if len(reason) <= 160 else f"{reason[:157]}..."
            console.print(Text.assemble((f"absent: {each.name}", "yellow"), f" ({shown})"), soft_wrap=True)


def _shortened(program: str) -> str:
    lines = program.splitlines()
    if len(lines) <= _LINES:
        return program
    return "\n".join([*lines[:_LINES], f"... {len(lines) - _LINES} more lines: see --html, --junit or --json"])
