"""The streaming application: one Spark session, all queries, run as a process of its own so that it can be killed."""

import os
import sys
from pathlib import Path
from threading import Semaphore, Thread

from pyspark.sql import SparkSession
from pyspark.sql.streaming.listener import (
    QueryIdleEvent,
    QueryProgressEvent,
    QueryStartedEvent,
    QueryTerminatedEvent,
    StreamingQueryListener,
)

from rockstate.demo import progress, queries
from rockstate.demo.places import Places
from rockstate.demo.settings import Settings
from rockstate.launch.versions import is_since, spark_minor
from rockstate.session.builder import configure

SHUFFLE_PARTITIONS = 2
# The JVM lives for a minute or two, twice: compiling at the highest level takes 60 % of its CPU time and pays nothing.
QUICK_JVM = "-XX:TieredStopAtLevel=1"
_SECONDS_FOR_LAST_REPORT = 20


def main(argument: str) -> None:
    """Start the queries, or go on from their checkpoints, and return when all input is processed."""
    Thread(target=end_with_parent, daemon=True).start()
    settings = Settings.from_json(argument)
    places = Places(Path(settings.work_dir))
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = (
        configure(SparkSession.builder, maintenance_interval="10s")
        .master(settings.master)
        .appName("rockstate demo")
        .config("spark.driver.extraJavaOptions", QUICK_JVM)
        .config("spark.sql.shuffle.partitions", SHUFFLE_PARTITIONS)
        .config("spark.sql.streaming.join.stateFormatVersion", join_state_format())
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .getOrCreate()
    )
    listener = ProgressWriter(places.progress, settings.start)
    spark.streams.addListener(listener)
    running = [queries.start(spark, query, places, settings.files_per_batch) for query in queries.QUERIES]
    for query in running:
        query.awaitTermination()
    listener.wait_for_end_of(len(running))
    spark.stop()


def join_state_format() -> int:
    """One store with column families per partition, or four stores where the Spark that runs knows no better."""
    return 3 if is_since(spark_minor(), "4.1") else 2


def end_with_parent() -> None:
    """End this process when its parent is gone; the JVM and the workers follow."""
    os.read(sys.stdin.fileno(), 1)  # nothing is ever written: this returns at the end of the pipe
    os._exit(1)


class ProgressWriter(StreamingQueryListener):
    """Appends the progress of every batch to the progress file."""

    def __init__(self, file: Path, start: int) -> None:
        self._file = file
        self._start = start
        self._ended = Semaphore(0)

    def onQueryStarted(self, event: QueryStartedEvent) -> None:
        """Nothing to report."""

    def onQueryProgress(self, event: QueryProgressEvent) -> None:
        """Write one line, in one piece."""
        with self._file.open("a") as file:
            file.write(progress.as_line(event.progress.json, self._start))

    def onQueryIdle(self, event: QueryIdleEvent) -> None:
        """Nothing to report."""

    def onQueryTerminated(self, event: QueryTerminatedEvent) -> None:
        """Let `wait_for_end_of` go on."""
        self._ended.release()

    def wait_for_end_of(self, queries: int) -> None:
        """Return once the last progress of so many queries is written: Spark reports it after a query has ended."""
        for _ in range(queries):
            self._ended.acquire(timeout=_SECONDS_FOR_LAST_REPORT)


if __name__ == "__main__":
    main(sys.argv[1])
