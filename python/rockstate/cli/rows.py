"""`rockstate rows` and `rockstate changes`: state rows through Spark's state data source."""

from __future__ import annotations

import argparse
import logging
import re
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from typing import TYPE_CHECKING

from rockstate.base.arguments import MOST, whole
from rockstate.base.errors import Misuse, OutOfMemory, WrongUsage
from rockstate.cli.bar import Bar
from rockstate.cli.parsers import Commands, add_command, named
from rockstate.cli.spark_flags import add_spark_flags
from rockstate.inspection import key_row
from rockstate.inspection.checkpoint import Checkpoint
from rockstate.inspection.findings import DEFAULT_STORE
from rockstate.inspection.state_source import columns_text
from rockstate.session.gateway import start_quietly
from rockstate.session.reason import reason

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_KEY_FORM = "COLUMN=VALUE"
_OF_OURS = {"operator", "store", "key", "first", "last", "self"}
"""What our own flags and arguments are called, which are none of Spark's options."""

#: How JSON has timestamps; Spark's own patterns end at milliseconds.
_JSON_FORMATS = {
    "timestampFormat": "yyyy-MM-dd'T'HH:mm:ss[.SSSSSS][XXX]",
    "timestampNTZFormat": "yyyy-MM-dd'T'HH:mm:ss[.SSSSSS]",
}

_ROWS_EXAMPLES = """\
examples:
  rockstate rows /tmp/checkpoint --key carrier=UA
  rockstate rows /tmp/checkpoint --key "window.start=2026-01-01 00:00:00" --key "window.end=2026-01-02 00:00:00"
  rockstate rows /tmp/checkpoint --operator 1 --batch 40 --where "value.count > 100" --json
  rockstate rows /tmp/checkpoint --option joinSide=left
  rockstate rows /tmp/checkpoint --option stateVarName=counts
"""

_MOST_OF_A_CELL = 200
_WHOLE = f"What is longer than {_MOST_OF_A_CELL} characters is cut: --json and --key have it whole"

_MORE_ROWS = "There are more rows: --limit N, or `rockstate export` for all of the state"

#: What Spark's driver says of rows that do not fit.
_HAS_NO_MEMORY = re.compile(r"java\.lang\.OutOfMemoryError|spark\.driver\.maxResultSize")

#: What to do about what Spark says while it reads.
_REMEDIES = {
    r"\.changelog does not exist": (
        "Spark's RocksDB provider writes such files with"
        " spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled=true only; `rows --batch` has the state"
        " after each batch"
    ),
    "State format version 4 is under development": (
        "The join is in state format 4: give --conf spark.sql.streaming.join.stateFormatV4.enabled=true, or --store"
    ),
    "": "See whether `rockstate verify` calls the checkpoint sound; `rockstate --debug` shows Spark's whole error",
}

_FEWER_ROWS = (
    "Ask for fewer by --limit, or give the driver more, as by --conf spark.driver.memory=8g --conf"
    " spark.driver.maxResultSize=0; `rockstate export` takes all of the state away"
)

_CHANGES_EXAMPLES = """\
examples:
  rockstate changes /tmp/checkpoint 10 12 --key carrier=UA
"""


def add_parser(commands: Commands) -> None:
    """Adds both subcommands."""
    rows = _parser(commands, "rows", "print rows of a checkpoint's state", _ROWS_EXAMPLES)
    rows.add_argument(
        "--batch", type=whole(0), metavar="ID", help="the state after this batch (default: the last committed)"
    )
    _add_common(rows)
    rows.set_defaults(run=_run_rows)
    changes = _parser(commands, "changes", "print what batches did to a checkpoint's state", _CHANGES_EXAMPLES)
    changes.add_argument("first", type=whole(0), help="the first batch")
    changes.add_argument(
        "last", type=whole(0), nargs="?", help="the last batch, included (default: the last committed)"
    )
    _add_common(changes)
    changes.set_defaults(run=_run_changes)


