"""The closing table: what each query did, and whether its result is right."""

from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from rich.console import Console
from rich.table import Table

from rockstate.demo.compare import Comparison
from rockstate.demo.places import Places
from rockstate.demo.progress import Batch
from rockstate.demo.queries import QUERIES

_DIFFERING_ROWS_SHOWN = 5


@dataclass(frozen=True)
class Figures:
    """What one query did: its state on storage in bytes, and times in milliseconds, over all partitions of a batch."""

    query: str
    batches: int
    input_rows: int
    output_rows: int
    most_state_rows: int
    state_bytes: int
    batch_millis_median: float
    commit_millis_median: float
    commit_millis_p95: float
    differing_rows: int


def figures_of(places: Places, batches: list[Batch], comparison: Comparison) -> Figures:
    """The figures of a comparison's query."""
    own = [batch for batch in batches if batch.query == comparison.query]
    commits = [batch.commit_millis for batch in own]
    return Figures(
        comparison.query,
        len(own),
        sum(batch.input_rows for batch in own),
        comparison.rows,
        max(batch.state_rows for batch in own),
        bytes_below(places.checkpoint(comparison.query) / "state"),
        median(batch.duration_millis for batch in own),
        median(commits),
        quantiles(commits, n=20, method="inclusive")[-1],
        comparison.differing_rows,
    )


def print_report(console: Console, places: Places, batches: list[Batch], comparisons: list[Comparison]) -> None:
    """Print one line per query, then the first differing rows if there are any."""
    table = Table(title="Rockstate demo", caption="commit: all partitions of a batch together")
    table.add_column("query", no_wrap=True)
    for heading in (
        "batches",
        "rows in",
        "rows out",
        "state rows, most",
        "state on storage",
        "batch, median",
        "commit, median",
        "commit, p95",
        "rows that differ",
    ):
        table.add_column(heading, justify="right")
    for comparison in comparisons:
        own = figures_of(places, batches, comparison)
        table.add_row(
            own.query,
            f"{own.batches}",
            f"{own.input_rows:,}",
            f"{own.output_rows:,}",
            f"{own.most_state_rows:,}",
            f"{own.state_bytes / 1e6:.1f} MB",
            f"{own.batch_millis_median:,.0f} ms",
            f"{own.commit_millis_median:,.0f} ms",
            f"{own.commit_millis_p95:,.0f} ms",
            _verdict(own.differing_rows),
        )
    console.print(table)
    _print_unreported(console, places, batches)
    for comparison in comparisons:
        _print_differences(console, comparison)


def bytes_below(folder: Path) -> int:
    """Return the size of all files in `folder` and the folders in it."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _print_unreported(console: Console, places: Places, batches: list[Batch]) -> None:
    """The kill may hit between a batch's commit and its report: such a batch is in no figure above."""
    reported = {(batch.query, batch.number) for batch in batches}
    committed = {(query.name, number) for query in QUERIES for number in places.logged(query.name, "commits")}
    if unreported := sorted(committed - reported):
        names = ", ".join(f"{query} {number}" for query, number in unreported)
        console.print(f"committed, but killed before it was reported, and so not in these figures: {names}")


def _verdict(differing_rows: int) -> str:
    return f"[red]{differing_rows:,}[/red]" if differing_rows else "[green]0[/green]"


def _print_differences(console: Console, comparison: Comparison) -> None:
    if comparison.differing_rows:
        shown = comparison.differences.head(_DIFFERING_ROWS_SHOWN).to_string(index=False)
        console.print(
            f"{comparison.query}: the first differing rows; below zero times means that many are missing",
            shown,
            sep="\n",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
