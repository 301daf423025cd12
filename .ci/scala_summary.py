"""Names the Scala tests that failed and ends with one line, `scala: N passed, N failed, N skipped`.

The sums are those of ScalaTest's summaries in an sbt log, the failures those of sbt's JUnit reports: suites of two JVMs
run into each other in the log. Exits with 1 if a test failed, a suite aborted, or no test ran at all.
"""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
TESTS = re.compile(r"Tests: succeeded (\d+), failed (\d+), canceled (\d+), ignored (\d+), pending (\d+)")
SUITES = re.compile(r"Suites: completed \d+, aborted (\d+)")
ERROR = re.compile(r"^\[error\] .*\S", re.MULTILINE)

LINES_OF_A_FAILURE = 15
LINES_OF_ALL_FAILURES = 30
FRAMES_OF_A_CAUSE = 2
CHARACTERS_OF_A_LINE = 300


class Failure(NamedTuple):
    """A test that failed, or a suite that aborted, with the lines that say why."""

    suite: str
    test: str
    message: list[str]


def count(text: str) -> tuple[int, int, int]:
    """Tests passed, failed (an aborted suite counts as one) and skipped (canceled, ignored or pending)."""
    runs = [[int(number) for number in run] for run in TESTS.findall(text)]
    aborted = sum(int(number) for number in SUITES.findall(text))
    return sum(r[0] for r in runs), sum(r[1] for r in runs) + aborted, sum(sum(r[2:]) for r in runs)


def failures(report: Path) -> Iterator[Failure]:
    """What failed in one suite; a report that is no XML (its JVM was killed) counts as a failure."""
    try:
        cases = list(ElementTree.parse(report).getroot().iter("testcase"))
    except ElementTree.ParseError as error:
        yield Failure(report.stem.removeprefix("TEST-"), "(no report)", [str(error)])
        return
    for case in cases:
        for reason in (*case.findall("failure"), *case.findall("error")):
            name = case.get("name", "")
            test = "(the suite aborted)" if "SuiteSelector" in name else name
            yield Failure(case.get("classname", "").rpartition(".")[2], test, message(reason.text or ""))


def message(trace: str) -> list[str]:
    """The lines of a stack trace without its frames, but for the first of our own code: there is little room."""
    told: list[str] = []
    frames = 0
    for line in trace.replace("sbt.ForkMain$ForkError: ", "").splitlines():
        is_frame = line.startswith("\tat ")
        is_ours = is_frame and "rockstate" in line
        frames = frames + is_ours if is_frame else 0
        if line.strip() and (not is_frame or (is_ours and frames <= FRAMES_OF_A_CAUSE)):
            told.append(line.replace("\t", "  ")[:CHARACTERS_OF_A_LINE])
    return told


def describe(failed: list[Failure]) -> Iterator[str]:
    """A line for each failure and as many of its message as there is room for."""
    room = min(LINES_OF_A_FAILURE, LINES_OF_ALL_FAILURES // max(1, len(failed)))
    for failure in failed:
        yield f"FAILED {failure.suite}: {failure.test}"
        yield from (f"  {line}" for line in failure.message[:room])


def main(log: Path, reports: Iterable[Path]) -> int:
    """Prints what failed and the sums of the file `log`, which may be missing, as may the reports."""
    text = COLOUR.sub("", log.read_text(encoding="utf-8", errors="replace")) if log.is_file() else ""
    failed_tests = [failure for report in sorted(reports) if report.is_file() for failure in failures(report)]
    # Without a failed test sbt may still have failed: a compiler's error, a format.
    errors = [] if failed_tests else ERROR.findall(text)[-LINES_OF_A_FAILURE:]
    for line in (*describe(failed_tests), *errors):
        print(line)
    passed, failed, skipped = count(text)
    print(f"scala: {passed} passed, {failed} failed, {skipped} skipped")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), [Path(report) for report in sys.argv[2:]]))
