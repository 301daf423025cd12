"""`rockstate top`."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

from rockstate.cli.parsers import Commands, add_command

if TYPE_CHECKING:
    from rich.table import Table

    from rockstate.progress.batches import BatchState

_MORE = """ Their application adds a recorder that writes a file:

  spark.streams.addListener(rockstate.ProgressRecorder("progress.jsonl"))

and this shows it, batch by batch, until it is interrupted."""

_EXAMPLES = """\
examples:
  rockstate top progress.jsonl
  rockstate top progress.jsonl --once
"""


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = add_command(commands, "top", "follow the state of running queries", _EXAMPLES, _MORE)
    parser.add_argument("file", help="what a rockstate.ProgressRecorder(file) writes")
    parser.add_argument("--once", action="store_true", help="print what is there and stop")
    parser.add_argument(
        "--interval", type=float, default=1.0, metavar="S", help="seconds between two looks (default: 1)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Shows the file's newest batches."""
    from rich.console import Console
    from rich.live import Live

    from rockstate.progress.recorder import ProgressRecorder

    console = Console()
    if args.once:
        console.print(table(ProgressRecorder.read(args.file).records))
        return 0
    with Live(console=console, auto_refresh=False) as live:
        try:
            while True:
                live.update(table(ProgressRecorder.read(args.file).records), refresh=True)
                time.sleep(args.interval)
        except KeyboardInterrupt:
            return 0


def table(records: tuple[BatchState, ...]) -> Table:
    """The newest batch of each query's operators, with its slowest recent batch beside it."""
    from rich.table import Table
    from rich.text import Text

    shown = Table()
    shown.add_column("query")
    shown.add_column("operator")
    for column in (
        "batch",
        "rows in",
        "batch, ms",
        "slowest of 100",
        "state rows",
        "commit, ms",
        "memory",
        "snapshot lag",
    ):
        shown.add_column(column, justify="right")
    for query, operator in sorted({(record.query, record.operator) for record in records}):
        own = [record for record in records if (record.query, record.operator) == (query, operator)][-100:]
        newest = own[-1]
        shown.add_row(
            Text(query),  # a name may look like markup
            Text(f"{operator} {newest.operator_name}"),
            str(newest.batch),
            f"{newest.input_rows:,}",
            f"{newest.batch_ms:,}",
            f"{max(record.batch_ms for record in own):,}",
            f"{newest.state_rows:,}",
            f"{newest.commit_ms:,}",
            f"{newest.memory_bytes / 2**20:.1f} MB",
            "?" if newest.snapshot_lag is None else str(newest.snapshot_lag),
        )
    return shown
