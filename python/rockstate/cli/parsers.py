"""Types that the subcommands share."""

from __future__ import annotations

import argparse
from typing import TypeAlias

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_command(commands: Commands, name: str, summary: str, examples: str, more: str = "") -> argparse.ArgumentParser:
    """A subcommand with its summary as help, and examples at the end of its own help."""
    return commands.add_parser(
        name,
        help=summary,
        description=f"{summary.capitalize()}.{more}",
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
