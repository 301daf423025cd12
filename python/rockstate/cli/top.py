"""`rockstate top`."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from rockstate.base.arguments import seconds
from rockstate.base.units import bytes_text
from rockstate.cli.parsers import Commands, add_command
from rockstate.cli.tables import add_number

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

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
        "--interval", type=seconds, default=1.0, metavar="S", help="seconds between two looks (default: 1)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Shows the file's newest batches."""
    from rich.live import Live

    from rockstate.base.console import Console
    from rockstate.progress.followed import ProgressFile

    file = ProgressFile(args.file)
    if args.json:
        for record in file.records():
            print(json.dumps(asdict(record)))
        return 0
    console, recent = Console(), Recent()
    if args.once:
        console.print(recent.with_more(file.records()).shown())
        return 0
    with Live(console=console, auto_refresh=False) as live:
        try:
            while True:
                live.update(recent.with_more(file.records()).shown(), refresh=True)
                time.sleep(args.interval)
        except KeyboardInterrupt:
            return 0


class Recent:
    """The last batches of each query, which may have gone back meanwhile. Files grow for as long as queries run."""

    def __init__(self) -> None:
        self._of: dict[str, list[BatchState]] = {}

    def with_more(self, records: Iterable[BatchState]) -> Recent:
        """The same, with these after those before."""
        for record in records:
            own = self._of.setdefault(record.query, [])
            if own and record.batch != own[-1].batch:
                first = record.batch - _RECENT
                own[:] = [other for other in own if first < other.batch < record.batch]
            own.append(record)
        return self

    def shown(self) -> Group:
        """The newest batch of each query, with its slowest recent batch beside it, and what its operators keep."""
        from rich.console import Group

        return Group(*(part for query in sorted(self._of) for part in _shown(query, self._of[query])))


def _shown(query: str, own: Sequence[BatchState]) -> tuple[Text, Table]:
    from rich.text import Text

    newest = own[-1]
    slowest = max(record.batch_ms for record in own)
    return (
        Text.assemble(
            (query, "bold"),  # a name may look like markup
            f": batch {newest.batch}, {newest.input_rows:,} rows in, {newest.batch_ms:,} ms",
            f"; the slowest of the last {_RECENT} batches took {slowest:,} ms",
        ),
        _operators(own),
    )


def _operators(records: Sequence[BatchState]) -> Table:
    """The newest figures of one query's operators. Numbers are never cut: names are folded."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("operator", overflow="fold", min_width=10)
    for head in ("state rows", "commit, ms", "memory", "deltas since\nsnapshot"):
        add_number(table, head)
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
