"""`rockstate export`."""

from __future__ import annotations

import argparse
import dataclasses
import json

from rockstate.base.arguments import Offering, whole
from rockstate.base.units import bytes_text, duration_text
from rockstate.cli.parsers import Commands, add_command
from rockstate.cli.spark_flags import add_spark_flags
from rockstate.cli.tables import table
from rockstate.cli.watching import watched
from rockstate.inspection.checkpoint import Checkpoint
from rockstate.moving.export import Export
from rockstate.moving.running import MoveProgress

_EXAMPLES = """\
examples:
  rockstate export /tmp/checkpoint /tmp/tables
  rockstate export hdfs://nn/checkpoint hdfs://nn/tables --batch 40 --format orc
  rockstate export /tmp/checkpoint /tmp/tables --dry-run
"""

_MORE = " Each column family of each store becomes a table. The checkpoint stays as it is; the query may be running."


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = add_command(commands, "export", "write a checkpoint's state as tables", _EXAMPLES, _MORE)
    parser.add_argument("checkpoint", help="the query's checkpointLocation: a path or any Hadoop URI")
    parser.add_argument("out", help="where the tables go: a folder that is empty or not there")
    parser.add_argument(
        "--format",
        action=Offering,
        offers=("parquet", "orc", "json"),
        default="parquet",
        metavar="NAME",
        help="parquet, orc, json, or another format of files that Spark has (default: parquet)",
    )
    parser.add_argument(
        "--batch", type=whole(0), metavar="ID", help="the state after this batch (default: the last committed)"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="show tables, size and about how long it takes, and write nothing"
    )
    parser.add_argument("--json", action="store_true", help="print the manifest")
    add_spark_flags(parser)
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    def export(progress: MoveProgress) -> Export:
        return Checkpoint(args.checkpoint).export(
            args.out, format=args.format, batch=args.batch, dry_run=args.dry_run, progress=progress
        )

    left = f"What it has written to {args.out} is unfinished, without a manifest. The same command starts over."
    exported = watched(args, export, "" if args.dry_run else left)
    if args.json:
        print(json.dumps({**dataclasses.asdict(exported), "rows": exported.rows, "bytes": exported.bytes}, indent=2))
    else:
        _print(exported, args.dry_run)
    return 0


def _print(exported: Export, is_dry_run: bool) -> None:
    from rockstate.base.console import Console

    console = Console(highlight=False, markup=False)
    verb = "would export" if is_dry_run else "exported"
    console.print(
        f"{verb} the state after batch {exported.batch} of {exported.checkpoint}", style="bold", soft_wrap=True
    )
    console.print(f"to {exported.out}, as {exported.format}", soft_wrap=True)
    heads = ("partitions",) if is_dry_run else ("rows", "digest", "files", "bytes")
    tables = table("table", *heads, numbers=heads)
    for each in exported.tables:
        if is_dry_run:
            tables.add_row(each.path, str(each.partitions))
        else:
            digest = (each.digest or "none")[:8]
            tables.add_row(each.path, f"{each.rows:,}", digest, f"{each.files:,}", f"{each.bytes:,}")
    console.print(tables)
    if is_dry_run:
        size, about = bytes_text(exported.read_bytes or 0), duration_text(exported.seconds or 0)
        console.print(f"would read {size} of state, in about {about} on this machine")
    else:
        for each in exported.tables:
            if each.without_digest:
                console.print(f"{each.path} has no digest: {each.without_digest}", soft_wrap=True)
        console.print(f"{exported.rows:,} rows, read again in the files; manifest.json says what is in each column")
