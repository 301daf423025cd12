"""Stream-stream joins on Rockstate return what the same join returns over tables, in every state format."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from tests.conftest import IS_WHOLE
from tests.integration.minors import require_join_state_format, skip_before
from tests.integration.streams import (
    START,
    Event,
    EventFiles,
    Output,
    assert_pinned,
    assert_same_rows,
    far_future_event,
    random_events,
    run_to_end,
)

HOURS = 3
STATE_FORMAT = "spark.sql.streaming.join.stateFormatVersion"
STATE_FORMAT_4_ENABLED = "spark.sql.streaming.join.stateFormatV4.enabled"  # Spark 4.2 has it, for tests only
SENTINEL = far_future_event()["id"]
SetConf = Callable[[str, str], None]
Join = Callable[[DataFrame, DataFrame], DataFrame]


class Sides:
    """The two streams of a join: `add` gives each its next file, and a batch reads one file of each."""

    def __init__(self, folder: Path) -> None:
        self.left, self.right = EventFiles(folder / "left"), EventFiles(folder / "right")

    def add(self, left: list[Event], right: list[Event]) -> None:
        """Adds a file on each side."""
        self.left.add(left)
        self.right.add(right)

    def streams(self, spark: SparkSession) -> tuple[DataFrame, DataFrame]:
        """Both sides, named apart, with a watermark."""
        left, right = named_apart(self.left.stream(spark), self.right.stream(spark))
        return left.withWatermark("left_time", "1 hour"), right.withWatermark("right_time", "1 hour")

    def tables(self, spark: SparkSession) -> tuple[DataFrame, DataFrame]:
        """The same rows without the sentinels."""
        return named_apart(self.left.batch(spark).where("id >= 0"), self.right.batch(spark).where("id >= 0"))


def named_apart(left: DataFrame, right: DataFrame) -> tuple[DataFrame, DataFrame]:
    columns = ("id", "time", "key", "value")
    return left.toDF(*(f"left_{name}" for name in columns)), right.toDF(*(f"right_{name}" for name in columns))


def hour(number: int, first_id: int) -> list[Event]:
    """Few events for many keys: about as many find a match within half an hour as find none."""
    return random_events(
        first_id, 40, 30, START + timedelta(hours=number), timedelta(hours=1), first_id=first_id + number * 40
    )


def within_half_an_hour(how: str) -> Join:
    def join(left: DataFrame, right: DataFrame) -> DataFrame:
        same_time = F.expr("right_time BETWEEN left_time - INTERVAL 30 MINUTES AND left_time + INTERVAL 30 MINUTES")
        return left.join(right, (left.left_key == right.right_key) & same_time, how)

    return join


def same_key(left: DataFrame, right: DataFrame) -> DataFrame:
    return left.join(right, left.left_key == right.right_key).where("left_value < right_value")


def run_with_restarts(spark: SparkSession, sides: Sides, join: Join, mode: str, checkpoint: str) -> Output:
    """Joins some hours of events and two sentinels, and starts the query anew for every batch of files."""
    output = Output()
    for number in range(HOURS + 1):
        if number < HOURS:
            sides.add(hour(number, first_id=0), hour(number, first_id=10_000))
        else:
            sides.add([far_future_event()], [far_future_event()])
        run_to_end(output.writer(join(*sides.streams(spark)), mode), checkpoint)
    return output


def without_sentinels(output: Output) -> list[tuple[Any, ...]]:
    return [row for row in output.rows() if row[0] != SENTINEL]


@pytest.fixture
def sides(tmp_path: Path) -> Sides:
    return Sides(tmp_path / "events")


@pytest.fixture(params=["2", "3", "4"], ids=lambda version: f"state format {version}")
def state_format(request: pytest.FixtureRequest, with_conf: SetConf) -> str:
    """The joins' state format: four stores, one store of four column families, several values per key and time."""
    require_join_state_format(int(request.param))
    with_conf(STATE_FORMAT, request.param)
    with_conf(STATE_FORMAT_4_ENABLED, "true")
    return str(request.param)


MORE_JOINS = [
    ("inner", "update"),
    ("left_outer", "append"),
    ("right_outer", "append"),
    ("left_semi", "append"),
]


@pytest.mark.parametrize(
    ("how", "mode"),
    [
        ("inner", "append"),
        ("full_outer", "append"),
        ("left_semi", "update"),
        *(MORE_JOINS if IS_WHOLE else []),
    ],
)
def test_a_join_on_key_and_time_equals_the_join_of_tables(
    spark: SparkSession, sides: Sides, checkpoint: str, state_format: str, how: str, mode: str
) -> None:
    if mode == "update":
        skip_before("4.2", "UnsupportedOperationChecker knows joins in append mode only")
    join = within_half_an_hour(how)
    output = run_with_restarts(spark, sides, join, mode, checkpoint)
    assert_same_rows(without_sentinels(output), join(*sides.tables(spark)))
    assert_pinned(checkpoint, STATE_FORMAT, state_format)


def test_an_inner_join_on_the_key_alone_remembers_every_row(
    spark: SparkSession, sides: Sides, checkpoint: str, state_format: str
) -> None:
    output = run_with_restarts(spark, sides, same_key, "append", checkpoint)
    assert_same_rows(without_sentinels(output), same_key(*sides.tables(spark)))
