"""The recorder keeps what Spark reports of each batch's state."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from tests.integration.streams import EventFiles, Job, hours_of_events, run_with_restarts

import rockstate

HOURS = 3


def per_key(events: DataFrame) -> DataFrame:
    return events.groupBy("key").count()


@pytest.fixture
def recorded(spark: SparkSession, tmp_path: Path) -> rockstate.ProgressRecorder:
    """A recorder that has seen a query count events per key, three batches of it."""
    recorder = rockstate.ProgressRecorder(tmp_path / "progress.jsonl")
    spark.streams.addListener(recorder)
    try:
        files = EventFiles(tmp_path / "events")
        run_with_restarts(spark, files, hours_of_events(HOURS), Job(per_key, "update", str(tmp_path / "cp")), HOURS)
        until = time.monotonic() + 30
        while len(recorder.records) < HOURS and time.monotonic() < until:
            time.sleep(0.1)  # listeners hear of a batch some time after it
    finally:
        spark.streams.removeListener(recorder)
    return recorder


def test_a_file_for_which_there_is_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(rockstate.Misuse, match="There is no folder"):
        rockstate.ProgressRecorder(tmp_path / "none" / "progress.jsonl")


def test_every_batch_is_kept_with_its_figures(recorded: rockstate.ProgressRecorder, tmp_path: Path) -> None:
    assert [record.batch for record in recorded.records] == list(range(HOURS))
    for record in recorded.records:
        assert record.operator_name == "stateStoreSave"
        assert record.input_rows > 0
        assert record.batch_ms > 0
        assert record.state_rows >= record.updated_rows > 0
        assert record.memory_bytes > 0
        assert record.metrics["rockstatePutCount"] == record.updated_rows
        assert record.snapshot_lag is not None
    frame = recorded.to_pandas()
    assert list(frame["batch"]) == list(range(HOURS))
    assert list(frame["rockstatePutCount"]) == [record.updated_rows for record in recorded.records]
    assert rockstate.ProgressRecorder.read(tmp_path / "progress.jsonl").records == recorded.records
    recorded.plot(tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    with (tmp_path / "progress.jsonl").open("a") as file:
        file.write('{"query": "half a li')
    command = [sys.executable, "-m", "rockstate", "top", str(tmp_path / "progress.jsonl"), "--once"]
    shown = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "COLUMNS": "200"})
    assert shown.returncode == 0, shown.stderr
    assert "stateStoreSave" in shown.stdout
    assert f"{recorded.records[-1].state_rows:,}" in shown.stdout


def test_nothing_recorded(tmp_path: Path) -> None:
    recorder = rockstate.ProgressRecorder()
    assert recorder.to_pandas().empty
    with pytest.raises(rockstate.Misuse, match="Nothing was recorded"):
        recorder.plot(tmp_path / "plot.png")
    with pytest.raises(rockstate.NotFound, match=r"progress\.jsonl"):
        rockstate.ProgressRecorder.read(tmp_path / "progress.jsonl")
    with pytest.raises(rockstate.Misuse):
        rockstate.ProgressRecorder(keep=0)
