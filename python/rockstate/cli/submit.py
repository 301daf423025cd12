"""`rockstate submit`."""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from rockstate.base.arguments import Parser
from rockstate.base.errors import NotFound, WrongUsage
from rockstate.cli import conf
from rockstate.cli.help_text import Fitting
from rockstate.launch.spark_home import named_home
from rockstate.launch.submit import SUBMIT_ARGS, setting, submit_args_jars

if TYPE_CHECKING:
    from rockstate.cli.parsers import Commands

#: spark-submit's flags without a value, as `SparkSubmitOptionParser` has them.
_SWITCHES = frozenset(
    {"--help", "-h", "--load-spark-defaults", "--supervise", "--usage-error", "--verbose", "-v", "--version"}
)

_EXAMPLES = """\
Rockstate's options come first; from the first other argument on everything goes to spark-submit as it is.

examples:
  rockstate submit app.py --its own arguments
  rockstate submit --memory-budget 512m --master yarn --deploy-mode cluster app.py
  rockstate submit --jars mine.jar app.py
  rockstate submit --spark 4.1 --master yarn --deploy-mode cluster app.py      the cluster's Spark is another
"""


def add_parser(commands: Commands) -> None:
    """Adds the subcommand, which reads its own arguments: those of the application are none of ours."""
    parser = commands.add_parser("submit", help="run an application with spark-submit, on Rockstate", add_help=False)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Becomes the spark-submit of SPARK_HOME, or else of the installed PySpark, whose exit code and signals it has."""
    ours, theirs = _split(args.rest)
    if not theirs:
        own_parser().parse_args(ours)  # which ends with --help
        own_parser().print_help(sys.stderr)
        return 2
    return _submit(ours, theirs)


def run_beside(argv: list[str], flags: list[str], program: Callable[[list[str]], list[str]]) -> int:
    """Runs another Python program as `rockstate submit` would run the one in `argv`, and returns its exit code.

    It is a process beside this one, which hands signals on to it. What it prints goes to standard error, since Spark
    makes one of its two outputs.

    Args:
        argv: what `rockstate submit` takes.
        flags: what else, `--jars` and then flags of spark-submit's; those in `argv` win over them.
        program: the other one with its arguments, by the one in `argv` with its own.
    """
    (our_flags, their_flags), (ours, theirs) = _split(flags), _split(argv)
    at = _application(theirs)
    if at == len(theirs) or not theirs[at].endswith(".py"):
        remedy = "Give it with what `rockstate submit` takes, or a checkpoint --like"
        raise WrongUsage("There is no Python program", remedy)
    before = ["--conf", "spark.log.level=WARN", *their_flags, *theirs[:at]]
    command, environ = _command([*our_flags, *ours], [*before, *program(theirs[at:])])
    try:
        child = subprocess.Popen(command, stdout=sys.__stderr__, env=environ)
    except OSError as error:
        raise _does_not_run(command, error) from error
    with child, _handing_on_to(child):
        code = child.wait()
    return code if code >= 0 else 128 - code


@contextmanager
def _handing_on_to(child: subprocess.Popen[bytes]) -> Iterator[None]:
    """Within it signals that end this process end the other one instead."""
    before = {
        number: signal.signal(number, lambda number, _: child.send_signal(number))
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _submit(ours: list[str], theirs: list[str]) -> NoReturn:
    """Has spark-submit in place of this process: what ends the command ends the driver, in the driver's own time."""
    command, environ = _command(ours, theirs)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, and what comes in its place would, too
    try:
        os.execve(command[0], command, environ)
    except OSError as error:
        raise _does_not_run(command, error) from error


def _command(ours: list[str], theirs: list[str]) -> tuple[list[str], dict[str, str]]:
    """spark-submit with its arguments, and its environment."""
    args = own_parser().parse_args(ours)
    told = {**os.environ, SUBMIT_ARGS: shlex.join(theirs[: _application(theirs)])}  # which of the latter it passes over
    args.jars = args.jars or submit_args_jars(told)
    words = conf.submit_words(args, told)
    home = _spark_home()
    command = [str(home / "bin" / "spark-submit"), *words, *theirs]
    return command, {**os.environ, "SPARK_HOME": str(home), **_python(told)}


def _does_not_run(command: list[str], error: OSError) -> NotFound:
    return NotFound(f"{command[0]} does not run ({error.strerror})", "Set SPARK_HOME to a Spark")


def _python(told: Mapping[str, str]) -> dict[str, str]:
    """The variable that has this Python run what runs on this machine, unless the user names another.

    A cluster's machines have theirs, and in cluster mode YARN and Kubernetes hand the variables on to them.
    """
    if "PYSPARK_PYTHON" in told:
        return {}
    if (setting(told, "--master", "spark.master") or told.get("MASTER") or "local").startswith("local"):
        return {"PYSPARK_PYTHON": sys.executable}
    mode = setting(told, "--deploy-mode", "spark.submit.deployMode") or told.get("DEPLOY_MODE")
    if mode == "cluster" or "PYSPARK_DRIVER_PYTHON" in told:
        return {}
    return {"PYSPARK_DRIVER_PYTHON": sys.executable}


def _split(argv: list[str]) -> tuple[list[str], list[str]]:
    """Our options with their values, and everything from the first other argument on."""
    parser = own_parser()
    known = {flag: action.nargs == 0 for action in parser._actions for flag in action.option_strings}
    at = 0
    while at < len(argv) and argv[at].partition("=")[0] in known:
        at += 1 if "=" in argv[at] or known[argv[at]] else 2
    theirs = argv[at:]
    _refuse_misspelt(theirs, parser)
    if any(word.partition("=")[0] == "--jars" for word in theirs[: _application(theirs)]):
        raise WrongUsage("--jars among spark-submit's arguments would replace Rockstate's jar", "Give --jars first")
    return argv[:at], theirs


def _refuse_misspelt(theirs: list[str], parser: Parser) -> None:
    """Raises WrongUsage if what would be spark-submit's begins with a flag that is nearly one of ours."""
    flag = theirs[0].partition("=")[0] if theirs else ""
    # None of spark-submit's is as like one of ours: a test has them all.
    near = parser.guess(flag, cutoff=0.8) if flag.startswith("--") else ""
    if near:
        problem = f"Neither `rockstate submit` nor spark-submit has a flag {flag}"
        raise WrongUsage(problem, f"{near}See `rockstate submit --help`")


def _application(theirs: list[str]) -> int:
    """Where the application is among spark-submit's arguments: the first word that is no flag and no flag's value."""
    at = 0
    while at < len(theirs) and theirs[at].startswith("-"):
        at += 1 if "=" in theirs[at] or theirs[at] in _SWITCHES else 2
    return min(at, len(theirs))


def own_parser() -> Parser:
    """What reads Rockstate's options, which come before spark-submit's."""
    parser = Parser(
        prog="rockstate submit",
        usage="rockstate submit [options] [spark-submit's arguments] APP [its arguments]",
        description="Run an application with SPARK_HOME's spark-submit, or else PySpark's, its state in Rockstate.",
        epilog=_EXAMPLES,
        formatter_class=Fitting,
    )
    conf.add_options(parser)
    return parser


def _spark_home() -> Path:
    """SPARK_HOME, or the installed package, which is a Spark of its own."""
    home = named_home(os.environ)
    if home is not None:
        return home
    spec = find_spec("pyspark")
    if spec is None or spec.origin is None:
        raise NotFound("There is no Spark here", "Install PySpark, or set SPARK_HOME")
    return Path(spec.origin).parent
