"""`rockstate doctor`."""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from rockstate.base.errors import NotFound, RockstateError, Unsupported, UnsupportedSparkVersion, WrongUsage
from rockstate.cli.bar import Bar
from rockstate.cli.parsers import Commands, add_command, add_spark
from rockstate.cli.spark_flags import add_spark_flags
from rockstate.launch.jars import jar_path
from rockstate.launch.spark_home import named_home, release_of
from rockstate.launch.versions import SPARK_MINORS, launched_version, spark_minor
from rockstate.session import connect, gateway

_MIN_JAVA = 17
_JVM = "Spark's JVM with Rockstate"

_EXAMPLES = """\
examples:
  rockstate doctor
  rockstate doctor hdfs://nn/checkpoints          can checkpoints be kept there?
  rockstate doctor --spark 4.1                    is all there for a cluster with another Spark?
  rockstate doctor --connect sc://host:15002      do queries on a Spark Connect server keep their state in Rockstate?
"""


@dataclass(frozen=True)
class Finding:
    """What one check found: `what` was looked at, `found` is the answer or the problem with its remedy.

    What is doubtful is no failure, but may become one.
    """

    what: str
    found: str
    is_well: bool
    is_doubtful: bool = False

    @property
    def mark(self) -> str:
        """What a line begins with."""
        return "PROBLEM" if not self.is_well else "WARNING" if self.is_doubtful else "ok     "


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    summary = "check that everything Rockstate needs is there"
    more = " That is Python, Java, Spark, the jar, and with a URI a place where checkpoints can be kept."
    parser = add_command(commands, "doctor", summary, _EXAMPLES, more)
    add_spark(parser)
    parser.add_argument(
        "--connect", metavar="URL", help="a Spark Connect server to look at instead; runs a query there"
    )
    parser.add_argument("uri", nargs="?", help="a folder for checkpoints; a file is written there and deleted")
    parser.add_argument("--json", action="store_true", help="print what was found as JSON")
    add_spark_flags(parser, is_brief=True)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints what was found; 1 if something is amiss."""
    if args.connect and (args.uri or args.spark or args.jars or args.packages or args.conf):
        mine = "Give neither --spark nor a folder nor --jars, --packages or --conf"
        raise WrongUsage("--connect asks a server, which has its Spark and its storage", mine)
    findings = []
    for finding in _watched(check_server(args.connect) if args.connect else check(args.uri, args.spark)):
        if not args.json:
            print(f"{finding.mark} {finding.what}: {finding.found}", flush=True)
        findings.append(finding)
    if args.json:
        print(json.dumps([asdict(finding) for finding in findings], indent=2))
    return 0 if all(finding.is_well for finding in findings) else 1


def _watched(findings: Iterator[Finding]) -> Iterator[Finding]:
    """The same, with a bar until each is there: to start a JVM takes seconds."""
    while True:
        with Bar("look at what is there"):
            finding = next(findings, None)
        if finding is None:
            return
        yield finding


def check(uri: str | None = None, spark: str | None = None) -> Iterator[Finding]:
    """Looks at one thing after the other; what needs a thing that is not well is not looked at."""
    yield _python(spark)
    needed = [_look("Java", _java), _look("Spark", _spark), _look("jar", lambda: str(jar_path(spark)))]
    yield from needed
    if not all(finding.is_well for finding in needed):
        return
    if spark_minor(spark) != spark_minor():
        not_started = f"not started, since it would be Spark {launched_version()}: try it where Spark {spark} is"
        yield Finding(_JVM, not_started, is_well=True, is_doubtful=True)
        if uri is not None:
            yield Finding("checkpoints", f"{uri} was not tried: that takes a JVM", is_well=True, is_doubtful=True)
        return
    jvm = _look(_JVM, _jvm)
    yield jvm
    if uri is not None and jvm.is_well:
        yield _look("checkpoints", lambda: _probe(uri))


def check_server(url: str) -> Iterator[Finding]:
    """Looks at a Spark Connect server, at one thing after the other, until one is not well."""
    try:
        with connect.server_at(url) as server:
            looks = {"Spark": server.version, "provider": server.provider, "query": server.try_query}
            for what, find in looks.items():
                finding = _look(f"{what} of the server", find)
                yield finding
                if not finding.is_well:
                    return
    except RockstateError as error:
        yield Finding("server", str(error), is_well=False)


def _look(what: str, find: Callable[[], str]) -> Finding:
    try:
        return Finding(what, find(), is_well=True)
    except RockstateError as error:
        return Finding(what, str(error), is_well=False)


def _python(spark: str | None) -> Finding:
    """Python is doubtful if that Spark's PySpark wants another one; which Spark that is may be a problem of its own."""
    found = f"{platform.python_version()} ({sys.executable})"
    try:
        row = SPARK_MINORS[spark_minor(spark)]
    except UnsupportedSparkVersion:
        return Finding("Python", found, is_well=True)
    if row.runs_with(sys.version_info[:2]):
        return Finding("Python", found, is_well=True)
    oldest, newest = (".".join(map(str, python)) for python in (row.minimum_python, row.newest_python))
    return Finding("Python", f"{found}; Spark {row.minor} wants {oldest} to {newest}", is_well=True, is_doubtful=True)


def _java() -> str:
    home = os.environ.get("JAVA_HOME")
    command = str(Path(home) / "bin" / "java") if home else "java"  # as Spark's launcher does
    try:
        done = subprocess.run([command, "-version"], capture_output=True, text=True, check=False)
    except OSError as error:
        raise NotFound(
            f"There is no Java ({command}: {error.strerror})", f"Install a JDK {_MIN_JAVA} or newer, or set JAVA_HOME"
        ) from error
    version = re.search(r'version "(\d+)', done.stderr)
    if done.returncode != 0 or version is None:
        raise NotFound(f"{command} -version fails", f"Install a JDK {_MIN_JAVA} or newer, or set JAVA_HOME")
    if int(version[1]) < _MIN_JAVA:
        raise Unsupported(f"{command} is Java {version[1]}", f"Spark 4 needs {_MIN_JAVA} or newer; set JAVA_HOME to it")
    return f"{version[1]} ({command})"


def _spark() -> str:
    spark_minor()
    version = launched_version()
    home = named_home(os.environ)
    return f"{version} (SPARK_HOME {home})" if home and release_of(home) == version else f"{version} (PySpark)"


def _jvm() -> str:
    reader = gateway.checkpoint_reader()
    return f"starts, Spark {gateway.answer(reader.versions())['spark']}"


def _probe(uri: str) -> str:
    found = gateway.answer(gateway.checkpoint_reader().probe(uri))
    place = found["location"] + (", which is not there yet" if found["isNew"] else "")
    return f"can be kept in {place} (a file was written, read, listed and deleted in {found['millis']} ms)"
