"""`applyInPandasWithState` on Rockstate follows a model in plain Python; `test_session` has its event-time timeouts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.state import GroupState, GroupStateTimeout
from tests.integration.streams import Event, EventFiles, Job, assert_pinned, hours_of_events, run_with_restarts

BATCHES = 4
MODES = {GroupStateTimeout.NoTimeout: "update", GroupStateTimeout.ProcessingTimeTimeout: "append"}
STATE_FORMAT = "spark.sql.streaming.flatMapGroupsWithState.stateFormatVersion"
SetConf = Callable[[str, str], None]
Row = tuple[str | None, str, int, int]
Counts = dict[str | None, tuple[int, int]]


def counting(with_timeout: bool) -> Callable[..., Iterator[pd.DataFrame]]:
    def count_and_sum(
        key: tuple[str | None], batches: Iterator[pd.DataFrame], state: GroupState
    ) -> Iterator[pd.DataFrame]:
        """Counts and adds up a key's values; a key whose sum ends in 7, or that has timed out, is forgotten."""
        count, total = state.get if state.exists else (0, 0)
        for batch in batches:  # with a timeout comes one without rows
            count, total = count + len(batch), total + int(batch["value"].sum())
        if state.hasTimedOut or abs(total) % 10 == 7:
            state.remove()
        else:
            state.update((count, total))
            if with_timeout:
                state.setTimeoutDuration(1)  # millisecond: it is over before the next batch begins
        reason = "timeout" if state.hasTimedOut else "data"
        yield pd.DataFrame([(key[0], reason, count, total)], columns=["key", "reason", "count", "total"])

    return count_and_sum


def model(batch: list[Event], state: Counts, with_timeout: bool) -> list[Row]:
    """What one batch emits; keeps `state` up to date."""
    rows: list[Row] = []
    keys = {event["key"] for event in batch}
    for key in keys:
        values = [event["value"] for event in batch if event["key"] == key]
        count, total = state.get(key, (0, 0))
        state[key] = (count + len(values), total + sum(values))
        rows.append((key, "data", *state[key]))
        if abs(state[key][1]) % 10 == 7:
            del state[key]
    if with_timeout:
        rows += [(key, "timeout", *state.pop(key)) for key in set(state) - keys]
    return rows


def by_key(events: DataFrame, timeout: str) -> DataFrame:
    return events.groupBy("key").applyInPandasWithState(
        counting(with_timeout=timeout == GroupStateTimeout.ProcessingTimeTimeout),
        "key string, reason string, count bigint, total bigint",
        "count bigint, total bigint",
        MODES[timeout],
        timeout,
    )


@pytest.mark.parametrize("state_format", ["1", "2"])
@pytest.mark.parametrize("timeout", MODES)
def test_state_follows_the_model_over_restarts(
    spark: SparkSession, tmp_path: Path, checkpoint: str, with_conf: SetConf, state_format: str, timeout: str
) -> None:
    with_conf(STATE_FORMAT, state_format)
    if state_format == "1":
        # Timeouts do not fit the schema that Spark declares for them; its own providers refuse them, too.
        with_conf("spark.sql.streaming.stateStore.formatValidation.enabled", "false")
    # With a processing-time timeout Spark would run one batch without data after the other.
    with_conf("spark.sql.streaming.noDataMicroBatches.enabled", "false")
    hours = hours_of_events(BATCHES, per_hour=15, keys=12)
    output = run_with_restarts(
        spark,
        EventFiles(tmp_path / "events"),
        hours,
        Job(lambda events: by_key(events, timeout), MODES[timeout], checkpoint),
        files_per_run=1,
    )
    state: Counts = {}
    for number, batch in enumerate(hours):
        wanted = model(batch, state, timeout == GroupStateTimeout.ProcessingTimeTimeout)
        assert sorted(output.batches[number], key=repr) == sorted(wanted, key=repr)
    assert_pinned(checkpoint, STATE_FORMAT, state_format)
