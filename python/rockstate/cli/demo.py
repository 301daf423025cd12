"""`rockstate demo`: everything after it goes to `rockstate.demo`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rockstate.cli.parsers import Commands


def add_parser(commands: Commands) -> None:
    """Adds the subcommand, which reads its own arguments, `--help` included."""
    parser = commands.add_parser("demo", help="run the demo (pip install 'rockstate[demo]')", add_help=False)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the demo and returns its exit code."""
    from rockstate.demo import run as run_demo

    return run_demo(args.rest)