def _parser(commands: Commands, name: str, summary: str, examples: str) -> argparse.ArgumentParser:
    parser = add_command(commands, name, summary, examples)
    parser.add_argument("checkpoint", help="the query's checkpointLocation: a path or any Hadoop URI")
    return parser


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--operator", type=whole(0), default=0, metavar="ID", help="the stateful operator (default: 0)")
    parser.add_argument(
        "--store", default=DEFAULT_STORE, metavar="NAME", help="the operator's store (default: default)"
    )
    parser.add_argument(
        "--key",
        action="append",
        default=[],
        metavar=_KEY_FORM,
        help="only rows whose key has this; may be repeated. From Spark 4.2 on a whole key is found in seconds",
    )
    parser.add_argument("--where", metavar="SQL", help="only rows for which this holds, over key, value, partition_id")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of Spark's state data source"
    )
    help_text = "at most this many rows, of JSON, too (default: 20)"
    parser.add_argument("--limit", type=whole(1, MOST - 1), default=20, metavar="N", help=help_text)
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    add_spark_flags(parser, is_brief=True)


def _run_rows(args: argparse.Namespace) -> int:
    batch = {} if args.batch is None else {"batchId": args.batch}
    options = {**batch, **_options(args)}
    key = _key(args)
    if key and not (args.where or args.option):
        with Bar("rows"):
            formats = _JSON_FORMATS if args.json else None
            text = key_row.printed(args.checkpoint, args.operator, args.store, args.batch, key, formats)
        if text is not None:
            print(text, end="")
            return 0
    return _print(args, lambda of: of.rows(args.operator, args.store, key, **options))


def _run_changes(args: argparse.Namespace) -> int:
    options = _options(args)
    first, last, key = args.first, args.last, _key(args)
    return _print(args, lambda of: of.changes(first, last, args.operator, args.store, key, **options))


def _options(args: argparse.Namespace) -> dict[str, str]:
    options = named(args.option, "--option")
    for name in sorted(_OF_OURS.intersection(options)):
        raise WrongUsage(
            f"Spark's state data source has no option {name}", "Give --operator, --store, --key or batches"
        )
    return options


def _key(args: argparse.Namespace) -> dict[str, str]:
    return named(args.key, "--key", _KEY_FORM)


def _print(args: argparse.Namespace, find: Callable[[Checkpoint], DataFrame]) -> int:
    """Prints the rows that are asked for, with a bar until they are there."""
    if not args.debug:
        start_quietly()
    with Bar("rows"):
        text = _text(args, find(Checkpoint(args.checkpoint)))
    print(text, end="")
    return 0


def _text(args: argparse.Namespace, rows: DataFrame) -> str:
    """The rows as they are printed. What goes wrong is told in one error, not in Spark's logs as well."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import AnalysisException, PySparkException
    from pyspark.sql import functions as F

    if not args.debug:
        rows.sparkSession.sparkContext.setLogLevel("FATAL")
        logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL)
    try:
        rows = rows.where(args.where) if args.where else rows
    except AnalysisException as error:
        raise Misuse(f"The rows cannot be filtered: {reason(error)}", columns_text(rows)) from error
    try:
        if args.json:
            lines = rows.limit(args.limit + 1).select(F.to_json(F.struct("*"), _JSON_FORMATS)).collect()
            if len(lines) > args.limit:
                print(_MORE_ROWS, file=sys.stderr)
            return "".join(f"{line}\n" for (line,) in lines[: args.limit])
        return _table(rows, args.limit, is_whole=bool(args.key))
    except (PySparkException, Py4JJavaError) as error:
        if _HAS_NO_MEMORY.search(str(error)):
            raise OutOfMemory("Spark has no memory for so many rows", _FEWER_ROWS) from error
        remedy = next(remedy for said, remedy in _REMEDIES.items() if re.search(said, str(error)))
        raise Misuse(f"The rows cannot be read: {reason(error)}", remedy) from error


def _table(rows: DataFrame, limit: int, *, is_whole: bool) -> str:
    """The first rows as Spark shows them, who has cells to the left only where none is cut."""
    text = _shown(rows, limit, False)
    if is_whole or max(map(len, text.partition("\n")[0].split("+"))) <= _MOST_OF_A_CELL:
        return text
    print(_WHOLE, file=sys.stderr)
    return _shown(rows, limit, _MOST_OF_A_CELL)


def _shown(rows: DataFrame, limit: int, truncate: bool | int) -> str:
    with redirect_stdout(StringIO()) as shown:
        rows.show(limit, truncate=truncate)
    return shown.getvalue()
