"""`rockstate inspect` and `rockstate verify`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from rockstate.base.folders import require_folders
from rockstate.cli import checkpoint_text
from rockstate.cli.bar import Bar
from rockstate.cli.parsers import Commands, add_command
from rockstate.cli.spark_flags import add_spark_flags
from rockstate.drawing import plots
from rockstate.inspection.checkpoint import Checkpoint

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
    parser.add_argument("--all", action="store_true", help="show every store and problem, not only the worst of many")
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
    require_folders(args.plot, args.html)
    checkpoint = Checkpoint(args.checkpoint)
    with Bar("stores") as bar:
        summary = checkpoint.verify(bar.show) if args.verifies else checkpoint.inspect(bar.show)
    try:  # what took hours to find is told before a file is written, for which there may be no room
        if args.json:
            print(json.dumps(summary.to_dict(), indent=2))
        else:
            checkpoint_text.show(summary, args.all)
    finally:  # and if nobody reads it any more, the files have it
        if args.plot:
            summary.plot(args.plot)
        if args.html:
            summary.to_html(args.html)
    return 1 if args.verifies and not summary.is_sound else 0
