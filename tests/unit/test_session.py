from __future__ import annotations

import os
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import rockstate
from rockstate import InvalidOption, JarNotLoaded, SparkConnectUnsupported, configure, jar_path
from rockstate.cli import main
from rockstate.launch.versions import SPARK_MINORS, spark_minor
from rockstate.options.catalogue import UI_METRICS
from rockstate.options.keys import UI_METRICS_KEY
from rockstate.session import gateway
from rockstate.session.reading import reading_session

FORMAT_KEY = "spark.sql.streaming.stateStore.checkpointFormatVersion"
CODEC_KEY = "spark.sql.streaming.stateStore.compression.codec"


@pytest.fixture(autouse=True)
def no_spark(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A process without a JVM, and an environment that says nothing about Spark."""
    for name in ("SPARK_REMOTE", "SPARK_API_MODE", "SPARK_CONNECT_MODE_ENABLED", "PYSPARK_SUBMIT_ARGS", "SPARK_HOME"):
        monkeypatch.setenv(name, "")  # what configure sets is gone after the test
        monkeypatch.delenv(name)
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    monkeypatch.setattr(gateway, "is_jvm_running", lambda: False)
    monkeypatch.setattr(gateway, "is_context_active", lambda: False)


def submitted() -> str | None:
    return os.environ.get("PYSPARK_SUBMIT_ARGS")


def test_the_builder_gets_provider_jar_and_options() -> None:
    builder = SparkSession.builder.master("local[1]")
    assert configure(builder, memory_budget="64m") is builder
    assert submitted() == f"--jars {jar_path()} pyspark-shell"
    assert builder._options == {
        "spark.master": "local[1]",
        "spark.sql.streaming.stateStore.providerClass": "io.rockstate.RockStateStoreProvider",
        "spark.sql.streaming.stateStore.checkpointFormatVersion": str(SPARK_MINORS[spark_minor()].checkpoint_format),
        "spark.sql.streaming.stateStore.compression.codec": "zstd",
        "spark.sql.streaming.stateStore.rockstate.memoryBudget": str(64 * 1024 * 1024),
        UI_METRICS_KEY: ",".join(UI_METRICS),
    }


def test_metrics_that_something_else_names_for_the_ui_stay(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert configure(SparkSession.builder.config(UI_METRICS_KEY, "own"))._options[UI_METRICS_KEY] == "own"
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", f"--conf {UI_METRICS_KEY}=own pyspark-shell")
    assert UI_METRICS_KEY not in configure(SparkSession.builder)._options
    monkeypatch.delenv("PYSPARK_SUBMIT_ARGS")
    (tmp_path / "spark-defaults.conf").write_text(f"{UI_METRICS_KEY} own\n")
    assert UI_METRICS_KEY not in configure(SparkSession.builder)._options


def test_configuring_twice_is_configuring_once() -> None:
    once = configure(SparkSession.builder.config("spark.jars", "a.jar"))
    options, args = dict(once._options), submitted()
    assert configure(once)._options == options
    assert submitted() == args == f"--jars a.jar,{jar_path()} pyspark-shell"


def test_the_builders_own_jars_go_to_submit_args_lest_they_hide_those_of_packages() -> None:
    builder = configure(SparkSession.builder.config("spark.jars", "a.jar,b.jar").config("spark.jars.packages", "c:d:1"))
    assert submitted() == f"--jars a.jar,b.jar,{jar_path()} pyspark-shell"
    assert "spark.jars" not in builder._options
    assert builder._options["spark.jars.packages"] == "c:d:1"


def test_the_builders_checkpoint_format_and_codec_stay_unless_the_option_is_given() -> None:
    for name, key, own, given in (
        ("checkpoint_format_version", FORMAT_KEY, "1", "2"),
        ("compression_codec", CODEC_KEY, "lz4", "snappy"),
    ):
        assert configure(SparkSession.builder.config(key, own))._options[key] == own
        assert configure(SparkSession.builder.config(key, own), **{name: given})._options[key] == given


def test_jars_of_spark_defaults_stay_unless_the_builder_overrides_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "spark-defaults.conf").write_text("spark.jars default.jar\n")
    configure(SparkSession.builder)
    assert submitted() == f"--jars default.jar,{jar_path()} pyspark-shell"
    monkeypatch.delenv("PYSPARK_SUBMIT_ARGS")
    configure(SparkSession.builder.config("spark.jars", "mine.jar"))
    assert submitted() == f"--jars mine.jar,{jar_path()} pyspark-shell"


def test_jars_of_submit_args_stay_beside_the_builders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "--name n --jars a.jar --packages a:b:1 pyspark-shell")
    configure(SparkSession.builder.config("spark.jars", "b.jar"))
    assert submitted() == f"--jars b.jar,a.jar,{jar_path()} --name n --packages a:b:1 pyspark-shell"


def test_a_refused_option_leaves_the_builder_as_it_was() -> None:
    builder = SparkSession.builder.master("local[1]")
    with pytest.raises(InvalidOption):
        configure(builder, memory_budget="1b")
    assert builder._options == {"spark.master": "local[1]"}
    assert submitted() is None


@pytest.mark.parametrize(("by_submit", "remedy"), [(True, "rockstate submit"), (False, "before the first getOrCreate")])
def test_a_jvm_without_the_jar_is_refused(monkeypatch: pytest.MonkeyPatch, by_submit: bool, remedy: str) -> None:
    monkeypatch.setattr(gateway, "is_jvm_running", lambda: True)
    monkeypatch.setattr(gateway, "is_started_by_submit", lambda: by_submit)
    monkeypatch.setattr(gateway, "loads_class", lambda name: False)
    with pytest.raises(JarNotLoaded, match=remedy):
        configure(SparkSession.builder)


def test_an_active_context_with_the_jar_gets_only_what_can_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway, "is_context_active", lambda: True)
    monkeypatch.setattr(gateway, "loads_class", lambda name: True)
    assert "spark.jars" not in configure(SparkSession.builder)._options
    assert submitted() is None


def test_a_thread_without_a_session_of_its_own_reads_with_the_one_there_is_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    applied: list[dict[str, str]] = []
    monkeypatch.setattr(gateway, "is_context_active", lambda: True)
    monkeypatch.setattr(gateway, "loads_class", lambda name: True)
    monkeypatch.setattr(SparkSession, "getActiveSession", lambda: None)
    monkeypatch.setattr(SparkSession.Builder, "getOrCreate", lambda builder: applied.append(builder._options))
    reading_session()
    assert applied == [{}]


def test_a_running_jvm_keeps_its_jars_and_the_builders_come_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway, "is_jvm_running", lambda: True)
    monkeypatch.setattr(gateway, "loads_class", lambda name: True)
    monkeypatch.setattr(gateway, "running_conf", lambda key: f"package.jar,{jar_path()}")
    assert configure(SparkSession.builder)._options["spark.jars"] == f"package.jar,{jar_path()}"
    builder = configure(SparkSession.builder.config("spark.jars", "mine.jar"))
    assert builder._options["spark.jars"] == f"mine.jar,package.jar,{jar_path()}"
    assert submitted() is None


def test_a_remote_builder_is_refused() -> None:
    # The real class cannot be imported without grpc, which Spark Connect alone needs.
    connect_class = type("Builder", (), {"__module__": "pyspark.sql.connect.session", "_options": {}})
    for builder in (SparkSession.builder.remote("sc://localhost"), connect_class()):
        with pytest.raises(SparkConnectUnsupported, match="Spark Connect"):
            configure(builder)


def test_connect_mode_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SparkConnectUnsupported):
        configure(SparkSession.builder.config("spark.api.mode", "connect"))
    monkeypatch.setenv("SPARK_REMOTE", "sc://localhost")
    with pytest.raises(SparkConnectUnsupported, match="SPARK_REMOTE"):
        configure(SparkSession.builder)


CONNECT = {"SPARK_REMOTE": "sc://localhost", "SPARK_API_MODE": "connect", "SPARK_CONNECT_MODE_ENABLED": "1"}


@pytest.mark.parametrize("name", CONNECT)
def test_a_connect_client_is_no_session_to_read_with(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, CONNECT[name])
    with pytest.raises(SparkConnectUnsupported, match="use a classic session"):
        reading_session()


@pytest.mark.parametrize("argv", [["rows", "/x"], ["fork", "/old", "/new"]], ids=" ".join)
def test_a_command_beside_connect_clients_has_a_session_of_its_own(
    monkeypatch: pytest.MonkeyPatch, argv: list[str]
) -> None:
    class Started(Exception):
        """It got as far as to a session."""

    def start(builder: SparkSession.Builder) -> None:
        raise Started(builder._options["spark.api.mode"], *(name for name in CONNECT if name in os.environ))

    for name, value in CONNECT.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(gateway, "start_quietly", lambda: None)
    monkeypatch.setattr(SparkSession.Builder, "getOrCreate", start)
    with pytest.raises(Started, match=r"^classic$"):
        main(argv)


def test_every_error_is_a_rockstate_error_with_problem_and_remedy() -> None:
    types = [getattr(rockstate, name) for name in rockstate.__all__ if isinstance(getattr(rockstate, name), type)]
    errors = [found for found in types if issubclass(found, Exception)]
    assert all(issubclass(error, rockstate.RockstateError) for error in errors)
    with pytest.raises(rockstate.RockstateError) as caught:
        configure(SparkSession.builder, nothing=1)
    assert str(caught.value) == f"{caught.value.problem}. {caught.value.remedy}."
