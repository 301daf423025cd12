from __future__ import annotations

import runpy
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / ".ci" / "scala_summary.py"))

TWO_MODULES = """\
[info] Suites: completed 3, aborted 0
[info] Tests: succeeded 10, failed 0, canceled 1, ignored 2, pending 3
[info] Suites: completed 1, aborted 0
[info] \x1b[32mTests: succeeded 5, failed 0, canceled 0, ignored 0, pending 0\x1b[0m
"""


ONE_FAILED = TWO_MODULES.replace("failed 0", "failed 1", 1)

TRACE = """sbt.ForkMain$ForkError: org.scalatest.exceptions.TestFailedException: 1 did not equal 2
== Results ==
\tat org.scalatest.Assertions.newAssertionFailedException(Assertions.scala:472)
\tat io.rockstate.TheSuite.$anonfun$new$1(TheSuite.scala:7)
\tat org.scalatest.Transformer.apply(Transformer.scala:22)
\tat io.rockstate.TheSuite.runTest(TheSuite.scala:3)
\tat io.rockstate.TheSuite.run(TheSuite.scala:3)
"""


def summary(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], log: str | None, reports: Sequence[str] = ()
) -> tuple[int, str]:
    file = tmp_path / "log"
    if log is not None:
        file.write_text(log)
    paths = [tmp_path / f"TEST-io.rockstate.Suite{number}.xml" for number in range(len(reports))]
    for path, report in zip(paths, reports, strict=True):
        path.write_text(report)
    code: int = SCRIPT["main"](file, [*paths, tmp_path / "*.xml"])
    return code, capsys.readouterr().out


def report(*cases: str, suite: str = "io.rockstate.TheSuite") -> str:
    return f'<?xml version="1.0"?><testsuite name="{suite}"><properties/>{"".join(cases)}</testsuite>'


def case(name: str, trace: str | None = None, kind: str = "failure") -> str:
    reason = "" if trace is None else f'<{kind} message="all in one line" type="T">{escape(trace)}</{kind}>'
    return f'<testcase classname="io.rockstate.TheSuite" name="{name}" time="0.1">{reason}</testcase>'


def test_the_modules_are_added_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert summary(tmp_path, capsys, TWO_MODULES) == (0, "scala: 15 passed, 0 failed, 6 skipped\n")


def test_a_failed_test_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = TWO_MODULES.replace("failed 0", "failed 2", 1)
    assert summary(tmp_path, capsys, log) == (1, "scala: 15 passed, 2 failed, 6 skipped\n")


def test_an_aborted_suite_counts_as_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = TWO_MODULES.replace("aborted 0", "aborted 1", 1)
    assert summary(tmp_path, capsys, log) == (1, "scala: 15 passed, 1 failed, 6 skipped\n")


@pytest.mark.parametrize("log", [None, "", "[error] compilation failed\n"])
def test_no_tests_at_all_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str], log: str | None) -> None:
    code, out = summary(tmp_path, capsys, log)
    assert code == 1
    assert out.endswith("scala: 0 passed, 0 failed, 0 skipped\n")


def test_a_failed_test_is_named_with_its_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = summary(tmp_path, capsys, ONE_FAILED, [report(case("one is one"), case("one is two", TRACE))])
    assert code == 1
    assert out.splitlines() == [
        "FAILED TheSuite: one is two",
        "  org.scalatest.exceptions.TestFailedException: 1 did not equal 2",
        "  == Results ==",
        "    at io.rockstate.TheSuite.$anonfun$new$1(TheSuite.scala:7)",
        "    at io.rockstate.TheSuite.runTest(TheSuite.scala:3)",
        "scala: 15 passed, 1 failed, 6 skipped",
    ]


def test_an_aborted_suite_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    aborted = case("(It is not a test it is a sbt.testing.SuiteSelector)", "java.lang.Error: no disk", kind="error")
    _, out = summary(tmp_path, capsys, ONE_FAILED, [report(aborted)])
    assert out.splitlines()[:2] == ["FAILED TheSuite: (the suite aborted)", "  java.lang.Error: no disk"]


def test_a_report_that_was_cut_off_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out = summary(tmp_path, capsys, ONE_FAILED, [report(case("one is one"))[:-20]])
    assert out.startswith("FAILED io.rockstate.Suite0: (no report)\n")


@pytest.mark.parametrize(("failed", "lines"), [(1, 15), (2, 15), (3, 10), (40, 0)])
def test_what_failed_fits_on_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], failed: int, lines: int
) -> None:
    cases = [case(f"test {number}", "\n".join(["x" * 1000] * 100)) for number in range(failed)]
    _, out = summary(tmp_path, capsys, ONE_FAILED, [report(*cases)])
    assert len(out.splitlines()) == failed * (1 + lines) + 1
    assert max(len(line) for line in out.splitlines()) <= 302


def test_without_a_failed_test_the_log_says_what_sbt_did_not_like(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out = summary(tmp_path, capsys, "[info] compiling\n[error] Core.scala:3: not found: value x\n[error] \n")
    assert (code, out) == (1, "[error] Core.scala:3: not found: value x\nscala: 0 passed, 0 failed, 0 skipped\n")
