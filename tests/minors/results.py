"""What the tests said of each row on each Spark minor: docs/compatibility.json, and how reports go into it."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.minors.operators import ROWS
from tests.minors.reports import Case, Reports, pyspark_reports, scala_reports, scala_suites

from rockstate.launch.versions import SUPPORTED_MINORS

LANGUAGES: Final = ("pyspark", "scala")

_READ: Final[dict[str, Callable[[Path, str], Reports]]] = {"pyspark": pyspark_reports, "scala": scala_reports}
_VERSIONS = (
    "import platform; from importlib.metadata import version; print(version('pyspark'), platform.python_version())"
)


class NoRow(Exception):
    """There are tests that no row counts."""


@dataclass(frozen=True)
class Counts:
    """How many tests passed, failed and, by reason, were skipped."""

    passed: int = 0
    failed: int = 0
    skipped: dict[str, int] = field(default_factory=dict)

    @property
    def all(self) -> int:
        return self.passed + self.failed + sum(self.skipped.values())


@dataclass(frozen=True)
class Run:
    """The tests of one language on one Spark minor.

    Attributes:
        time: when the last of its reports was begun.
        about: the releases of Spark and Python, and the commit.
        total: of all tests that a row counts.
        rows: by the row's name and the suite's; none if the suite left no report.
    """

    time: str
    about: dict[str, str]
    total: Counts
    rows: dict[str, dict[str, Counts | None]]

    @property
    def without_report(self) -> list[str]:
        return sorted({suite for suites in self.rows.values() for suite, counts in suites.items() if counts is None})


Results = dict[str, dict[str, Run]]
"""By minor and language."""


def read_run(root: Path, minor: str, language: str, before: Run | None) -> Run | None:
    """The run whose reports are in the source tree `root`; none if the tests were not run, or the provider's only.

    Args:
        before: what is known: the same run was of the commit that it was of then.

    Raises:
        NoRow: there are tests that no row counts.
    """
    reports = _READ[language](root, minor)
    expected = {suite for suite, runs in scala_suites(root, minor).items() if runs} if language == "scala" else set()
    found = {case.suite for case in reports.cases}
    of_operators = {suite for suite in expected if suite.startswith("operators.")}
    if reports.time is None or (of_operators and not of_operators & found):
        return None
    rows = {name: _of_row(name, language, reports.cases, expected - found) for name in ROWS}
    about = before.about if before and before.time == reports.time else _about(root, minor, language)
    return Run(
        reports.time, about, _count(_counted(language, reports.cases)), {n: row for n, row in rows.items() if row}
    )


def _of_row(name: str, language: str, cases: Iterable[Case], missing: Iterable[str]) -> dict[str, Counts | None]:
    row, of_suites = ROWS[name], dict[str, list[Case]]()
    for case in cases:
        if row.has(language, case.suite, case.name):
            of_suites.setdefault(case.suite, []).append(case)
    found: dict[str, Counts | None] = {suite: _count(of_suites[suite]) for suite in sorted(of_suites)}
    found |= {suite: None for suite in sorted(missing) if row.has(language, suite, "")}
    if not found and language == "pyspark":
        found = {pattern.partition("::")[0]: None for pattern in row.pyspark}
    return found


def _counted(language: str, cases: Iterable[Case]) -> list[Case]:
    """The tests that a row counts; only those of the package by itself may be in none."""
    kept, lost = [], set()
    for case in cases:
        if any(row.has(language, case.suite, case.name) for row in ROWS.values()):
            kept.append(case)
        elif not case.suite.startswith(("unit/", "launch/", "conformance/")):
            lost.add(f"{case.suite}::{case.name}")
    if lost:
        raise NoRow(f"No row of tests/minors/operators.py counts {', '.join(sorted(lost))}.")
    return kept


def _count(cases: Sequence[Case]) -> Counts:
    outcomes = Counter(case.outcome for case in cases)
    reasons = Counter(case.reason for case in cases if case.outcome == "skipped")
    return Counts(outcomes["passed"], outcomes["failed"], dict(sorted(reasons.items())))


def _about(root: Path, minor: str, language: str) -> dict[str, str]:
    commit = _said("git", "--no-optional-locks", "-C", str(root), "describe", "--always", "--dirty", "--exclude=*")
    if language == "scala":
        table = (root / "project/SparkVersions.scala").read_text(encoding="utf-8")
        return {"spark": re.findall(rf'SparkVersion\("{minor}", "([^"]+)"', table)[0], "commit": commit}
    environment = root / f".venv-{minor}"
    python = (environment if environment.is_dir() else root / ".venv") / "bin/python"
    spark, version = _said(str(python), "-c", _VERSIONS).split()
    if not spark.startswith(f"{minor}."):
        raise RuntimeError(f"There is no environment with PySpark {minor}: {python.parent.parent.name} has {spark}.")
    return {"spark": spark, "python": version, "commit": commit}


def _said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def load(file: Path) -> Results:
    """The results in a file; none if it is not there."""
    data = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return {minor: {language: _run(run) for language, run in runs.items()} for minor, runs in data.items()}


def _run(data: dict[str, Any]) -> Run:
    rows = {
        name: {suite: None if counts is None else Counts(**counts) for suite, counts in suites.items()}
        for name, suites in data["rows"].items()
    }
    return Run(data["time"], data["about"], Counts(**data["total"]), rows)


def save(results: Results, file: Path) -> None:
    """Writes the results, a line for each suite."""
    data = {
        minor: {language: asdict(results[minor][language]) for language in LANGUAGES if language in results[minor]}
        for minor in SUPPORTED_MINORS
        if minor in results
    }
    file.write_text(f"{_json(data)}\n", encoding="utf-8")


def _json(value: Any, depth: int = 0) -> str:
    if not isinstance(value, dict) or depth == 5:
        return json.dumps(value, ensure_ascii=False)
    lines = (f"{'  ' * (depth + 1)}{json.dumps(key)}: {_json(each, depth + 1)}" for key, each in value.items())
    return "{\n" + ",\n".join(lines) + f"\n{'  ' * depth}}}"
