"""`rockstate top`."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from rockstate.base.units import bytes_text
from rockstate.cli.parsers import Commands, add_command

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

    from rockstate.progress.batches import BatchState

#: Among so many batches of a query the slowest is looked for.
_RECENT = 100

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
    parser.add_argument("--json", action="store_true", help="print every batch that is there as a JSON line, and stop")
    parser.add_argument(
        "--interval", type=float, default=1.0, metavar="S", help="seconds between two looks (default: 1)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Shows the file's newest batches."""
    from rich.console import Console
    from rich.live import Live

    from rockstate.progress.recorder import ProgressRecorder

    if args.json:
        for record in ProgressRecorder.read(args.file).records:
            print(json.dumps(asdict(record)))
        return 0
    console = Console()
    if args.once:
        console.print(shown(ProgressRecorder.read(args.file).records))
        return 0
    with Live(console=console, auto_refresh=False) as live:
        try:
            while True:
                live.update(shown(ProgressRecorder.read(args.file).records), refresh=True)
                time.sleep(args.interval)
        except KeyboardInterrupt:
            return 0


def shown(records: tuple[BatchState, ...]) -> Group:
    """The newest batch of each query, with its slowest recent batch beside it, and what its operators keep."""
    from rich.console import Group
    from rich.text import Text

    parts: list[Text | Table] = []
    for query in sorted({record.query for record in records}):
        own = [record for record in records if record.query == query]
        newest = own[-1]
        recent = [record for record in own if record.batch > newest.batch - _RECENT]
        slowest = max(record.batch_ms for record in recent)
        parts.append(
            Text.assemble(
                (query, "bold"),  # a name may look like markup
                f": batch {newest.batch}, {newest.input_rows:,} rows in, {newest.batch_ms:,} ms",
                f"; the slowest of the last {_RECENT} batches took {slowest:,} ms",
            )
        )
        parts.append(_operators(own))
    return Group(*parts)


def _operators(records: Sequence[BatchState]) -> Table:
    """The newest figures of one query's operators. Numbers are never cut: names are folded."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("operator", overflow="fold", min_width=10)
    for head in ("state rows", "commit, ms", "memory", "deltas since\nsnapshot"):
        table.add_column(head, justify="right", no_wrap=True, min_width=max(map(len, head.split("\n"))))
    newest = {record.operator: record for record in records}
    for operator, record in sorted(newest.items()):
        table.add_row(
            Text(f"{operator} {record.operator_name}"),
            f"{record.state_rows:,}",
            f"{record.commit_ms:,}",
            bytes_text(record.memory_bytes),
            "?" if record.snapshot_lag is None else f"{record.snapshot_lag:,}",
        )
    return table
