"""`rockstate submit`."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from rockstate.base.errors import Misuse
from rockstate.cli import conf
from rockstate.launch.versions import spark_minor

if TYPE_CHECKING:
    from rockstate.cli.parsers import Commands

_EXAMPLES = """\
Rockstate's options come first; from the first other argument on everything goes to spark-submit as it is.

examples:
  rockstate submit app.py --its own arguments
  rockstate submit --memory-budget 512m --master yarn --deploy-mode cluster app.py
  rockstate submit --jars mine.jar app.py
"""


def add_parser(commands: Commands) -> None:
    """Adds the subcommand, which reads its own arguments: those of the application are none of ours."""
    parser = commands.add_parser("submit", help="run an application with spark-submit, on Rockstate", add_help=False)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the installed PySpark's spark-submit and returns its exit code."""
    ours, theirs = _split(args.rest)
    if not theirs:
        _parser().print_help()
        return 2
    spark_minor()
    command = [str(_spark_home() / "bin" / "spark-submit"), *conf.submit_words(_parser().parse_args(ours)), *theirs]
    python = os.environ.get("PYSPARK_PYTHON", sys.executable)
    return subprocess.run(command, env={**os.environ, "PYSPARK_PYTHON": python}, check=False).returncode


def _split(argv: list[str]) -> tuple[list[str], list[str]]:
    """Our options with their values, and everything from the first other argument on."""
    known = {flag: action.nargs == 0 for action in _parser()._actions for flag in action.option_strings}
    at = 0
    while at < len(argv) and argv[at].partition("=")[0] in known:
        at += 1 if "=" in argv[at] or known[argv[at]] else 2
    theirs = argv[at:]
    applications = (at for at, word in enumerate(theirs) if word.endswith((".py", ".jar", ".zip", ".egg")))
    if any(word.partition("=")[0] == "--jars" for word in theirs[: next(applications, len(theirs))]):
        raise Misuse("--jars among spark-submit's arguments would replace Rockstate's jar", "Give --jars first")
    return argv[:at], theirs


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rockstate submit",
        usage="rockstate submit [options] [spark-submit's arguments] APP [its arguments]",
        description="Run an application with the installed PySpark's spark-submit, its state in Rockstate.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    conf.add_options(parser)
    return parser


def _spark_home() -> Path:
    """SPARK_HOME, or the installed package, which is a Spark of its own."""
    if "SPARK_HOME" in os.environ:
        return Path(os.environ["SPARK_HOME"])
    spec = find_spec("pyspark")
    assert spec is not None, "spark_minor has found it"
    assert spec.origin is not None
    return Path(spec.origin).parent
