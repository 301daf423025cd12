"""What `rockstate doctor` finds before it starts a JVM, and what it calls doubtful."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rockstate.cli import doctor, main
from rockstate.launch.versions import SUPPORTED_MINORS, jar_name, launched_version


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A package with all jars, a Java, and a JVM that would start."""
    for name in ("SPARK_HOME", "PYSPARK_GATEWAY_PORT"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "jars").mkdir()
    for minor in SUPPORTED_MINORS:
        (tmp_path / "jars" / jar_name(minor)).touch()
    monkeypatch.setattr("rockstate.launch.jars.PACKAGE", tmp_path)
    monkeypatch.setattr(doctor, "_java", lambda: "17 (java)")
    monkeypatch.setattr(doctor, "_jvm", lambda: "starts")


def marks(spark: str | None = None) -> dict[str, str]:
    return {finding.what: finding.mark.strip() for finding in doctor.check(spark=spark)}


def test_a_bar_is_shown_while_it_looks_and_none_while_it_tells(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Bar:
        is_shown = False

        def __init__(self, _: str) -> None:
            """It has a title."""

        def __enter__(self) -> None:
            Bar.is_shown = True

        def __exit__(self, *_: object) -> None:
            Bar.is_shown = False

    def jvm() -> str:
        assert Bar.is_shown
        return "starts"

    def printed(*_: object, **__: object) -> None:
        assert not Bar.is_shown
        told.append("line")

    told: list[str] = []
    monkeypatch.setattr(doctor, "Bar", Bar)
    monkeypatch.setattr(doctor, "_jvm", jvm)
    monkeypatch.setattr("builtins.print", printed)
    assert main(["doctor"]) == 0
    assert len(told) == 5


def test_without_a_spark_named_the_one_here_is_looked_at() -> None:
    assert marks() == dict.fromkeys(("Python", "Java", "Spark", "jar", "Spark's JVM with Rockstate"), "ok")


def test_another_sparks_jar_is_looked_at_and_no_jvm_is_started() -> None:
    findings = {finding.what: finding for finding in doctor.check(spark="4.1.3")}
    assert Path(findings["jar"].found).name == jar_name("4.1")
    jvm = findings["Spark's JVM with Rockstate"]
    assert jvm.mark == "WARNING"
    assert launched_version() in jvm.found


def test_a_spark_without_a_jar_is_a_problem() -> None:
    found = marks("4.0.0")
    assert found["jar"] == "PROBLEM"
    assert "Spark's JVM with Rockstate" not in found


def test_a_python_that_is_too_old_for_that_spark_is_doubtful(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 0))
    assert marks("4.2.1")["Python"] == "ok"
    python = next(doctor.check(spark="4.3"))
    assert (python.mark, python.is_well) == ("WARNING", True)
    assert python.found.endswith("; Spark 4.3 wants 3.11 to 3.14")


def test_a_python_that_is_too_new_for_that_spark_is_doubtful(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 14, 0))
    assert marks("4.2.1")["Python"] == "ok"
    assert next(doctor.check(spark="4.0")).found.endswith("; Spark 4.0 wants 3.10 to 3.13")


def test_what_needs_the_jvm_that_is_not_started_is_doubtful() -> None:
    findings = {finding.what: finding for finding in doctor.check("hdfs://nn/checkpoints", spark="4.1.3")}
    assert findings["checkpoints"].mark == "WARNING"
    assert "hdfs://nn/checkpoints was not tried" in findings["checkpoints"].found
