"""What the subcommands' parsers share."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TypeAlias

from rockstate.base.arguments import Offering, Parser
from rockstate.base.errors import UnsupportedSparkVersion, WrongUsage
from rockstate.cli.help_text import Fitting
from rockstate.launch.versions import SUPPORTED_MINORS, spark_minor

#: Spark's checkpoint format, by its name as an option and a shorter one.
CHECKPOINT_FORMAT = ("--checkpoint-format", "--checkpoint-format-version")

Commands: TypeAlias = "argparse._SubParsersAction[Parser]"


def add_command(commands: Commands, name: str, summary: str, examples: str, more: str = "") -> Parser:
    """A subcommand with its summary as help, and examples at the end of its own help."""
    parser = commands.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}.{more}",
        epilog=examples,
        formatter_class=Fitting,
    )
    # Before the command, too: what was said there stays.
    parser.add_argument("--debug", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    return parser


def add_spark(parser: argparse.ArgumentParser) -> None:
    """The flag for a Spark other than the one that would be started here."""
    text = "the Spark that will run it, such as 4.1 or 4.1.3 (default: that of SPARK_HOME, or the installed PySpark)"
    parser.add_argument("--spark", action=Offering, offers=SUPPORTED_MINORS, metavar="VERSION", help=text)


def require_spark(version: str | None) -> None:
    """Raises WrongUsage for a Spark that is named and that there is no jar for."""
    try:
        if version is not None:
            spark_minor(version)
    except UnsupportedSparkVersion as error:
        raise WrongUsage(error.problem, error.remedy) from error


def pairs(texts: Sequence[str], flag: str, form: str = "NAME=VALUE") -> list[tuple[str, str]]:
    """Names and values of a flag that takes `form`, as its help says. Raises WrongUsage for any other text."""
    split = [text.partition("=") for text in texts]
    for text, (name, equals, _) in zip(texts, split, strict=True):
        if not name or not equals:
            raise WrongUsage(f"{flag} {text} is not of the form {form}", f"Give it as {flag} {form}")
    return [(name, value) for name, _, value in split]


def named(texts: Sequence[str], flag: str, form: str = "NAME=VALUE") -> dict[str, str]:
    """The same by their names. Raises WrongUsage for a name given twice, too: one of its values would be dropped."""
    found: dict[str, str] = {}
    for name, value in pairs(texts, flag, form):
        if name in found:
            raise WrongUsage(f"{flag} {name} is given twice: {found[name]} and {value}", "Give it once")
        found[name] = value
    return found
