"""`rows` and `changes` say what was asked for wrongly and what there is, without a stack trace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from tests.integration.logics import Count
from tests.integration.minors import require_join_state_format, skip_before
from tests.integration.moves import SetConf
from tests.integration.processors import FORMS
from tests.integration.streams import EventFiles, Output, hours_of_events, run_to_end
from tests.integration.test_join import STATE_FORMAT, STATE_FORMAT_4_ENABLED

from rockstate import Checkpoint, Misuse, NotFound
from rockstate.cli import main

BATCHES = 2
NO_FOLDER_TOLD = "StateSchemaCompatibilityChecker makes the folder of a store that it only looks for"
SIDES = "left-keyToNumValues, left-keyWithIndexToValue, right-keyToNumValues, right-keyWithIndexToValue"
JOIN_STORES = {
    2: SIDES,
    3: SIDES,
    4: "left-keyWithTsToValues, left-tsWithKey, right-keyWithTsToValues, right-tsWithKey",
}
"""By state format."""
CHECKPOINTS = ("counts", "join", "variables")


def self_join(events: DataFrame) -> DataFrame:
    left = events.withWatermark("time", "1 hour").select("id", F.col("time").alias("t1"))
    right = events.withWatermark("time", "1 hour").select(F.col("id").alias("other"), F.col("time").alias("t2"))
    return left.join(right, F.expr("id = other and t1 = t2")).select("id")


@pytest.fixture(scope="module")
def folder(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Holds the checkpoints of an aggregation, a join and transformWithState."""
    folder = tmp_path_factory.mktemp("checkpoints")
    files = EventFiles(folder / "events")
    for events in hours_of_events(BATCHES):
        files.add(events)
    stream = files.stream(spark)
    counts = stream.groupBy("key").agg(F.count("*").alias("n"))
    variables = FORMS[0].run(stream.select("key", "id", "value").groupBy("key"), Count(), "none")
    for name, result, mode in zip(
        CHECKPOINTS, (counts, self_join(stream), variables), ("update", "append", "append"), strict=True
    ):
        run_to_end(Output().writer(result, mode), str(folder / name))
    return folder


@pytest.mark.parametrize(
    ("name", "asked", "said"),
    [
        ("counts", {"store": "nosuch"}, r"no store nosuch\. Its stores are: default"),
        ("counts", {"operator": 7}, r"no operator 7\. .*: 0 \(stateStoreSave\)"),
        ("counts", {"batchId": 77}, r"no committed batch 77\. The last one is 1"),
        ("counts", {"batchId": -1}, r"no committed batch -1"),
        ("counts", {"batchId": "x"}, r"no committed batch x"),
        ("counts", {"joinSide": "left"}, r"joinSide=left"),
        ("counts", {"stateVarName": "count"}, r"stateVarName=count.*only supported with the transformWithState"),
        ("join", {}, r"no store default\. .*left-keyToNumValues.*joinSide=left"),
        ("join", {"joinSide": "up"}, r"Valid values are left,right,none"),
        ("variables", {}, r"has state variables, which are read one by one\. .*stateVarName=NAME.*: count, dropped"),
        ("variables", {"stateVarName": "nosuch"}, r"no state variable nosuch\. .*: count, dropped"),
    ],
)
def test_rows_that_are_not_there(folder: Path, name: str, asked: dict[str, Any], said: str) -> None:
    if asked.keys() & {"store", "operator"}:
        skip_before("4.1" if "store" in asked else "4.2", NO_FOLDER_TOLD)
    if name == "counts" and "stateVarName" in asked:
        skip_before("4.2", "StateDataSource only says `requirement failed`")
    with pytest.raises(Misuse, match=said) as refused:
        Checkpoint(folder / name).rows(**asked)
    assert "\n" not in str(refused.value)
    assert "SQLSTATE" not in str(refused.value)


