"""`rockstate bootstrap`."""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rockstate.cli import submit
from rockstate.cli.migrate import print_json, print_written, unfinished
from rockstate.cli.parsers import Commands, add_command, named
from rockstate.cli.spark_flags import add_spark_flags, spark_words
from rockstate.cli.tables import table
from rockstate.cli.watching import watched
from rockstate.inspection.checkpoint import Checkpoint
from rockstate.moving import program
from rockstate.moving.export import Export
from rockstate.moving.move import Move
from rockstate.moving.running import MoveProgress
from rockstate.session import gateway

_EXAMPLES = """\
examples:
  rockstate bootstrap NEW --dry-run --query app.py                                    the names of the query's tables
  rockstate bootstrap NEW --table 0-stateStoreSave/default=/tmp/a-year --query app.py --its own arguments
  rockstate bootstrap NEW --table 0-stateStoreSave/default=/tmp/a-year --query --master yarn app.py
  rockstate bootstrap NEW --table 0-stateStoreSave/default=/tmp/a-year --like /tmp/started
"""

_MORE = """

With --query, the program is run up to where it waits for its queries. These do not run: nothing is read from their
sources or written to their sinks. The query that is started on the new checkpoint begins to read where it says.
With --like, what the sources have read and everything else is as in the other checkpoint, which stays as it is."""

#: Says that spark-submit runs the command, and into which file the answer goes; for the command's own use.
_IN_SUBMIT = "--in-submit"


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = add_command(commands, "bootstrap", "make a checkpoint with tables for its state", _EXAMPLES, _MORE)
    parser.add_argument("new", help="the new checkpointLocation: a folder that is empty or not there")
    parser.add_argument(
        "--table",
        default=[],
        action="append",
        metavar="NAME=FOLDER",
        help="a table's name, as in an export, and the files with its rows; for each table",
    )
    parser.add_argument("--format", default="parquet", metavar="NAME", help="of the files (default: parquet)")
    parser.add_argument("--dry-run", action="store_true", help="show what would be made, and leave nothing")
    parser.add_argument("--json", action="store_true", help="print everything that is known as JSON")
    parser.add_argument("--query-name", metavar="NAME", help="which query, by its name or number, if there are several")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--like", metavar="OLD", help="the checkpoint of the same query, run once")
    what.add_argument(
        "--query",
        nargs=argparse.REMAINDER,
        metavar="APP",
        help="the query's program, comes last: all that `rockstate submit` takes",
    )
    parser.add_argument(_IN_SUBMIT, type=Path, help=argparse.SUPPRESS)
    add_spark_flags(parser)
    parser.set_defaults(run=_run)


def split(argv: Sequence[str]) -> tuple[Sequence[str], list[str] | None]:
    """What argparse may read, and what follows --query, of which it would drop `--`; None for any other command."""
    command = next((word for word in argv if not word.startswith("-")), "")
    if command != "bootstrap" or "--query" not in argv:
        return argv, None
    at = argv.index("--query") + 1
    return argv[:at], list(argv[at:])


def _run(args: argparse.Namespace) -> int:
    named(args.table, "--table")  # before anything is begun
    if args.query is None:
        return _bootstrap(args.like, args)
    if not gateway.is_started_by_submit():
        return _run_in_submit(args)
    with _begun(args) as begun, args.in_submit.open("w", encoding="utf-8") as answer, redirect_stdout(answer):
        if args.table or not args.dry_run:
            return _bootstrap(begun, args)
        return _print_tables(Checkpoint(begun).export(args.new, dry_run=True), args.json)


def _run_in_submit(args: argparse.Namespace) -> int:
    """Has spark-submit run the same, and prints the answer."""
    with TemporaryDirectory(prefix="rockstate-") as folder:
        answer = Path(folder) / "answer"
        words = [_this_command(), *_words(args, answer), "--query"]
        code = submit.run_beside(args.query, spark_words(args), lambda app: [*words, *app])
        if answer.exists():
            print(answer.read_text(encoding="utf-8"), end="")
    return code


def _bootstrap(like: str, args: argparse.Namespace) -> int:
    folders = named(args.table, "--table")

    def bootstrap(progress: MoveProgress) -> Move:
        return Checkpoint(like).bootstrap(
            args.new, folders, format=args.format, dry_run=args.dry_run, progress=progress
        )

    made = watched(args, bootstrap, unfinished(args))
    if args.json:
        print_json(made, **({"old": None} if args.query else {}))  # what was begun for the query is gone
    else:
        _print(made, args)
    return 0


def _print(made: Move, args: argparse.Namespace) -> None:
    from rockstate.base.console import Console

    console = Console(highlight=False, markup=False)
    console.print(f"{'would make' if args.dry_run else 'made'} a checkpoint with tables for its state", style="bold")
    of_query = f"for the query of {args.query[0]}, which has read nothing" if args.query else ""
    console.print(of_query or f"like {made.old} after batch {made.batch}", soft_wrap=True)
    console.print(f"in {made.new}: {made.new_provider}, checkpoint format {made.new_format}", soft_wrap=True)
    print_written(console, made, args.dry_run, "were written")


def _this_command() -> str:
    """What spark-submit can run."""
    return str(Path(__file__).parents[1] / "__main__.py")


def _words(args: argparse.Namespace, answer: Path) -> list[str]:
    """The command's own arguments, once more."""
    tables = [word for table in args.table for word in ("--table", table)]
    flags = [flag for flag, is_set in (("--dry-run", args.dry_run), ("--json", args.json)) if is_set]
    name = ["--query-name", args.query_name] if args.query_name else []
    debug = ["--debug"] if args.debug else []
    return [*debug, "bootstrap", _IN_SUBMIT, str(answer), args.new, *tables, "--format", args.format, *flags, *name]


@contextmanager
def _begun(args: argparse.Namespace) -> Iterator[str]:
    """The checkpoint of the program's query before it has read anything, within this only."""
    app, *arguments = args.query
    asked = program.Program(app, arguments, f"{args.new.rstrip('/')}-rockstate-begun", args.query_name)
    try:
        yield asked.run().location
    finally:
        asked.forget()


def _print_tables(found: Export, as_json: bool) -> int:
    """What tables the query has, and their columns."""
    if as_json:
        print(json.dumps([dataclasses.asdict(table) for table in found.tables], indent=2))
        return 0
    from rockstate.base.console import Console

    rows = table("table", "column", "type")
    for each in found.tables:
        for column in each.schema["fields"]:
            if column["name"] in ("key", "value"):
                rows.add_row(each.path, column["name"], _type_text(column["type"]))
    Console(highlight=False, markup=False).print(rows)
    return 0


def _type_text(parsed: dict[str, Any]) -> str:
    """A type as SQL has it."""
    from pyspark.sql.types import StructType

    return StructType.fromJson(parsed).simpleString()
