"""`rockstate fork` and `rockstate rollback`."""

from __future__ import annotations

import argparse
import dataclasses
import json

from rockstate.base.arguments import whole
from rockstate.base.units import bytes_text, duration_text
from rockstate.cli.migrate import totals, unfinished
from rockstate.cli.parsers import Commands, add_command
from rockstate.cli.spark_flags import add_spark_flags
from rockstate.cli.tables import table
from rockstate.cli.watching import watched
from rockstate.inspection.checkpoint import Checkpoint
from rockstate.moving.rewind import Fork, KeptFiles, Rollback
from rockstate.moving.running import MoveProgress

_FORK_EXAMPLES = """\
examples:
  rockstate fork /tmp/checkpoint /tmp/new-version
  rockstate fork hdfs://nn/old hdfs://nn/as-of-yesterday --batch 4123
"""

_ROLLBACK_EXAMPLES = """\
examples:
  rockstate rollback /tmp/checkpoint --batch 41 --dry-run
  rockstate rollback /tmp/checkpoint --batch 41
  rockstate rollback /tmp/checkpoint --undo
  rockstate rollback /tmp/checkpoint --forget
"""


_ROLLBACK = """ What came after it is kept aside in a folder of the checkpoint. Stop the query first.

The batches after it are done again, and what the sink has of them is yours to see to. One that overwrites by key gets
the same rows again; one that only appends has them twice. One that keeps account of batches by number skips them, and
the query fails for want of their state. Of Spark's file sink delete the later entries of _spark_metadata, with the
files that they name. A Delta table is restored to the version before; it still knows the later numbers: give
foreachBatch another txnAppId, and Delta's own sink another table."""


def add_parser(commands: Commands) -> None:
    """Adds both subcommands."""
    fork = add_command(
        commands,
        "fork",
        "copy a query's checkpoint as of a batch, for a second query",
        _FORK_EXAMPLES,
        " The query may be running; its checkpoint stays as it is.",
    )
    fork.add_argument("old", help="the query's checkpointLocation: a path or any Hadoop URI")
    fork.add_argument("new", help="the new checkpointLocation: a folder that is empty or not there")
    fork.add_argument(
        "--batch", type=whole(0), metavar="ID", help="go on after this batch (default: the last committed)"
    )
    fork.add_argument("--dry-run", action="store_true", help="show what would be copied, and how long about, only")
    fork.add_argument("--json", action="store_true", help="print everything that is known as JSON")
    add_spark_flags(fork)
    fork.set_defaults(run=_run_fork)
    rollback = add_command(
        commands,
        "rollback",
        "take a query's checkpoint back to a batch, in place",
        _ROLLBACK_EXAMPLES,
        _ROLLBACK,
    )
    rollback.add_argument("checkpoint", help="the query's checkpointLocation: a path or any Hadoop URI")
    what = rollback.add_mutually_exclusive_group(required=True)
    what.add_argument("--batch", type=whole(0), metavar="ID", help="the last batch to keep; later ones are done again")
    what.add_argument("--undo", action="store_true", help="bring back what the last rollback has kept aside")
    what.add_argument("--forget", action="store_true", help="delete what rollbacks have kept aside")
    dry = "read all state of that batch, show what would be moved or deleted, and change nothing"
    rollback.add_argument("--dry-run", action="store_true", help=dry)
    rollback.add_argument("--json", action="store_true", help="print everything that is known as JSON")
    add_spark_flags(rollback)
    rollback.set_defaults(run=_run_rollback)


def _run_fork(args: argparse.Namespace) -> int:
    def fork(progress: MoveProgress) -> Fork:
        return Checkpoint(args.old).fork(args.new, batch=args.batch, dry_run=args.dry_run, progress=progress)

    done = watched(args, fork, unfinished(args))
    if args.json:
        _print_json(done)
    else:
        _print_fork(done)
    return 0


def _run_rollback(args: argparse.Namespace) -> int:
    checkpoint = Checkpoint(args.checkpoint)
    done: Rollback | KeptFiles
    unfinished = "" if args.dry_run else "Where files were moved already, the same command finishes it."
    if args.undo:
        done = watched(
            args, lambda progress: checkpoint.undo_rollback(dry_run=args.dry_run, progress=progress), unfinished
        )
        verb = "would bring back" if args.dry_run else "brought back"
        text = f"{verb} {_files(done)} from {' '.join(done.folders)}"
    elif args.forget:
        done = watched(args, lambda _: checkpoint.forget_rollbacks(dry_run=args.dry_run))
        text = f"{'would delete' if args.dry_run else 'deleted'} {_files(done)}"
    else:
        done = watched(
            args, lambda progress: checkpoint.rollback(args.batch, dry_run=args.dry_run, progress=progress), unfinished
        )
        text = _rolled_back(done)
    if args.json:
        _print_json(done)
    else:
        print(text)
    return 0


def _print_json(done: Fork | Rollback | KeptFiles) -> None:
    print(json.dumps(dataclasses.asdict(done), indent=2))


def _files(done: Rollback | KeptFiles) -> str:
    return f"{done.files:,} {'file' if done.files == 1 else 'files'} ({bytes_text(done.size)})"


def _rolled_back(done: Rollback) -> str:
    if done.kept_in is None:
        return f"would go back from batch {done.last_committed} to batch {done.batch}, and keep {_files(done)} aside"
    again = (
        f"Its number of partitions is what it was. Batches from {done.batch + 1} on are cut anew."
        if done.undoes_repartition
        else f"Batch {done.batch + 1} will be done again as it was planned, later ones with other borders."
    )
    return "\n".join(
        [
            f"{done.checkpoint} is back at batch {done.batch}, and was at {done.last_committed}",
            f"{_files(done)} are kept in {done.kept_in}: see --undo and --forget",
            again,
            "If the sink keeps account of batches by number (files, Delta), first take what it has of batches"
            f" after {done.batch} out of it, or give the query another: it would skip them, and without their state"
            " the query would fail. What to do with which sink: `rockstate rollback --help`.",
        ]
    )


def _rows(rows: int | None) -> str:
    return "?" if rows is None else f"{rows:,}"


def _print_fork(done: Fork) -> None:
    from rockstate.base.console import Console

    console = Console(highlight=False, markup=False)
    verb = "would copy" if done.query_id is None else "copied"
    console.print(f"{verb} the checkpoint as of batch {done.batch}", style="bold")
    console.print(f"from {done.old}", soft_wrap=True)
    console.print(f"to   {done.new}" + (f", query id {done.query_id}" if done.query_id else ""), soft_wrap=True)
    if done.totals:
        shown = totals(done.totals)
    else:
        numbers = ("stores", "files", "bytes", "rows", *([] if done.query_id is None else ["in the copy"]))
        shown = table("operator", *numbers, numbers=numbers)
        for each in done.operators:
            operator = f"{each.operator_id} {each.operator_name}"
            rows = [_rows(each.rows), *([] if done.query_id is None else [_rows(each.copied_rows)])]
            shown.add_row(operator, str(each.stores), f"{each.files:,}", bytes_text(each.size), *rows)
    console.print(shown)
    if done.seconds is not None:
        console.print(f"in about {duration_text(done.seconds)} on this machine")
    if done.query_id is not None:
        console.print("All of it was read back. Start a query on it with a sink of its own, and with")
        console.print(
            f"spark.sql.streaming.stateStore.checkpointFormatVersion={done.checkpoint_format}", soft_wrap=True
        )
