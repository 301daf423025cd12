"""Which settings are in force, and where they come from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rockstate import InvalidOption
from rockstate.cli import main
from rockstate.launch.versions import SUPPORTED_MINORS as MINORS
from rockstate.options.catalogue import OPTIONS, UI_METRICS
from rockstate.options.explain import Explanation
from rockstate.options.keys import PROVIDER_CLASS, PROVIDER_KEY, UI_METRICS_KEY
from rockstate.options.spark_confs import SPARK_CONFS

STATE_STORE = "spark.sql.streaming.stateStore."
BUDGET = STATE_STORE + "rockstate.memoryBudget"
RETAIN = "spark.sql.streaming.minBatchesToRetain"


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"SPARK_CONF_DIR": str(tmp_path)}


@pytest.fixture(autouse=True)
def spark_4_2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rockstate.launch.versions.launched_version", lambda: "4.2.1")


def write_defaults(environ: dict[str, str], *lines: str) -> None:
    Path(environ["SPARK_CONF_DIR"], "spark-defaults.conf").write_text("\n".join(lines), encoding="utf-8")


def test_without_anything_set_defaults_hold_but_for_what_rockstate_sets(environ: dict[str, str]) -> None:
    explanation = Explanation({}, environ)
    assert [setting.key for setting in explanation.settings] == [entry.key for entry in (*OPTIONS, *SPARK_CONFS)]
    assert explanation.problems == ()
    by_rockstate = {setting.key: setting.value for setting in explanation.settings if setting.source == "rockstate"}
    assert by_rockstate == {
        STATE_STORE + "providerClass": PROVIDER_CLASS,
        STATE_STORE + "checkpointFormatVersion": "2",
        STATE_STORE + "compression.codec": "zstd",
        UI_METRICS_KEY: ",".join(UI_METRICS),
    }
    others = [setting for setting in explanation.settings if setting.key not in by_rockstate]
    assert all(setting.source == "default" and setting.value == setting.default for setting in others)


def test_the_strongest_source_wins_and_the_others_are_told(environ: dict[str, str]) -> None:
    write_defaults(environ, f"{BUDGET} 1g", f"{RETAIN} 5", f"{STATE_STORE}checkpointFormatVersion 1")
    environ["PYSPARK_SUBMIT_ARGS"] = f"--conf {BUDGET}=2g pyspark-shell"
    explanation = Explanation({BUDGET: "3g"}, environ)
    budget = explanation.find("memory_budget")
    assert (budget.value, budget.source) == ("3g", "--conf")
    assert budget.overridden == {"spark-defaults.conf": "1g", "PYSPARK_SUBMIT_ARGS": "2g"}
    assert explanation.find("min_batches_to_retain").source == "spark-defaults.conf"
    version = explanation.find("checkpoint_format_version")
    assert (version.value, version.source, version.overridden) == ("2", "rockstate", {"spark-defaults.conf": "1"})
    assert explanation.problems == ()
    assert explanation.warnings == ()
    assert "counts where Python starts the program" in "".join(Explanation({}, environ).warnings)


@pytest.mark.parametrize(
    "name", ["memory_budget", BUDGET, "memoryBudget", "rockstate.memorybudget", "stateStore.rockstate.memoryBudget"]
)
def test_a_setting_is_found_by_any_of_its_names(environ: dict[str, str], name: str) -> None:
    assert Explanation({}, environ).find(name).key == BUDGET


def test_a_name_that_does_not_exist_is_refused_with_the_nearest(environ: dict[str, str]) -> None:
    with pytest.raises(InvalidOption, match=f"Did you mean {BUDGET}"):
        Explanation({}, environ).find("memory_buget")


@pytest.mark.parametrize(
    ("key", "near"),
    [
        (STATE_STORE + "rockstate.memoryBuget", BUDGET),
        (STATE_STORE + "rockstate.memory_budget", BUDGET),
        ("spark.rockstate.fetchThreads", STATE_STORE + "rockstate.fetchThreads"),
        (STATE_STORE + "minDeltaForSnapshot", STATE_STORE + "minDeltasForSnapshot"),
        (BUDGET.lower(), BUDGET),
        (STATE_STORE + "maintenanceinterval", STATE_STORE + "maintenanceInterval"),
        ("spark.sql.streaming.minBatchToRetain", RETAIN),
    ],
)
def test_a_misspelt_conf_is_named_with_the_nearest(environ: dict[str, str], key: str, near: str) -> None:
    write_defaults(environ, f"{key} 1")
    (problem,) = Explanation({}, environ).problems
    assert problem.startswith("spark-defaults.conf: ")
    assert key in problem
    assert f"Did you mean {near}?" in problem


def test_a_provider_named_in_spark_defaults_runs_with_sparks_defaults_and_a_warning_of_format_1(
    environ: dict[str, str],
) -> None:
    write_defaults(environ, f"{PROVIDER_KEY} {PROVIDER_CLASS}", f"{RETAIN} 5")
    explanation = Explanation({}, environ)
    assert explanation.launcher == "spark-submit"
    version, codec = explanation.find("checkpoint_format_version"), explanation.find("compression_codec")
    assert (version.value, version.source, version.default) == ("1", "default", "1")
    assert (codec.value, codec.source, codec.default) == ("lz4", "default", "lz4")
    assert explanation.find("min_batches_to_retain").value == "5"
    (warning,) = explanation.warnings
    assert warning.startswith(f"{version.key} is 1: ")
    assert explanation.problems == ()
    write_defaults(environ, f"{PROVIDER_KEY} {PROVIDER_CLASS}", f"{version.key} 2")
    assert Explanation({}, environ).warnings == ()


def test_who_starts_the_query_can_be_said(environ: dict[str, str]) -> None:
    write_defaults(environ, f"{PROVIDER_KEY} {PROVIDER_CLASS}")
    with_rockstate = Explanation({}, environ, "rockstate submit")
    assert with_rockstate.find("checkpoint_format_version").value == "2"
    assert with_rockstate.warnings == ()
    write_defaults(environ)
    (warning,) = Explanation({}, environ, "spark-submit").warnings
    assert "HDFSBackedStateStoreProvider" in warning
    assert Explanation({}, environ).warnings == ()


def test_format_1_is_warned_of_whoever_sets_it(environ: dict[str, str]) -> None:
    explanation = Explanation({STATE_STORE + "checkpointFormatVersion": "1"}, environ)
    assert (explanation.launcher, len(explanation.warnings)) == ("rockstate submit", 1)


def test_on_spark_4_0_format_1_is_the_default_with_its_reason_and_format_2_is_warned_of(
    environ: dict[str, str],
) -> None:
    explanation = Explanation({}, environ, spark="4.0.4")
    version = explanation.find("checkpoint_format_version")
    assert (version.value, version.source, version.default) == ("1", "rockstate", "1")
    assert "by default on Spark 4.0: Spark 4.0's state data source" in version.meaning
    assert explanation.warnings == ()
    (warning,) = Explanation({version.key: "2"}, environ, spark="4.0").warnings
    assert warning.startswith(f"{version.key} is 2: Spark 4.0's state data source")
    assert "by default on" not in Explanation({}, environ, spark="4.1").find("checkpoint_format_version").meaning


def test_confs_that_a_spark_does_not_have_are_not_shown_and_not_taken_for_misspelt_ones(
    environ: dict[str, str],
) -> None:
    shown = {spark: {setting.key for setting in Explanation({}, environ, spark=spark).settings} for spark in MINORS}
    assert [len(shown[spark]) for spark in MINORS] == sorted(len(keys) for keys in shown.values())
    assert STATE_STORE + "unloadOnCommit" in shown["4.1"] - shown["4.0"]
    assert STATE_STORE + "rowChecksum.enabled" in shown["4.2"] - shown["4.1"]
    assert Explanation({STATE_STORE + "rowChecksum.enabled": "true"}, environ, spark="4.0").problems == ()


def test_what_is_not_of_the_state_store_is_nobodys_business(environ: dict[str, str]) -> None:
    assert Explanation({"spark.executor.memory": "1g", STATE_STORE + "mine": "1"}, environ).problems == ()


@pytest.mark.parametrize(
    ("key", "value", "is_valid"),
    [
        (BUDGET, "1m", False),
        (RETAIN, "none", False),
        (STATE_STORE + "ROCKSTATE.MEMORYBUDGET", "1g", True),
        (STATE_STORE + "compression.codec", "org.apache.spark.io.ZStdCompressionCodec", True),
    ],
)
def test_values_are_checked(environ: dict[str, str], key: str, value: str, is_valid: bool) -> None:
    problems = Explanation({key: value}, environ).problems
    assert (problems == ()) == is_valid


def test_on_a_terminal_prose_wraps_at_its_width(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "70")
    assert main(["explain-conf", "--all"]) == 0
    whole = capsys.readouterr().out
    assert max(map(len, whole.splitlines())) > 120, "a line for grep stays one"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert main(["explain-conf", "--all"]) == 0
    narrow = capsys.readouterr().out
    assert narrow.split() == whole.split()
    assert max(len(line) for line in narrow.splitlines() if " " in line.strip()) <= 70


def test_the_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, environ: dict[str, str]
) -> None:
    monkeypatch.setenv("SPARK_CONF_DIR", environ["SPARK_CONF_DIR"])
    assert main(["explain-conf"]) == 0
    shown = capsys.readouterr().out
    assert all(f"{option.name} = " in shown and option.meaning in shown for option in OPTIONS)
    assert "providerClass" not in shown
    assert main(["explain-conf", "--all", "--json", "--conf", f"{BUDGET}=1m"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert len(told["settings"]) == len(OPTIONS) + len(SPARK_CONFS)
    assert len(told["problems"]) == 1
    assert main(["explain-conf", "memory_budget", "-c", f"{BUDGET}=1g"]) == 0
    head, line = capsys.readouterr().out.splitlines()[:2]
    assert "rockstate submit" in head
    assert line == "memory_budget = 1g  from --conf (default: auto)"
    assert main(["explain-conf", "--conf", "nonsense"]) == 2
    assert "KEY=VALUE" in capsys.readouterr().err
