"""The base install is PySpark and rich; what more is needed comes with extras, and errors say so."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import requires
from pathlib import Path

import pytest

PROVIDER = "io.rockstate.RockStateStoreProvider"


HIDE_HYPOTHESIS = """
import sys

class Hiding:
    def find_spec(self, name, *_):
        if name.partition(".")[0] == "hypothesis":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hiding())
"""


def without_hypothesis(statements: str) -> subprocess.CompletedProcess[str]:
    """Runs statements in a Python that finds no Hypothesis."""
    return subprocess.run(
        [sys.executable, "-c", HIDE_HYPOTHESIS + statements], capture_output=True, text=True, check=False
    )


def test_the_base_install_needs_pyspark_and_rich_only() -> None:
    base = [line for line in requires("rockstate") or [] if "extra ==" not in line]
    assert {re.split(r"[^\w-]", line)[0] for line in base} == {"pyspark", "rich"}


def test_the_suites_extra_is_hypothesis() -> None:
    extra = [line for line in requires("rockstate") or [] if re.search("extra == .conformance.", line)]
    assert [re.split(r"[^\w-]", line)[0] for line in extra] == ["hypothesis"]


def test_only_random_histories_import_hypothesis() -> None:
    done = without_hypothesis(
        "import importlib, pkgutil, rockstate\n"
        "for module in pkgutil.walk_packages(rockstate.__path__, 'rockstate.'):\n"
        "    if not module.name.startswith('rockstate.demo.') and module.name != 'rockstate.__main__':\n"
        "        try:\n"
        "            importlib.import_module(module.name)\n"
        "        except ModuleNotFoundError as error:\n"
        "            assert 'hypothesis' in str(error), error\n"
        "            print(module.name)\n"
    )
    assert done.returncode == 0, done.stderr
    histories = "rockstate.conformance.histories."
    assert done.stdout.split() == [histories + name for name in ("attempt", "machine", "operations", "search")]


@pytest.mark.parametrize(
    "command",
    [
        ["--help"],
        ["jar"],
        ["conf", "--memory-budget", "64m"],
        ["explain-conf"],
        ["conformance", "--rules"],
        ["submit", "--version"],
        *([name, "--help"] for name in ("inspect", "verify", "doctor", "top", "conformance")),
    ],
    ids=" ".join,
)
def test_commands_work_without_hypothesis(command: list[str]) -> None:
    done = without_hypothesis(f"from rockstate.cli import main; sys.exit(main({command}))")
    assert done.returncode == 0, done.stderr


def test_the_command_says_what_to_install() -> None:
    command = ["conformance", "--provider", PROVIDER]
    done = without_hypothesis(f"from rockstate.cli import main; sys.exit(main({command}))")
    assert done.returncode == 2
    assert done.stderr.endswith("Install it: pip install 'rockstate[conformance]'.\n")
    assert done.stderr.count("\n") == 1


def test_the_suite_under_pytest_says_what_to_install(tmp_path: Path) -> None:
    words = ["-p", "rockstate.pytest_plugin", "--pyargs", "rockstate.conformance", "--provider-class", PROVIDER]
    done = without_hypothesis(f"import pytest; sys.exit(pytest.main({[*words, f'--rootdir={tmp_path}']}))")
    assert done.returncode != 0
    assert "pip install 'rockstate[conformance]'" in done.stdout + done.stderr
