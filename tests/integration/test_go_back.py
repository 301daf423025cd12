"""A query whose newest state is lost says what is left, and goes back to it as docs/operations.md tells."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from tests.integration.streams import (
    EventFiles,
    Job,
    Output,
    assert_same_rows,
    hours_of_events,
    run_to_end,
    run_with_restarts,
)

from rockstate import Checkpoint

LAST = 3
FORMAT = "spark.sql.streaming.stateStore.checkpointFormatVersion"


def per_key(events: DataFrame) -> DataFrame:
    return events.groupBy("key").agg(F.count("*"), F.sum("value"))


def leave_only(log: Path, last: int) -> None:
    """Takes every entry after batch `last` out of a log of Spark's, with its checksum file."""
    for entry in log.iterdir():
        if entry.name.isdecimal() and int(entry.name) > last:
            entry.unlink()
            entry.with_name(f".{entry.name}.crc").unlink(missing_ok=True)


@pytest.mark.parametrize("format", ["1", "2"])
@pytest.mark.parametrize("lost", [1, 2], ids=["the newest version is lost", "the newest two are lost"])
def test_a_query_goes_back_to_the_newest_version_that_is_left(
    spark: SparkSession, tmp_path: Path, with_conf: Callable[[str, str], None], format: str, lost: int
) -> None:
    with_conf(FORMAT, format)
    files, checkpoint = EventFiles(tmp_path / "events"), tmp_path / "checkpoint"
    run_with_restarts(spark, files, hours_of_events(LAST + 1), Job(per_key, "complete", str(checkpoint)), LAST + 1)
    for version in range(LAST + 2 - lost, LAST + 2):
        for file in (checkpoint / "state/0/0").glob(f"{version}[._]*"):
            file.unlink()
    files.add(hours_of_events(1)[0])

    def run() -> Output:
        output = Output()
        run_to_end(output.writer(per_key(files.stream(spark)), "complete"), str(checkpoint))
        return output

    left = LAST + 1 - lost
    with pytest.raises(StreamingQueryException) as failed:
        run()
    assert re.search(rf"{LAST + 1}(_\S+)?\.delta", str(failed.value))
    assert f"are 1-{left}" in str(failed.value)
    assert "Do not clear the checkpoint" in str(failed.value)
    assert "`rockstate rollback --dry-run` tries the one before" in str(failed.value)
    summary = Checkpoint(checkpoint).verify()
    lost_one, other = sorted(store.newest or 0 for store in summary.stores)
    assert lost_one == left and other in (LAST + 1, LAST + 2), "the other's task may have ended before the batch failed"
    assert not summary.is_sound

    shutil.copytree(checkpoint, tmp_path / "copy")
    batch = left - 1
    leave_only(checkpoint / "commits", batch)
    leave_only(checkpoint / "offsets", batch + 1)
    assert Checkpoint(checkpoint).verify().is_sound
    batches = run().batches
    assert min(batches) == batch + 1, "the batch after the one gone back to runs again"
    assert_same_rows(batches[max(batches)], per_key(files.batch(spark)))
    assert Checkpoint(checkpoint).verify().is_sound
