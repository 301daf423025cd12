"""Sessions on Rockstate: Spark's session windows, and sessions by arbitrary state in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pandas as pd
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming.state import GroupState, GroupStateTimeout
from tests.integration.streams import (
    START,
    Event,
    EventFiles,
    Job,
    assert_same_rows,
    far_future_event,
    random_events,
    run_with_restarts,
)

HOURS = 4
GAP = timedelta(minutes=20)
SetConf = Callable[[str, str], None]
restarts = pytest.mark.parametrize(
    "files_per_run", [pytest.param(HOURS + 1, id="one run"), pytest.param(1, id="restarts")]
)


@pytest.fixture
def files(tmp_path: Path) -> EventFiles:
    return EventFiles(tmp_path / "events")


def sparse_hours() -> list[list[Event]]:
    """Few events per key and hour, so that sessions end within an hour and also cross from one to the next."""
    return [
        random_events(hour, 60, 20, START + timedelta(hours=hour), timedelta(hours=1), 60 * hour)
        for hour in range(HOURS)
    ]


def session_windows(events: DataFrame) -> DataFrame:
    sessions = events.groupBy(F.session_window("time", "20 minutes").alias("s"), "key")
    return sessions.agg(F.count("*"), F.sum("value")).select("s.start", "s.end", "key", "count(1)", "sum(value)")


@restarts
@pytest.mark.parametrize("merged", ["false", "true"], ids=["rows shuffled", "sessions merged before the shuffle"])
def test_session_windows_in_append_mode(
    spark: SparkSession, files: EventFiles, checkpoint: str, with_conf: SetConf, files_per_run: int, merged: str
) -> None:
    with_conf("spark.sql.streaming.sessionWindow.merge.sessions.in.local.partition", merged)

    def transform(events: DataFrame) -> DataFrame:
        return session_windows(events.withWatermark("time", "1 hour"))

    hours = [*sparse_hours(), [far_future_event()]]
    output = run_with_restarts(spark, files, hours, Job(transform, "append", checkpoint), files_per_run)
    assert_same_rows(output.rows(), session_windows(files.batch(spark).where("id >= 0")))


def test_session_windows_in_complete_mode(spark: SparkSession, files: EventFiles, checkpoint: str) -> None:
    output = run_with_restarts(
        spark, files, sparse_hours(), Job(session_windows, "complete", checkpoint), files_per_run=1
    )
    assert_same_rows(output.batches[HOURS - 1], session_windows(files.batch(spark)))


def closing_sessions() -> Callable[..., Iterator[pd.DataFrame]]:
    gap_micros = GAP // timedelta(microseconds=1)

    def sessions(key: tuple[str | None], batches: Iterator[pd.DataFrame], state: GroupState) -> Iterator[pd.DataFrame]:
        """Closes sessions as `session_window` does: an event at the very end of the gap begins a new one."""
        first, last, count, total = state.get if state.exists else (0, 0, 0, 0)
        closed = []
        # With a timeout comes one batch without rows.
        events = [event for batch in batches for event in zip(batch["micros"], batch["value"], strict=True)]
        for time, value in sorted(events):
            if count and time >= last + gap_micros:
                closed.append((first, last + gap_micros, key[0], count, total))
                count = total = 0
            first, last = (first if count else time), time
            count, total = count + 1, total + value
        if state.hasTimedOut:
            closed.append((first, last + gap_micros, key[0], count, total))
            state.remove()
        else:
            state.update((int(first), int(last), int(count), int(total)))
            state.setTimeoutTimestamp(int(last + gap_micros) // 1000)
        if closed:
            yield pd.DataFrame(closed, columns=["start", "end", "key", "count", "total"])

    return sessions


@restarts
def test_sessions_by_arbitrary_state_end_by_event_time_timeout(
    spark: SparkSession, files: EventFiles, checkpoint: str, files_per_run: int
) -> None:
    def transform(events: DataFrame) -> DataFrame:
        timed = events.withWatermark("time", "1 second").withColumn("micros", F.unix_micros("time"))
        return (
            timed.groupBy("key")
            .applyInPandasWithState(
                closing_sessions(),
                "start bigint, end bigint, key string, count bigint, total bigint",
                "first bigint, last bigint, count bigint, total bigint",
                "append",
                GroupStateTimeout.EventTimeTimeout,
            )
            .select(F.timestamp_micros("start"), F.timestamp_micros("end"), "key", "count", "total")
        )

    hours = [*sparse_hours(), [far_future_event()]]
    output = run_with_restarts(spark, files, hours, Job(transform, "append", checkpoint), files_per_run)
    assert_same_rows(output.rows(), session_windows(files.batch(spark).where("id >= 0")))
