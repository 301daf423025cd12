"""What the Spark is started with that a command reads a checkpoint by."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

import pytest

from rockstate.cli import main
from rockstate.launch.submit import SUBMIT_ARGS, submit_args_adding, submit_args_confs, submit_args_jars
from rockstate.session import first_words

ARGUMENTS = {
    "inspect": ["CHECKPOINT"],
    "verify": ["CHECKPOINT"],
    "rows": ["CHECKPOINT"],
    "changes": ["CHECKPOINT", "1"],
    "doctor": [],
    "migrate": ["OLD", "NEW", "--to", "rockstate"],
    "repartition": ["OLD", "NEW", "--partitions", "4"],
    "fork": ["OLD", "NEW"],
    "rollback": ["CHECKPOINT", "--undo"],
    "export": ["CHECKPOINT", "OUT"],
    "bootstrap": ["NEW", "--like", "OLD", "--table", "t=files"],
}
BRIEF = {"inspect", "rows", "changes", "doctor"}
JAVA_OPTIONS = "spark.driver.defaultJavaOptions"


class Started(Exception):
    """A command got as far as to its Spark."""


@pytest.fixture(autouse=True)
def no_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    def started(*_: object) -> None:
        raise Started

    monkeypatch.setattr("rockstate.session.gateway.checkpoint_reader", started)
    monkeypatch.setattr("rockstate.cli.rows.start_quietly", started)
    monkeypatch.setattr("rockstate.session.gateway.start_quietly", started)
    for module in ("inspection.checkpoint", "moving.moves"):
        monkeypatch.setattr(f"rockstate.{module}.reading_session", started)
    monkeypatch.setenv(SUBMIT_ARGS, "--packages a:old:1 pyspark-shell")


@pytest.mark.parametrize("command", ARGUMENTS)
def test_every_command_that_reads_a_checkpoint_starts_its_spark_with_them(command: str) -> None:
    flags = ["--jars", "my own.jar", "--packages", "a:b:1", "--conf", "spark.a=1", "-c", "spark.b=x y"]
    with pytest.raises(Started):
        main([command, *ARGUMENTS[command], *flags])
    assert submit_args_jars(os.environ) == "my own.jar"
    confs = submit_args_confs(os.environ)
    assert confs.pop(JAVA_OPTIONS, None) == ("-XX:TieredStopAtLevel=1" if command in BRIEF else None)
    assert confs == {"spark.a": "1", "spark.b": "x y"}
    words = shlex.split(os.environ[SUBMIT_ARGS])
    assert words[:2] == ["--packages", "a:old:1"], "spark-submit takes the last"
    assert words[words.index("a:b:1") - 1] == "--packages"
    assert words[-1] == "pyspark-shell"


def test_without_them_nothing_changes() -> None:
    with pytest.raises(Started):
        main(["verify", "CHECKPOINT"])
    assert os.environ[SUBMIT_ARGS] == "--packages a:old:1 pyspark-shell"


def test_a_command_that_a_submitted_job_runs_starts_a_spark_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PYSPARK_GATEWAY_PORT", "PYSPARK_GATEWAY_SECRET"):
        monkeypatch.setenv(name, "1")
    with pytest.raises(Started):
        main(["verify", "CHECKPOINT"])
    assert not [name for name in os.environ if name.startswith("PYSPARK_GATEWAY")]


def test_java_options_of_the_users_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SUBMIT_ARGS, f"--conf {JAVA_OPTIONS}=-Xss4m pyspark-shell")
    with pytest.raises(Started):
        main(["inspect", "CHECKPOINT"])
    assert submit_args_confs(os.environ)[JAVA_OPTIONS] == "-Xss4m"


def test_a_conf_that_spark_would_pass_over_is_refused_with_the_name_that_it_reads(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["inspect", "CHECKPOINT", "--conf", "fs.s3a.endpoint=URL"]) == 2
    assert "--conf spark.hadoop.fs.s3a.endpoint=VALUE" in capsys.readouterr().err


@pytest.mark.parametrize(("before", "wanted"), [("pyspark-shell", "-x pyspark-shell"), ("--name a", "-x --name a")])
def test_they_come_before_what_is_run(before: str, wanted: str) -> None:
    assert submit_args_adding({SUBMIT_ARGS: before}, ["-x"]) == wanted
    assert submit_args_adding({}, ["-x"]) == "-x pyspark-shell"


def test_the_first_words_of_a_process_are_kept_and_the_rest_is_taken() -> None:
    said = first_words.FirstWords()
    code = "import sys; sys.stderr.write('first ' + 'x' * 1_000_000)"
    done = subprocess.run([sys.executable, "-c", code], stderr=said.pipe, timeout=60, check=False)
    assert done.returncode == 0
    text = said.text()
    assert text.startswith("first x")
    assert len(text) == first_words._KEPT
