"""`pytest -p rockstate.pytest_plugin --pyargs rockstate.conformance`: its options, and one test a check."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rockstate.conformance import all_checks


def collected(folder: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    """What pytest finds, run in an empty folder as users do."""
    words = ["-p", "rockstate.pytest_plugin", "--pyargs", "rockstate.conformance", "--collect-only", "-q", *argv]
    return run_pytest(folder, *words)


def run_pytest(folder: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *argv],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_there_is_one_test_a_check(tmp_path: Path) -> None:
    done = collected(tmp_path, "--provider-class", "org.example.Provider")
    tests = [line for line in done.stdout.splitlines() if "test_provider[" in line]
    assert [line.split("[")[1].rstrip("]") for line in tests] == [f"{c.rule.id}-{c.name}" for c in all_checks()]


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ((), "--provider-class CLASS"),
        (("--provider-class", "x", "--provider-only", "R99"), "There is no rule R99"),
        (("--provider-class", "x", "--provider-conf", "key"), "'key' is no conf"),
        (("--provider-class", "x", "--provider-checkpoint-format", "3"), "invalid choice"),
    ],
)
def test_wrong_options_are_said_in_a_line(tmp_path: Path, argv: tuple[str, ...], message: str) -> None:
    done = collected(tmp_path, *argv)
    assert done.returncode != 0
    assert message in done.stdout + done.stderr


def test_a_users_pytest_has_no_options_of_ours_unless_asked(tmp_path: Path) -> None:
    assert "--provider" not in run_pytest(tmp_path, "--help").stdout
    assert "--provider-class" in run_pytest(tmp_path, "-p", "rockstate.pytest_plugin", "--help").stdout


def test_without_the_plugin_it_says_what_is_missing(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, "--pyargs", "rockstate.conformance")
    assert done.returncode != 0
    assert "-p rockstate.pytest_plugin" in done.stdout + done.stderr
