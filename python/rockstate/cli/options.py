"""`rockstate options`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from rockstate.options import markdown_table

if TYPE_CHECKING:
    from rockstate.cli.parsers import Commands


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    summary = "list all options with their Spark confs and defaults, as a Markdown table"
    parser = commands.add_parser("options", help=summary, description=summary.capitalize() + ".")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints the table."""
    print(markdown_table())
    return 0
