"""`rockstate submit` splits its own options from what spark-submit and the application get."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import rockstate
from rockstate.cli import main
from rockstate.launch.versions import jar_name, spark_minor
from rockstate.options.catalogue import confs


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """What would have been run."""
    ran: list[str] = []

    def run(words: list[str], **_: Any) -> SimpleNamespace:
        ran.extend(words)
        return SimpleNamespace(returncode=7)

    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    monkeypatch.delenv("SPARK_HOME", raising=False)
    monkeypatch.setattr("subprocess.run", run)
    return ran


def test_our_options_come_first_and_the_rest_is_passed_on_as_it_is(command: list[str]) -> None:
    theirs = ["--master", "local[2]", "app.py", "--memory-budget", "the app's own", "--jars", "its"]
    assert main(["submit", "--memory-budget", "64m", "--jars=mine.jar", *theirs]) == 7
    assert Path(command[0]).name == "spark-submit"
    assert Path(command[0]).is_file()
    assert command[-len(theirs) :] == theirs
    assert command[1:3] == ["--jars", f"mine.jar,{rockstate.jar_path()}"]
    assert {f"{key}={value}" for key, value in confs({"memory_budget": "64m"}, spark_minor()).items()} <= set(command)


def test_spark_home_is_what_runs_and_decides_the_jar(
    command: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    home, package = tmp_path / "spark", tmp_path / "package"
    for folder in (home / "jars", package / "jars"):
        folder.mkdir(parents=True)
    (home / "jars" / "spark-core_2.13-4.1.3.jar").touch()
    for minor in ("4.0", "4.1"):
        (package / "jars" / jar_name(minor)).touch()
    monkeypatch.setenv("SPARK_HOME", str(home))
    monkeypatch.setattr("rockstate.launch.jars.PACKAGE", package)
    assert main(["submit", "app.py"]) == 7
    assert command[:3] == [str(home / "bin" / "spark-submit"), "--jars", str(package / "jars" / jar_name("4.1"))]
    command.clear()
    assert main(["submit", "--spark", "4.0.4", "--master", "yarn", "app.py"]) == 7
    assert command[2] == str(package / "jars" / jar_name("4.0"))
    assert "spark.sql.streaming.stateStore.checkpointFormatVersion=1" in command
    assert command[-3:] == ["--master", "yarn", "app.py"]


def test_jars_that_would_replace_ours_are_refused(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["submit", "--master", "local", "--jars", "mine.jar", "app.py"]) == 1
    assert "--jars first" in capsys.readouterr().err
    assert not command


@pytest.mark.parametrize("argv", [[], ["--memory-budget", "64m"]])
def test_without_an_application_it_says_how_to_call_it(
    command: list[str], capsys: pytest.CaptureFixture[str], argv: list[str]
) -> None:
    assert main(["submit", *argv]) == 2
    assert "rockstate submit app.py" in capsys.readouterr().err
    assert not command
