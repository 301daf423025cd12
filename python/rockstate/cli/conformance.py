"""`rockstate conformance`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from rockstate.base.arguments import whole
from rockstate.base.errors import Misuse, NotFound, WrongUsage
from rockstate.base.folders import require_folders
from rockstate.base.termination import termination_as_interrupt
from rockstate.cli.parsers import CHECKPOINT_FORMAT, Commands, add_command, pairs
from rockstate.cli.wrapping import is_terminal

if TYPE_CHECKING:
    from rockstate.conformance.running.report import Report

_EXAMPLES = """\
examples:
  rockstate conformance --provider io.rockstate.RockStateStoreProvider --checkpoint-format 2
  rockstate conformance --provider org.example.MyProvider --jars my.jar --conf spark.example.option=1
  rockstate conformance --provider org.example.MyProvider --jars my.jar --only R16,R45 --html report.html
  rockstate conformance --provider org.example.MyProvider --jars my.jar --quick --badge badge.svg
  rockstate conformance --rules                          what is wanted of a provider

exit code: 0 if nothing failed, 1 if something did, 2 for arguments that make no sense or a package that is not there
"""

_STDOUT = Path("-")

_MORE = " Every call goes through Spark's own contract, on storage in memory that fails on demand."


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    summary = "judge a state store provider, any (pip install 'rockstate[conformance]')"
    parser = add_command(commands, "conformance", summary, _EXAMPLES, _MORE)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--provider", metavar="CLASS", help="the class of the provider")
    what.add_argument("--rules", action="store_true", help="list the rules and end")
    parser.add_argument("--jars", default="", metavar="LIST", help="the jars with it, comma-separated")
    parser.add_argument(
        "--conf", "-c", action="append", default=[], metavar="KEY=VALUE", help="a Spark conf; may be repeated"
    )
    parser.add_argument("--packages", metavar="LIST", help="Maven packages that it needs besides, comma-separated")
    parser.add_argument(
        *CHECKPOINT_FORMAT,
        choices=("1", "2"),
        help="2: versions have checkpoint ids (default: Spark's, 1)",
    )
    parser.add_argument("--only", default="", metavar="RULES", help="only these rules, such as R07,R12")
    parser.add_argument("--declare", default="", metavar="NAMES", help="capabilities to take as there without trying")
    parser.add_argument("--require", default="", metavar="NAMES", help="capabilities that fail when they are absent")
    parser.add_argument("--seed", type=whole(0), default=0, help="of the random histories (default 0)")
    parser.add_argument(
        "--examples", type=whole(1), default=50, metavar="N", help="histories per random check (default 50)"
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="one check of each rule, on a twelfth of the histories, crashes and damages",
    )
    parser.add_argument(
        "--timeout", type=whole(1), default=60, metavar="SECONDS", help="until a call hangs (default 60)"
    )
    parser.add_argument("--junit", type=Path, metavar="FILE", help="write JUnit XML")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write an HTML page")
    parser.add_argument("--badge", type=Path, metavar="FILE", help="write a badge: .svg, or .json for shields.io")
    text = "print everything as JSON, and the table on stderr; with FILE, write it there"
    parser.add_argument("--json", nargs="?", const=_STDOUT, type=Path, metavar="FILE", help=text)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the checks and prints what came of them; 1 if a check failed."""
    from rockstate.conformance.calls.outcomes import HarnessError
    from rockstate.conformance.running.plan import Arguments, make_plan, select
    from rockstate.conformance.running.suite import driver_for
    from rockstate.conformance.running.suite import run as run_checks

    if args.rules:
        require_folders(None if args.json == _STDOUT else args.json)
        return _print_rules(args.json)
    pairs(args.conf, "--conf", "KEY=VALUE")
    if args.packages:
        args.conf = [*args.conf, f"spark.jars.packages={args.packages}"]
    try:
        plan = make_plan(Arguments(**{name: getattr(args, name) for name in _PLAN}))
        checks = select(args.only)
        _require_folders(args)
    except Misuse as error:
        raise WrongUsage(error.problem, error.remedy) from error
    except NotFound as error:
        return _gave_up(error, 2)
    driver = driver_for(plan)
    try:
        with termination_as_interrupt(), _Bar() as progress:
            report = run_checks(plan, driver, checks, progress)
    except NotFound as error:
        return _gave_up(error, 2)
    except HarnessError as error:
        return _gave_up(error, 1)
    finally:
        driver.close()
    _write(report, args)
    return 0 if report.conforms else 1


_PLAN = ("provider", "jars", "conf", "checkpoint_format", "declare", "require", "seed", "examples", "timeout", "quick")


def _gave_up(error: Exception, code: int) -> int:
    print(f"rockstate: {error}", file=sys.stderr)
    return code


def _require_folders(args: argparse.Namespace) -> None:
    if args.badge is not None and args.badge.suffix not in (".svg", ".json"):
        raise Misuse(f"There is no badge of the kind {args.badge.name}", "Name a file that ends with .svg or .json")
    require_folders(*(file for file in (args.junit, args.html, args.json, args.badge) if file != _STDOUT))


def _write(report: Report, args: argparse.Namespace) -> None:
    from rockstate.base.console import Console
    from rockstate.conformance.reports.badge import endpoint, picture
    from rockstate.conformance.reports.junit import junit_xml
    from rockstate.conformance.reports.page import html_page
    from rockstate.conformance.reports.table import print_report

    try:
        print_report(report, Console(highlight=False, stderr=args.json == _STDOUT))
    finally:  # if nobody reads it any more, the files have it
        lost = []
        for file, content in (
            (args.junit, junit_xml),
            (args.html, html_page),
            (args.badge, endpoint if args.badge is not None and args.badge.suffix == ".json" else picture),
            (args.json, lambda report: json.dumps(report.to_dict(), indent=2) + "\n"),
        ):
            if file is not None:
                try:
                    _put(content(report), file)
                except Misuse as error:  # the others are wanted all the same
                    lost.append(error)
        if lost:
            raise lost[0]


def _put(text: str, file: Path) -> None:
    if file == _STDOUT:
        print(text, end="")
        return
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Misuse(f"{file} cannot be written ({error.strerror})", "Name another, and run this again") from error


def _print_rules(file: Path | None) -> int:
    from rockstate.conformance.rules import RULES

    if file is not None:
        told = [
            {"id": r.id, "title": r.title, "meaning": r.meaning, "matters": r.matters, "needs": sorted(r.needs)}
            for r in RULES.values()
        ]
        _put(json.dumps(told, indent=2) + "\n", file)
        return 0
    for rule in RULES.values():
        needs = f" (needs {', '.join(sorted(rule.needs))})" if rule.needs else ""
        print(f"{rule.id} {rule.title}: {rule.meaning}; {rule.matters}{needs}")
    return 0


class _Bar:
    """A progress bar on a terminal's standard error, nothing elsewhere."""

    def __init__(self) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        from rockstate.base.console import Console

        columns = (BarColumn(30), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
        self._bar = Progress(
            *columns, console=Console(stderr=True), transient=True, disable=not is_terminal(sys.stderr)
        )
        self._task = self._bar.add_task("", total=None)

    def __enter__(self) -> Callable[[int, int, str], None]:
        self._bar.start()
        return lambda done, total, title: self._bar.update(self._task, completed=done, total=total, description=title)

    def __exit__(self, *_: object) -> None:
        self._bar.stop()
