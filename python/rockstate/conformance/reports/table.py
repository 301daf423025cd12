"""The report on a terminal."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rockstate.conformance.running.report import VERDICTS, Report, RuleResult, Verdict, count

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_STYLES: dict[Verdict, str] = {
    "passed": "green",
    "failed": "red",
    "absent": "yellow",
    "skipped": "yellow",
    "error": "magenta",
}
_FIRST, _LAST = 15, 25  # lines of a program, whose last call has failed; the reports have all of it
_ALIKE = 10  # failures that say the same, from so many on, have one cause


def print_report(report: Report, console: Console) -> None:
    """Prints a table of the rules, what the provider cannot do, and for each failure its message and program."""
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for column in ("rule", "what it means", "outcome", "time"):
        table.add_column(column, no_wrap=column != "what it means", justify="right" if column == "time" else "left")
    for each in report.by_rule():
        meaning = Text.assemble((each.rule.title, "bold"), f": {each.rule.meaning}")
        table.add_row(each.rule.id, meaning, _outcome(each), f"{each.seconds:.1f} s")
    console.print(table)
    _print_absent(report, console)
    _print_skipped(report, console)
    for result in report.results:
        if result.verdict in ("failed", "error"):
            heading = f"\n{result.check.rule.id} {result.check.title}: {result.verdict}"
            console.print(Text(heading, f"bold {_STYLES[result.verdict]}"), soft_wrap=True)
            console.print(Text(result.message), soft_wrap=True)
            console.print(Text(_shortened(result.program), "dim"), soft_wrap=True)
    _print_alike(report, console)
    of_all = report.count()
    counts = ", ".join(f"[{_STYLES[each]}]{of_all[each]} {each}[/]" for each in VERDICTS if of_all[each])
    seed = f"seed {report.plan.effort.seed}{', quick' if report.plan.effort.quick else ''}"
    console.print(f"{counts or 'no'} checks in {report.seconds:.0f} s ({seed})", soft_wrap=True)


def _outcome(of_rule: RuleResult) -> Text:
    """The rule's verdict, and how many checks came to each where they differ."""
    from rich.text import Text

    counts = [f"{n} {verdict}" for verdict, n in count(of_rule.results).items() if n]
    text = of_rule.verdict if len(counts) == 1 else ", ".join(counts)
    return Text(text, _STYLES[of_rule.verdict])


def _print_absent(report: Report, console: Console) -> None:
    from rich.text import Text

    for each in report.capabilities:
        if not each.is_there and each.is_in_spark:
            reason = " ".join(each.reason.split())
            shown = reason if len(reason) <= 160 else f"{reason[:157]}..."
            console.print(Text.assemble((f"absent: {each.name}", "yellow"), f" ({shown})"), soft_wrap=True)


def _print_skipped(report: Report, console: Console) -> None:
    from rich.text import Text

    reasons = Counter(result.message for result in report.results if result.verdict == "skipped")
    for reason, checks in reasons.items():
        console.print(Text.assemble(("skipped", "yellow"), f": {checks} checks ({reason})"), soft_wrap=True)


def _print_alike(report: Report, console: Console) -> None:
    """What most failures say, if they say the same."""
    from rich.text import Text

    said = Counter(result.message for result in report.results if result.verdict == "failed")
    for message, checks in said.most_common(1):
        if checks >= _ALIKE and 2 * checks > said.total():
            text = f"\n{checks} of {said.total()} checks that failed say the same, and may have one cause: {message}"
            console.print(Text(text, "bold"), soft_wrap=True)


def _shortened(program: str) -> str:
    lines = program.splitlines()
    more = len(lines) - _FIRST - _LAST
    if more <= 0:
        return program
    return "\n".join([*lines[:_FIRST], f"... {more} more lines: see --html, --junit or --json", *lines[-_LAST:]])
