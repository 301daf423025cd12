"""`rockstate inspect` and `rockstate verify`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from rockstate.base.units import bytes_text
from rockstate.cli.bar import Bar
from rockstate.cli.parsers import Commands, add_command
from rockstate.cli.spark_flags import add_spark_flags
from rockstate.drawing import plots
from rockstate.inspection.checkpoint import Checkpoint
from rockstate.inspection.findings import DEFAULT_STORE, Store, problems_text
from rockstate.inspection.summary import Summary

_INSPECT_EXAMPLES = """\
examples:
  rockstate inspect hdfs://nn/checkpoints/orders
  rockstate inspect /tmp/checkpoint --plot state.png --html state.html
  rockstate inspect --json /tmp/checkpoint | jq '.operators[].rows'
  rockstate inspect s3a://bucket/checkpoints/orders --packages org.apache.hadoop:hadoop-aws:3.5.0
"""

_VERIFY_EXAMPLES = """\
examples:
  rockstate verify s3a://bucket/checkpoints/orders     exit code 1 if the query cannot restart or go back
"""


def add_parser(commands: Commands) -> None:
    """Adds both subcommands."""
    _add(commands, "inspect", "show the state of a query's checkpoint", _INSPECT_EXAMPLES, verifies=False)
    _add(
        commands,
        "verify",
        "check whether a query can restart from its checkpoint: every file is read",
        _VERIFY_EXAMPLES,
        verifies=True,
    )


def _add(commands: Commands, name: str, summary: str, examples: str, verifies: bool) -> None:
    parser = add_command(commands, name, summary, examples, " Nothing is changed; the query may be running.")
    parser.add_argument("checkpoint", help="the query's checkpointLocation: a path or any Hadoop URI")
    parser.add_argument("--json", action="store_true", help="print everything that is known as JSON")
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help="draw it as a PNG, PDF or SVG file (pip install 'rockstate[plot]')"
    )
    parser.add_argument("--html", type=Path, metavar="FILE", help="write it as one HTML page")
    add_spark_flags(parser, is_brief=not verifies)
    parser.set_defaults(run=run, verifies=verifies)


def run(args: argparse.Namespace) -> int:
    """Prints what was found; 1 if `verify` found the checkpoint unsound."""
    if args.plot:
        plots.check(args.plot)
    checkpoint = Checkpoint(args.checkpoint)
    with Bar("stores") as bar:
        summary = checkpoint.verify(bar.show) if args.verifies else checkpoint.inspect(bar.show)
    if args.plot:
        summary.plot(args.plot)
    if args.html:
        summary.to_html(args.html)
    if args.json:
        print(json.dumps(summary.to_dict(), indent=2))
    else:
        _print(summary, args.verifies)
    return 1 if args.verifies and not summary.is_sound else 0


_COLUMNS = ("store", "versions", "rows", "deltas", "snapshots", "size", "lag", "orphans")


def _print(summary: Summary, verified: bool) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False, markup=False)  # names may look like markup
    console.print(summary.location, style="bold", soft_wrap=True)
    console.print(f"provider {summary.provider or 'unknown'}", soft_wrap=True)
    console.print(
        f"batches planned to {_or_none(summary.last_planned)}, committed to {_or_none(summary.last_committed)}"
    )
    for operator in summary.operators:
        console.print(operator.title, style="bold", soft_wrap=True)
        table = Table()
        for column in _COLUMNS:
            table.add_column(column, justify="left" if column == "store" else "right", no_wrap=True)
        for store in operator.stores:
            table.add_row(*_cells(store))
        console.print(table)
    for uri, problem in summary.problems_by_file:
        console.print(Text.assemble((uri, "red"), f": {problem.problem}. {problem.remedy}"), soft_wrap=True)
    if verified:
        console.print(Text.assemble(*_verdict(summary)), soft_wrap=True)


def _cells(store: Store) -> list[str]:
    return [
        f"{store.partition}" if store.name == DEFAULT_STORE else f"{store.partition} {store.name}",
        store.versions_text,
        "?" if store.rows is None else f"{store.rows:,}",
        str(store.deltas.files),
        str(store.snapshots.files),
        bytes_text(store.bytes),
        "?" if store.snapshot_lag is None else str(store.snapshot_lag),
        str(store.orphans.files or ""),
    ]


def _verdict(summary: Summary) -> list[str | tuple[str, str]]:
    """Text with its styles."""
    unverified = [store for store in summary.stores if not store.verified]
    if not summary.is_sound:
        return [(problems_text(summary), "red")]
    if unverified:
        return ["Another provider's files have no checksums that could be verified; by their names nothing is missing"]
    read = sum(store.deltas.files + store.snapshots.files + store.tables.files for store in summary.stores)
    text = f": the query can restart, and go back to each batch in its logs; {read:,} files of state read, no damage"
    return [("sound", "green"), text]


def _or_none(batch: int | None) -> str:
    return "none" if batch is None else str(batch)