@pytest.mark.usefixtures("spark_logs")
@pytest.mark.parametrize("version", JOIN_STORES)
def test_a_join_names_its_stores(
    folder: Path,
    spark: SparkSession,
    with_conf: SetConf,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    version: int,
) -> None:
    require_join_state_format(version)
    stores = JOIN_STORES[version]
    with_conf(STATE_FORMAT, str(version))
    with_conf(STATE_FORMAT_4_ENABLED, "true")
    files = EventFiles(folder / "events")
    run_to_end(Output().writer(self_join(files.stream(spark)), "append"), str(tmp_path))
    checkpoint = Checkpoint(tmp_path)
    for store in ("default", "nosuch"):
        said = rf"has no store {store}\. Its stores are: {stores}"
        with pytest.raises(Misuse, match=rf"{said}; the rows of a side"):
            checkpoint.rows(store=store)
        with pytest.raises(Misuse, match=rf"{said}\.$"):
            checkpoint.changes(0, 1, store=store)
    with pytest.raises(Misuse, match=rf"by store, not by side of a join\. Its stores are: {stores}\.$"):
        checkpoint.changes(0, 1, joinSide="left")
    for store in stores.split(", "):
        assert 0 < checkpoint.rows(store=store).count() <= checkpoint.changes(0, store=store).count()
    with_conf(STATE_FORMAT_4_ENABLED, "false")
    assert main(["rows", str(tmp_path), "--option", "joinSide=left"]) == (1 if version == 4 else 0)
    assert (f"give --conf {STATE_FORMAT_4_ENABLED}=true" in capsys.readouterr().err) == (version == 4)


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [(77, None, "no committed batch 77"), (0, 77, "no committed batch 77"), (-1, None, "batch -1"), (1, 0, "in order")],
)
def test_changes_that_are_not_there(folder: Path, first: int, last: int | None, said: str) -> None:
    with pytest.raises(Misuse, match=said):
        Checkpoint(folder / "counts").changes(first, last)


@pytest.mark.parametrize("name", ["nowhere", "events"])
def test_no_checkpoint(folder: Path, name: str) -> None:
    with pytest.raises(NotFound, match="checkpointLocation"):
        Checkpoint(folder / name).rows()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--store", "nosuch"], "no store nosuch"),
        (["--where", "value.count >"], "Syntax error at or near end of input"),
        (["--where", "nosuch > 1"], "`nosuch` cannot be resolved"),
        (["--key", "nosuch=1"], "No such struct field `nosuch`"),
        (["--where", "assert_true(false) is null"], "'false' is not true"),
        (["--json", "--where", "assert_true(false) is null"], "'false' is not true"),
    ],
)
@pytest.mark.usefixtures("spark_logs")
def test_the_command_says_it_in_a_line(
    folder: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if "--store" in arguments:
        skip_before("4.1", NO_FOLDER_TOLD)
    assert main(["rows", str(folder / "counts"), *arguments]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("rockstate: ")
    assert said in line


@pytest.mark.usefixtures("spark_logs")
def test_the_command_says_which_state_cannot_be_loaded(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lost = next((folder / "counts/state/0/1").glob(f"{BATCHES}[._]*delta"))
    aside = lost.rename(tmp_path / "aside")
    try:
        assert main(["rows", str(folder / "counts")]) == 1
    finally:
        aside.rename(lost)
    (line,) = capsys.readouterr().err.splitlines()
    assert lost.name in line
    assert "Do not clear the checkpoint" in line


@pytest.mark.usefixtures("spark_logs")
def test_long_values_are_cut_in_a_table(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = spark.createDataFrame([("short", "a..." + "b" * 196), ("long", "c" * 201)], "key string, value string")
    monkeypatch.setattr(Checkpoint, "rows", lambda *_, **__: rows)
    assert main(["rows", "/checkpoint"]) == 0
    printed, said = capsys.readouterr()
    assert f"|{'c' * 197}...|" in printed and "b" * 196 in printed
    assert said == "What is longer than 200 characters is cut: --json and --key have it whole\n"
    assert main(["rows", "/checkpoint", "--json"]) == 0
    assert "c" * 201 in capsys.readouterr().out
    assert main(["rows", "/checkpoint", "--where", "key = 'short'"]) == 0
    assert not capsys.readouterr().err
