"""`rockstate migrate` and `rockstate repartition`."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from rockstate.base.arguments import MOST, Offering, whole
from rockstate.base.errors import WrongUsage
from rockstate.base.units import bytes_text, duration_text
from rockstate.cli.parsers import CHECKPOINT_FORMAT, Commands, add_command
from rockstate.cli.spark_flags import add_spark_flags
from rockstate.cli.tables import table
from rockstate.cli.watching import watched
from rockstate.inspection.checkpoint import Checkpoint
from rockstate.moving.move import FORMATS, PROVIDERS, FamilyTotals, Move, StoreOutline
from rockstate.moving.running import MoveProgress

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_EXAMPLES = """\
examples:
  rockstate migrate /tmp/checkpoint /tmp/on-rockstate --to rockstate
  rockstate migrate hdfs://nn/old hdfs://nn/new --to rocksdb --dry-run
  rockstate migrate OLD NEW --to rocksdb --checkpoint-format 2
"""


_REPARTITION_EXAMPLES = """\
examples:
  rockstate repartition /tmp/checkpoint /tmp/with-400 --partitions 400
  rockstate repartition /tmp/checkpoint --in-place --partitions 400 --dry-run
"""

_UNTOUCHED = " Writes a new checkpoint with the same rows and leaves the old one as it is. Stop the query first."


def add_parser(commands: Commands) -> None:
    """Adds both subcommands."""
    migrate = add_command(commands, "migrate", "move a query's checkpoint to another provider", _EXAMPLES, _UNTOUCHED)
    migrate.add_argument(
        "--to",
        action=Offering,
        offers=tuple(PROVIDERS),
        required=True,
        metavar="PROVIDER",
        help=f"{', '.join(PROVIDERS)}, or a class",
    )
    migrate.add_argument(
        *CHECKPOINT_FORMAT,
        type=int,
        choices=FORMATS,
        help="the new checkpoint's format (default: 2 on rockstate, else 1)",
    )
    _add_common(migrate)
    migrate.set_defaults(run=_run_migrate)
    repartition = add_command(
        commands,
        "repartition",
        "give a query's checkpoint another number of partitions",
        _REPARTITION_EXAMPLES,
        _UNTOUCHED
        + " With --in-place it adds a batch to the checkpoint itself, without rows of any source, whose state is spread"
        " anew; `rockstate rollback` goes back to the batch before.",
    )
    repartition.add_argument(
        "--partitions", type=whole(1, MOST), required=True, metavar="N", help="of every operator with a key"
    )
    _add_common(repartition, nargs="?")
    help_text = "change the checkpoint itself, on rockstate or rocksdb; without NEW"
    repartition.add_argument("--in-place", action="store_true", help=help_text)
    repartition.set_defaults(run=_run_repartition)


def _add_common(parser: argparse.ArgumentParser, **of_new: Any) -> None:
    """What both take."""
    parser.add_argument("old", help="the query's checkpointLocation: a path or any Hadoop URI")
    parser.add_argument("new", help="the new checkpointLocation: a folder that is empty or not there", **of_new)
    parser.add_argument(
        "--batch", type=whole(0), metavar="ID", help="the state after this batch (default: the last committed)"
    )
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="show what would be moved, its size, about how long it takes, and write nothing",
    )
    parser.add_argument("--json", action="store_true", help="print everything that is known as JSON")
    add_spark_flags(parser)


def _run_migrate(args: argparse.Namespace) -> int:
    def migrate(progress: MoveProgress) -> Move:
        return Checkpoint(args.old).migrate(
            args.new,
            args.to,
            batch=args.batch,
            checkpoint_format=args.checkpoint_format,
            dry_run=args.dry_run,
            progress=progress,
        )

    return _run_move(migrate, args)


def _run_repartition(args: argparse.Namespace) -> int:
    if args.in_place:
        return _run_in_place(args)
    if args.new is None:
        remedy = f"Name a folder for it, or give --in-place to change the checkpoint {args.old} itself"
        raise WrongUsage("There is no new checkpoint", remedy)

    def repartition(progress: MoveProgress) -> Move:
        return Checkpoint(args.old).repartition(
            args.new, args.partitions, batch=args.batch, dry_run=args.dry_run, progress=progress
        )

    return _run_move(repartition, args)


def _run_in_place(args: argparse.Namespace) -> int:
    if args.new is not None or args.batch is not None:
        raise WrongUsage("--in-place changes the checkpoint itself, after its last batch", "Leave new and --batch out")
    checkpoint = Checkpoint(args.old)
    planned = watched(args, lambda _: checkpoint.repartition_in_place(args.partitions, dry_run=True))
    out = sys.stderr if args.json else sys.stdout
    if args.dry_run and args.json:
        print_json(planned)
    else:
        print(_plan_in_place(planned, args.partitions), file=out, flush=True)
    if args.dry_run:
        return 0
    moved = watched(
        args,
        lambda progress: checkpoint.repartition_in_place(args.partitions, progress=progress),
        f"Once batch {planned.batch + 1} is planned no query starts on the checkpoint: the same command finishes, and"
        f" `rockstate rollback {args.old} --batch {planned.batch}` takes it back.",
    )
    if args.json:
        print_json(moved)
    else:
        _print_totals(moved)
        print(
            f"{moved.rows:,} rows, read back: the same as before. The query goes on after batch {moved.batch + 1} with"
            f" {args.partitions} partitions; `rockstate rollback {args.old} --batch {moved.batch}` takes it back."
        )
    return 0


def _plan_in_place(planned: Move, partitions: int) -> str:
    """What it does, before it does it."""
    before = max(store.partitions for store in planned.stores)
    about = duration_text(planned.seconds or 0)
    return "\n".join(
        [
            f"{planned.old} gets one more batch, {planned.batch + 1}:"
            f" the state after batch {planned.batch} in {partitions} partitions instead of {before}.",
            f"This reads {bytes_text(planned.bytes)} and writes about as much, in about {about} on this machine."
            " Earlier batches stay.",
            "The query must be stopped, and its sink must not be Spark's file sink: that would miss the batch.",
        ]
    )


def _run_move(move: Callable[[MoveProgress], Move], args: argparse.Namespace) -> int:
    """Makes a move, and prints what it comes to."""
    moved = watched(args, move, unfinished(args))
    if args.json:
        print_json(moved)
    else:
        _print(moved, args.dry_run)
    return 0


def print_json(moved: Move, **others: None) -> None:
    """All that is known of it, but for `others`, which have these values."""
    told = {**dataclasses.asdict(moved), "rows": moved.rows, "bytes": moved.bytes, **others}
    print(json.dumps(told, indent=2))


def unfinished(args: argparse.Namespace) -> str:
    """What to say of a new checkpoint when its command is cancelled, be it before anything was written there."""
    if args.dry_run:
        return ""
    return (
        f"What it has written to {args.new} is unfinished: no query starts on that, and the same command starts over."
    )


def _print(moved: Move, is_dry_run: bool) -> None:
    from rockstate.base.console import Console

    console = Console(highlight=False, markup=False)
    verb = "would move" if is_dry_run else "moved"
    console.print(f"{verb} the state after batch {moved.batch}", style="bold")
    console.print(f"from {moved.old}: {moved.old_provider}, checkpoint format {moved.old_format}", soft_wrap=True)
    console.print(f"to   {moved.new}: {moved.new_provider}, checkpoint format {moved.new_format}", soft_wrap=True)
    print_written(console, moved, is_dry_run, "in the old one")


def print_written(console: Console, moved: Move, is_dry_run: bool, same_as: str) -> None:
    """What is written and how to go on, or what would be.

    Args:
        same_as: that which the rows that were read back are the same as.
    """
    if is_dry_run:
        numbers = ("partitions", "new", "size", "rows")
        stores = table("operator", "store", *numbers, numbers=numbers)
        for store in moved.stores:
            operator = f"{store.operator_id} {store.operator_name}"
            stores.add_row(operator, store.store, str(store.partitions), str(store.new_partitions), *_size(store))
        console.print(stores)
        about = duration_text(moved.seconds or 0)
        console.print(f"would read {bytes_text(moved.bytes)} and write about as much, in about {about} on this machine")
        _print_heap(console, moved)
    else:
        _print_totals(moved)
        console.print(f"{moved.rows:,} rows, read back from the new checkpoint: the same as {same_as}")
        console.print(
            f"Start the query with checkpointLocation {moved.new} and"
            f" spark.sql.streaming.stateStore.checkpointFormatVersion={moved.new_format}",
            soft_wrap=True,
        )


def _print_totals(moved: Move) -> None:
    from rockstate.base.console import Console

    Console(highlight=False, markup=False).print(totals(moved.totals))


def totals(of: Iterable[FamilyTotals]) -> Table:
    """The rows of each column family."""
    rows = table("operator", "store", "column family", "rows", "digest", numbers=("rows", "digest"))
    for family in of:
        operator = f"{family.operator_id} {family.operator_name}"
        rows.add_row(operator, family.store, family.family, f"{family.rows:,}", family.digest[:8])
    return rows


def _print_heap(console: Console, moved: Move) -> None:
    """What the heap has to hold: Rockstate and Spark's RocksDB provider keep rows on the local disk."""
    sides = ((moved.old_provider, "partitions"), (moved.new_provider, "new_partitions"))
    held = [
        (store.bytes or 0) / getattr(store, partitions)
        for provider, partitions in sides
        if provider == PROVIDERS["hdfs"]
        for store in moved.stores
    ]
    if held:
        console.print(
            f"Spark's file-based provider holds whole partitions in the heap: of about {bytes_text(int(max(held)))} of"
            " files each, several times as much as rows, times the cores that work at a time"
            " (--conf spark.driver.memory=8g)",
            soft_wrap=True,
        )


def _size(store: StoreOutline) -> tuple[str, str]:
    return bytes_text(store.bytes or 0), "?" if store.rows is None else f"{store.rows:,}"
