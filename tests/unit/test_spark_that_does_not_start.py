"""A Spark that does not start is told in one line, with what to look at."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from py4j.protocol import Py4JJavaError
from pyspark import SparkContext
from pyspark.sql import SparkSession

from rockstate.cli import main

MOVE = ["migrate", "/old", "/new", "--to", "rockstate"]


@pytest.fixture(autouse=True)
def no_spark(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A process without a JVM, and an environment that says nothing about Spark."""
    for name in ("PYSPARK_SUBMIT_ARGS", "SPARK_HOME", "PYSPARK_GATEWAY_PORT"):
        monkeypatch.setenv(name, "")  # what a command sets is gone after the test
        monkeypatch.delenv(name)
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    monkeypatch.setattr(SparkContext, "_gateway", None)
    monkeypatch.setattr(SparkContext, "_jvm", None)
    monkeypatch.setattr(SparkContext, "_active_spark_context", None)


@pytest.mark.parametrize("argv", [["inspect", "/x"], ["rows", "/x"], MOVE], ids=lambda argv: argv[0])
def test_a_folder_that_is_no_spark(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str], argv: list[str]
) -> None:
    monkeypatch.setenv("SPARK_HOME", str(tmp_path / "none"))
    assert main(argv) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"does not start: {tmp_path / 'none'}/./bin/spark-submit: No such file or directory. Set SPARK_HOME" in said


@pytest.mark.parametrize("argv", [["inspect", "/x"], MOVE], ids=lambda argv: argv[0])
def test_an_empty_spark_home_is_none(monkeypatch: pytest.MonkeyPatch, argv: list[str]) -> None:
    class Started(Exception):
        """It got as far as to Spark's JVM."""

    def launch(*_: object, **__: object) -> None:
        raise Started(os.environ.get("SPARK_HOME"))

    monkeypatch.setenv("SPARK_HOME", "")
    monkeypatch.setattr("pyspark.java_gateway.launch_gateway", launch)
    monkeypatch.setattr("pyspark.core.context.launch_gateway", launch)
    with pytest.raises(Started, match="None"):
        main(argv)


@pytest.mark.parametrize(
    ("java", "told"),
    [
        ("java.net.UnknownHostException: box: Name or service not known", "box: Name or service not known"),
        (
            "java.net.BindException: Cannot assign requested address: Service 'sparkDriver' failed after 16 retries!",
            "Cannot assign requested address: Service 'sparkDriver' failed after 16 retries",
        ),
        ("org.apache.spark.SparkException: Could not parse Master URL: 'local[x]'", "Could not parse Master URL"),
    ],
)
def test_what_spark_throws_while_it_starts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], java: str, told: str
) -> None:
    class JavaError(Py4JJavaError):  # type: ignore[misc]
        def __init__(self) -> None:
            """There is no Java object."""

        def __str__(self) -> str:
            return f"An error occurred while calling None.org.apache.spark.api.java.JavaSparkContext.\n: {java}\n\tat x"

    def fail(_: SparkSession.Builder) -> None:
        raise JavaError

    monkeypatch.setattr("rockstate.session.gateway.start_quietly", lambda: None)
    monkeypatch.setattr(SparkSession.Builder, "getOrCreate", fail)
    assert main(MOVE) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"rockstate: Spark does not start: {told}")
    assert said.count("\n") == 1
    assert "spark-defaults.conf" in said
