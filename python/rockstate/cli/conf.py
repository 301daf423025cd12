"""`rockstate conf`."""

from __future__ import annotations

import argparse
import os
import shlex

from rockstate import jar_list, submit
from rockstate.cli.parsers import Commands, add_command
from rockstate.jars import jar_path
from rockstate.options import OPTIONS, confs

_EXAMPLES = """\
examples:
  spark-submit $(rockstate conf) app.py
  rockstate conf --memory-budget 512m --jars mine.jar,other.jar
"""


def add_parser(commands: Commands) -> None:
    """Adds the subcommand with a flag per option."""
    summary = "print the arguments that make spark-submit, spark-shell or pyspark use Rockstate"
    parser = add_command(commands, "conf", summary, _EXAMPLES, " They are quoted for a POSIX shell.")
    add_options(parser)
    parser.set_defaults(run=run)


def add_options(parser: argparse.ArgumentParser) -> None:
    """A flag for each option, and one for the user's own jars."""
    for option in OPTIONS:
        flag = "--" + option.name.replace("_", "-")
        text = f"{option.meaning}; {option.takes} (default {option.default})"
        parser.add_argument(flag, dest=option.name, metavar=option.unit.upper(), help=text)
    parser.add_argument(
        "--jars", default="", metavar="LIST", help="jars of your own, comma-separated: --jars counts only once"
    )


def run(args: argparse.Namespace) -> int:
    """Prints one line."""
    print(shlex.join(submit_words(args)))
    return 0


def submit_words(args: argparse.Namespace) -> list[str]:
    """spark-submit's arguments for the options and jars in `args`."""
    given = {option.name: getattr(args, option.name) for option in OPTIONS}
    settings = confs({name: value for name, value in given.items() if value is not None})
    jars = jar_list.merge([args.jars or submit.defaults_jars(os.environ)], jar_path())
    return ["--jars", jars, *(word for key, value in settings.items() for word in ("--conf", f"{key}={value}"))]
