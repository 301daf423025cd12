"""Whether `verify` understands queries of every form: limits, joins, transformWithState, one that runs meanwhile."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from tests.integration.logics import Count
from tests.integration.minors import require_join_state_format, skip_before
from tests.integration.processors import FORMS
from tests.integration.streams import (
    TIMEOUT_SECONDS,
    EventFiles,
    Job,
    Output,
    hours_of_events,
    run_to_end,
    run_with_restarts,
)
from tests.integration.verification import DOES_NOT_START, FORMAT, found, is_sound, remove, verified

from rockstate import Checkpoint

SetConf = Callable[[str, str], None]


def over_all(events: DataFrame) -> DataFrame:
    return events.agg(F.count("*").alias("n"))


def first_rows(events: DataFrame) -> DataFrame:
    return events.limit(1000)


@pytest.mark.parametrize("format", ["1", "2"])
@pytest.mark.parametrize(
    ("transform", "mode"),
    [
        pytest.param(over_all, "complete", id="one partition"),
        pytest.param(first_rows, "append", id="limit"),
        pytest.param(
            lambda events: (
                events.withWatermark("time", "1 hour")
                .dropDuplicatesWithinWatermark(["id"])
                .groupBy(F.window("time", "1 hour"))
                .agg(F.count("*"))
            ),
            "append",
            id="two operators",
        ),
    ],
)
def test_queries_of_other_forms_are_sound(
    spark: SparkSession, tmp_path: Path, with_conf: SetConf, transform: Callable[..., DataFrame], mode: str, format: str
) -> None:
    if format == "2" and transform in (over_all, first_rows):
        skip_before("4.1", "MicroBatchExecution asserts as many checkpoint ids as there are shuffle partitions")
    with_conf(FORMAT, format)
    files = EventFiles(tmp_path / "events")
    run_with_restarts(spark, files, hours_of_events(2), Job(transform, mode, str(tmp_path / "checkpoint")), 1)
    is_sound(tmp_path / "checkpoint")


@pytest.mark.parametrize("state_format", ["2", "3"])
def test_a_joins_stores_are_each_missed(
    spark: SparkSession, tmp_path: Path, with_conf: SetConf, state_format: str
) -> None:
    def self_join(events: DataFrame) -> DataFrame:
        left = events.withWatermark("time", "1 hour").select("id", F.col("time").alias("t1"))
        right = events.withWatermark("time", "1 hour").select(F.col("id").alias("other"), F.col("time").alias("t2"))
        return left.join(right, F.expr("id = other and t1 = t2")).select("id")

    require_join_state_format(int(state_format))
    with_conf("spark.sql.streaming.join.stateFormatVersion", state_format)
    checkpoint = tmp_path / "checkpoint"
    files = EventFiles(tmp_path / "events")
    run_with_restarts(spark, files, hours_of_events(2), Job(self_join, "append", str(checkpoint)), 2)
    names = {store.name for store in is_sound(checkpoint).stores}
    for name in names:
        copy = Path(shutil.copytree(checkpoint, tmp_path / name))
        place = "state/0/1" if name == "default" else f"state/0/1/{name}"
        remove(copy, place)
        problems = verified(copy)
        if state_format == "3":
            assert "which is another checkpoint's" in problems.pop("state/0/_metadata/v2/0").problem
        assert {file.rpartition("/")[0] for file in problems} == {place}


def test_the_schemas_of_transform_with_state_are_missed(spark: SparkSession, tmp_path: Path) -> None:
    def tallied(events: DataFrame) -> DataFrame:
        return FORMS[0].run(events.groupBy("key"), Count(), "none")

    files = EventFiles(tmp_path / "events")
    checkpoint = tmp_path / "checkpoint"
    run_with_restarts(spark, files, hours_of_events(2), Job(tallied, "append", str(checkpoint)), 1)
    is_sound(checkpoint)
    files.add(hours_of_events(1)[0])
    for name, found_in in (
        ("state/0/_stateSchema", "state/0/_stateSchema/default"),
        ("state/0/_metadata", "state/0/_metadata"),
    ):
        aside = checkpoint.with_name("aside")
        (checkpoint / name).rename(aside)
        problems = verified(checkpoint)
        assert {file.rpartition("/")[0] for file in problems} == {found_in}
        assert all(DOES_NOT_START in problem.problem for problem in problems.values())
        with pytest.raises(PySparkException):
            run_to_end(Output().writer(tallied(files.stream(spark)), "append"), str(checkpoint))
        shutil.rmtree(checkpoint / name, ignore_errors=True)
        aside.rename(checkpoint / name)
    run_to_end(Output().writer(tallied(files.stream(spark)), "append"), str(checkpoint))


def test_a_query_that_runs_meanwhile_is_sound(spark: SparkSession, tmp_path: Path, with_conf: SetConf) -> None:
    with_conf("spark.sql.streaming.minBatchesToRetain", "2")
    with_conf("spark.sql.streaming.stateStore.minDeltasForSnapshot", "1")
    checkpoint = tmp_path / "checkpoint"
    events = spark.readStream.format("rate").option("rowsPerSecond", 100).load()
    with running(events.groupBy((F.col("value") % 10).alias("key")).agg(F.count("*")), checkpoint) as is_behind:
        while is_behind(25):
            if (checkpoint / "state").exists():
                assert found(Checkpoint(checkpoint).verify()) == {}


class running:
    """Runs a query as fast as it goes; asked whether it has still not committed so many batches."""

    def __init__(self, result: DataFrame, checkpoint: Path) -> None:
        self._commits = checkpoint / "commits"
        self._deadline = time.monotonic() + TIMEOUT_SECONDS
        writer = Output().writer(result, "update").option("checkpointLocation", str(checkpoint))
        self._query = writer.trigger(processingTime="0 seconds").start()

    def __enter__(self) -> Callable[[int], bool]:
        return self._is_behind

    def _is_behind(self, batches: int) -> bool:
        assert time.monotonic() < self._deadline
        assert self._query.isActive, self._query.exception()
        return not (self._commits / str(batches)).exists()

    def __exit__(self, *_: object) -> None:
        self._query.stop()
