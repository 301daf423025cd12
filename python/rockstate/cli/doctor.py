"""`rockstate doctor`."""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rockstate.base.errors import NotFound, RockstateError, Unsupported
from rockstate.cli.parsers import Commands, add_command
from rockstate.launch.jars import jar_path
from rockstate.launch.versions import spark_minor, spark_version
from rockstate.session import gateway

_MIN_JAVA = 17

_EXAMPLES = """\
examples:
  rockstate doctor
  rockstate doctor hdfs://nn/checkpoints          can checkpoints be kept there?
"""


@dataclass(frozen=True)
class Finding:
    """What one check found: `what` was looked at, `found` is the answer or the problem with its remedy."""

    what: str
    found: str
    is_well: bool


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    summary = "check that everything Rockstate needs is there"
    more = " That is Python, Java, PySpark, the jar, and with a URI a place where checkpoints can be kept."
    parser = add_command(commands, "doctor", summary, _EXAMPLES, more)
    parser.add_argument("uri", nargs="?", help="a folder for checkpoints; a file is written there and deleted")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints what was found; 1 if something is amiss."""
    findings = []
    for finding in check(args.uri):
        mark = "ok     " if finding.is_well else "PROBLEM"
        print(f"{mark} {finding.what}: {finding.found}", flush=True)
        findings.append(finding)
    return 0 if all(finding.is_well for finding in findings) else 1


def check(uri: str | None = None) -> Iterator[Finding]:
    """Looks at one thing after the other; what needs a thing that is not well is not looked at."""
    yield Finding("Python", f"{platform.python_version()} ({sys.executable})", is_well=True)
    needed = [_look("Java", _java), _look("PySpark", _pyspark), _look("jar", lambda: str(jar_path()))]
    yield from needed
    if all(finding.is_well for finding in needed):
        jvm = _look("Spark's JVM with Rockstate", _jvm)
        yield jvm
        if uri is not None and jvm.is_well:
            yield _look("checkpoints", lambda: _probe(uri))


def _look(what: str, find: Callable[[], str]) -> Finding:
    try:
        return Finding(what, find(), is_well=True)
    except RockstateError as error:
        return Finding(what, str(error), is_well=False)


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


def _pyspark() -> str:
    spark_minor()
    return spark_version()


def _jvm() -> str:
    reader = gateway.checkpoint_reader()
    return f"starts, Spark {gateway.answer(reader.versions())['spark']}"


def _probe(uri: str) -> str:
    found = gateway.answer(gateway.checkpoint_reader().probe(uri))
    return f"can be kept in {found['location']} (a file was written, read, listed and deleted in {found['millis']} ms)"
