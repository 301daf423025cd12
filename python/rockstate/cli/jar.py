"""`rockstate jar`."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from rockstate.cli.parsers import add_spark, require_spark
from rockstate.launch.jars import jar_path

if TYPE_CHECKING:
    from rockstate.cli.parsers import Commands


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    summary = "print the path of the jar for a Spark"
    parser = commands.add_parser("jar", help=summary, description=summary[0].upper() + summary[1:] + ".")
    add_spark(parser)
    parser.add_argument("--json", action="store_true", help="print it as a JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints the jar's path."""
    require_spark(args.spark)
    path = str(jar_path(args.spark))
    print(json.dumps({"jar": path}) if args.json else path)
    return 0
