"""`rockstate bootstrap`."""

from __future__ import annotations

import argparse

from rockstate.cli.migrate import run_move
from rockstate.cli.parsers import Commands, add_command, pairs
from rockstate.cli.spark_flags import add_spark_flags
from rockstate.inspection.checkpoint import Checkpoint
from rockstate.moving.move import Move
from rockstate.moving.running import MoveProgress

_EXAMPLES = """\
examples:
  rockstate export /tmp/started /tmp/tables --dry-run     the names of the tables, by a query that has run once
  rockstate bootstrap /tmp/checkpoint --like /tmp/started --table 0-stateStoreSave/default=/tmp/a-year
"""

_MORE = " The rest, such as what its sources have read, is as in the other checkpoint, which stays as it is."


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = add_command(commands, "bootstrap", "make a checkpoint with tables for its state", _EXAMPLES, _MORE)
    parser.add_argument("new", help="the new checkpointLocation: a folder that is empty or not there")
    parser.add_argument("--like", required=True, metavar="OLD", help="the checkpoint of the same query, run once")
    parser.add_argument(
        "--table",
        required=True,
        action="append",
        metavar="NAME=FOLDER",
        help="a table's name, as in an export, and the files with its rows; for each table",
    )
    parser.add_argument("--format", default="parquet", metavar="NAME", help="of the files (default: parquet)")
    parser.add_argument("--dry-run", action="store_true", help="show what would be made, and write nothing")
    parser.add_argument("--json", action="store_true", help="print everything that is known as JSON")
    add_spark_flags(parser)
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    folders = dict(pairs(args.table, "--table"))

    def bootstrap(progress: MoveProgress) -> Move:
        return Checkpoint(args.like).bootstrap(
            args.new, folders, format=args.format, dry_run=args.dry_run, progress=progress
        )

    return run_move(bootstrap, args)
