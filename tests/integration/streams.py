"""What the end-to-end tests share: a stream of files, and a run of a query over all files there are."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.readwriter import DataStreamWriter

TIMEOUT_SECONDS = 120
START = datetime(2024, 1, 1)
EVENT_SCHEMA = "id bigint, time timestamp, key string, value bigint"

Event = dict[str, Any]
Transform = Callable[[DataFrame], DataFrame]


class EventFiles:
    """A folder of JSON files that a stream reads one per batch, in the order in which they were added."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0
        folder.mkdir(parents=True, exist_ok=True)

    def add(self, events: Iterable[Event]) -> None:
        """Writes the next file."""
        file = self._folder / f"{self._count:04d}.json"
        hidden = file.with_name(f".{file.name}")
        hidden.write_text("".join(json.dumps(event, default=str) + "\n" for event in events), encoding="utf-8")
        os.utime(hidden, times=(START.timestamp() + self._count,) * 2)
        hidden.rename(file)
        self._count += 1

    def stream(self, spark: SparkSession) -> DataFrame:
        """The files as a stream, one per batch."""
        reader = spark.readStream.schema(EVENT_SCHEMA).option("maxFilesPerTrigger", 1)
        return reader.json(str(self._folder))

    def batch(self, spark: SparkSession) -> DataFrame:
        """The same rows as a table."""
        return spark.read.schema(EVENT_SCHEMA).json(str(self._folder))


def random_events(seed: int, count: int, keys: int, start: datetime, span: timedelta, first_id: int = 0) -> list[Event]:
    """Events in no order, with times in `span` from `start` on; one key in `keys` is null."""
    random = Random(seed)
    names = [None, *(f"key-{n}" for n in range(1, keys))]
    return [
        {
            "id": first_id + n,
            "time": start + timedelta(seconds=random.randrange(int(span.total_seconds()))),
            "key": random.choice(names),
            "value": random.randrange(-1000, 1000),
        }
        for n in range(count)
    ]


def hours_of_events(hours: int, per_hour: int = 200, keys: int = 20) -> list[list[Event]]:
    """One list of events per hour, the same in every run."""
    return [
        random_events(hour, per_hour, keys, START + timedelta(hours=hour), timedelta(hours=1), hour * per_hour)
        for hour in range(hours)
    ]


def far_future_event() -> Event:
    """An event that moves the watermark past all others; its key is `end`."""
    return {"id": -1, "time": START + timedelta(days=1000), "key": "end", "value": 0}


def run_to_end(writer: DataStreamWriter, checkpoint: str) -> None:
    """Runs the query over all files there are, from `checkpoint` on. Raises StreamingQueryException if it fails."""
    query = writer.option("checkpointLocation", checkpoint).trigger(availableNow=True).start()
    try:
        assert query.awaitTermination(TIMEOUT_SECONDS), f"the query still runs after {TIMEOUT_SECONDS} s"
    finally:
        query.stop()


class Output:
    """What a query has emitted, batch by batch; a batch that runs again replaces what it emitted before."""

    def __init__(self) -> None:
        self.batches: dict[int, list[tuple[Any, ...]]] = {}

    def writer(self, result: DataFrame, mode: str) -> DataStreamWriter:
        """Writes `result` into this object."""

        def keep(batch: DataFrame, number: int) -> None:
            self.batches[number] = [tuple(row) for row in batch.collect()]

        return result.writeStream.outputMode(mode).foreachBatch(keep)

    def rows(self) -> list[tuple[Any, ...]]:
        """All rows of all batches."""
        return [row for number in sorted(self.batches) for row in self.batches[number]]

    def upserted(self, key_columns: int) -> list[tuple[Any, ...]]:
        """The last row emitted for each key, a key being the first `key_columns` columns."""
        return list({row[:key_columns]: row for row in self.rows()}.values())


@dataclass(frozen=True)
class Job:
    """What a query makes of events, its output mode, and its checkpoint."""

    transform: Transform
    mode: str
    checkpoint: str


def run_with_restarts(
    spark: SparkSession, files: EventFiles, hours: Sequence[Iterable[Event]], job: Job, files_per_run: int
) -> Output:
    """Adds `hours` as files, and starts the query anew from its checkpoint after every `files_per_run` of them."""
    output = Output()
    for first in range(0, len(hours), files_per_run):
        for events in hours[first : first + files_per_run]:
            files.add(events)
        run_to_end(output.writer(job.transform(files.stream(spark)), job.mode), job.checkpoint)
    return output


def assert_pinned(checkpoint: str, key: str, value: str) -> None:
    """Fails unless the query's first batch has written this conf to the offset log, where it holds for good."""
    version, metadata, *_ = (Path(checkpoint) / "offsets" / "0").read_text(encoding="utf-8").splitlines()
    assert version == "v1" and json.loads(metadata)["conf"][key] == value


def assert_same_rows(actual: Iterable[tuple[Any, ...]], wanted: DataFrame) -> None:
    """Fails unless both hold the same rows, each as often, in whatever order."""
    actual_rows, wanted_rows = Counter(actual), Counter(tuple(row) for row in wanted.collect())
    assert wanted_rows, "nothing to compare with"
    assert actual_rows - wanted_rows == Counter(), "rows that should not be there, or not so often"
    assert wanted_rows - actual_rows == Counter(), "missing rows"
