"""Runs a question's query on a session until its last batch."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.pyspark import _session
from benchmarks.pyspark._answers import digest
from benchmarks.pyspark._progress import Batch, batch
from benchmarks.pyspark._question import Question, Sizes

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

_OBSERVATION = "answer"
_PAUSE = 0.1  # seconds between two looks at the progress


def checkpoint_uri(folder: Path, *, is_hadoops: bool) -> str:
    """In the file system of the benchmarks' jar, or in Hadoop's own for local files, which starts processes for every
    file."""
    return f"{'file' if is_hadoops else 'bench'}://{folder.resolve()}/checkpoint"


@dataclass(frozen=True)
class Stream:
    """What a query did: its batches from 0 on, and how many milliseconds the JVM's threads ran per counted batch."""

    batches: list[Batch]
    cpu_millis_per_batch: float


def run(question: Question, spark: SparkSession, checkpoint: str, sizes: Sizes) -> Stream:
    """Streams until the last batch has ended; the output is only counted and hashed."""
    with _started(question, spark, checkpoint, sizes) as query:
        cpu = _await(query, spark, sizes)
        reports = query.recentProgress
    found = [batch(report, _OBSERVATION) for report in reports if report["batchId"] <= sizes.last]
    if [each.id for each in found] != list(range(sizes.last + 1)):
        raise RuntimeError(f"reports of batches {[each.id for each in found]} instead of 0 to {sizes.last}")
    return Stream(found, cpu)


def go_on(question: Question, spark: SparkSession, checkpoint: str, sizes: Sizes, count: int) -> list[Batch]:
    """Starts a query again that was stopped; returns its first `count` batches. It was stopped after `sizes.last`."""
    with _started(question, spark, checkpoint, sizes) as query:
        while query.isActive and len(query.recentProgress) < count:
            time.sleep(_PAUSE)
        reports = query.recentProgress[:count]
    if len(reports) < count:
        raise RuntimeError(f"the query ended after {len(reports)} batches: {query.exception()}")
    return [batch(report, _OBSERVATION) for report in reports]


@contextmanager
def _started(question: Question, spark: SparkSession, checkpoint: str, sizes: Sizes) -> Iterator[StreamingQuery]:
    answers = question.query(spark, sizes)
    writer = answers.observe(_OBSERVATION, *digest(answers)).writeStream.format("noop")
    query = writer.outputMode(question.output_mode).option("checkpointLocation", checkpoint).start()
    try:
        yield query
    finally:
        query.stop()


def _await(query: StreamingQuery, spark: SparkSession, sizes: Sizes) -> float:
    """Returns the CPU time per counted batch, taken at two looks at the progress that are about as far apart."""
    first: tuple[int, float] | None = None
    while True:
        report = query.lastProgress
        if not query.isActive:
            query.awaitTermination()  # raises what ended it
            raise RuntimeError(f"the query ended before batch {sizes.last}")
        number = -1 if report is None else report["batchId"]
        if first is None and number >= sizes.first_counted - 1:
            first = (number, _session.cpu_millis(spark))
        if first is not None and number >= sizes.last and number > first[0]:
            return (_session.cpu_millis(spark) - first[1]) / (number - first[0])
        time.sleep(_PAUSE)
