"""What the tests of PySpark and of Scala left behind on a Spark minor, as JUnit XML, and which suites Scala has."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, NamedTuple

from tests.minors.operators import OF_THE_TESTS

from rockstate.launch.versions import SUPPORTED_MINORS

LEFT_OUT = "ignored or canceled"
"""Why a Scala test was skipped: its report says no more."""

_ROCKSTATE = "org.apache.spark.sql.execution.streaming.state.rockstate"
_SUITE = re.compile(r"^(?:final )?class (\w*Suite\w*)", re.MULTILINE)


class Case(NamedTuple):
    """One test that was run; its suite is named as the patterns of `operators` name it."""

    suite: str
    name: str
    outcome: Literal["passed", "failed", "skipped"]
    reason: str = ""


class Reports(NamedTuple):
    """What one language's tests left behind; `time` is when the last report was begun, none if there is no report."""

    cases: list[Case]
    time: str | None


def pyspark_reports(root: Path, minor: str) -> Reports:
    """What pytest left in the source tree `root`."""
    return _read((root / "target").glob(f"junit-{minor}*.xml"))


def scala_reports(root: Path, minor: str) -> Reports:
    """What sbt left in the source tree `root`; reports of suites that are gone do not count."""
    folder, there = root / "jvm/spark/target" / f"spark-{minor}" / "test-reports", scala_suites(root, minor)
    return _read(file for file in folder.glob("TEST-*.xml") if _suite(_class_of(file)) in there)


def scala_suites(root: Path, minor: str) -> dict[str, bool]:
    """The suites that the source tree `root` has for a minor, and whether each is run without `rockstate.allTests`."""
    tests = root / "jvm/spark/src/test"
    folders = [tests / "scala", *(each for each in (tests / "shims").glob("spark-*") if _is_for(minor, each.name))]
    found = {}
    for folder in folders:
        for file in folder.rglob("*.scala"):
            room, *below = file.parent.relative_to(folder / _ROCKSTATE.replace(".", "/")).parts
            for name in _SUITE.findall(file.read_text(encoding="utf-8")):
                found[f"{room}.{name}"] = "extended" not in below
    return {suite: found[suite] for suite in found.keys() - OF_THE_TESTS}


def _is_for(minor: str, folder: str) -> bool:
    """Whether a folder of shims such as `spark-4.0-4.2` goes into a minor's jar."""
    first, *last = (SUPPORTED_MINORS.index(each) for each in folder.removeprefix("spark-").split("-"))
    return SUPPORTED_MINORS.index(minor) in range(first, (last or [first])[0] + 1)


def _read(files: Iterable[Path]) -> Reports:
    cases, times = list[Case](), [""]
    for file in sorted(files):
        try:
            root = ElementTree.parse(file).getroot()
        except ElementTree.ParseError as error:  # the process was killed
            cases.append(Case(_suite(_class_of(file)), "(the report)", "failed", str(error)))
            continue
        cases += [_case(each) for each in root.iter("testcase")]
        times += [suite.get("timestamp", "")[:19] for suite in root.iter("testsuite")]
    return Reports(cases, max(times) or None)


def _case(case: ElementTree.Element) -> Case:
    suite, name = _suite(case.get("classname", "")), case.get("name", "")
    if not suite:  # a module of pytest's that could not be read, or is left out whole
        suite, name = _suite(name), ""
    if case.find("failure") is not None or case.find("error") is not None:
        return Case(suite, name, "failed")
    skipped = case.find("skipped")
    return Case(suite, name, "passed") if skipped is None else Case(suite, name, "skipped", _reason(skipped))


def _reason(skipped: ElementTree.Element) -> str:
    return skipped.get("message", LEFT_OUT)


def _class_of(report: Path) -> str:
    return report.stem.removeprefix("TEST-")


def _suite(name: str) -> str:
    """`integration/test_limit` of `tests.integration.test_limit`, `operators.LimitSuite` of a class in that room.

    A class of Python's tests is part of its file.
    """
    if name.startswith(_ROCKSTATE):
        room, *_, suite = name.removeprefix(f"{_ROCKSTATE}.").split(".")
        return f"{room}.{suite}"
    return name.removeprefix("tests.").partition(".Test")[0].replace(".", "/")
