from __future__ import annotations

import runpy
from pathlib import Path

import pytest

SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / ".ci" / "scala_summary.py"))

TWO_MODULES = """\
[info] Suites: completed 3, aborted 0
[info] Tests: succeeded 10, failed 0, canceled 1, ignored 2, pending 3
[info] Suites: completed 1, aborted 0
[info] \x1b[32mTests: succeeded 5, failed 0, canceled 0, ignored 0, pending 0\x1b[0m
"""


def summary(tmp_path: Path, capsys: pytest.CaptureFixture[str], log: str | None) -> tuple[int, str]:
    file = tmp_path / "log"
    if log is not None:
        file.write_text(log)
    code: int = SCRIPT["main"](file)
    return code, capsys.readouterr().out


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
    assert summary(tmp_path, capsys, log) == (1, "scala: 0 passed, 0 failed, 0 skipped\n")
