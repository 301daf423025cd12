"""The driver application: the demo's queries on a cluster, over files that arrive while it runs.

Its only argument is `Settings` as JSON. A query that fails is started again here, the application by who watches it.
"""

from __future__ import annotations

import os
import sys
import time
from threading import Thread

from pyspark.errors import StreamingQueryException
from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery
from tests.cluster.settings import Settings
from tests.quick_spark import LOCAL_FILES, quick_local_files

import rockstate
from rockstate.demo import queries
from rockstate.demo.app import QUICK_JVM, ProgressWriter, end_with_parent, join_state_format
from rockstate.demo.sink import BatchFolders

MAINTENANCE_SECONDS = 2
BATCHES_TO_RETAIN = 4
#: As many files as there are: a batch takes whatever has arrived.
FILES_PER_BATCH = 1000
POLL_SECONDS = 0.5

CONFS: dict[str, bool | float | int | str | None] = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "640m",
    "spark.driver.extraJavaOptions": f"{QUICK_JVM} -XX:+UseSerialGC",
    "spark.executor.memory": "512m",
    "spark.executor.cores": "1",
    "spark.executor.extraJavaOptions": f"{QUICK_JVM} -XX:+UseSerialGC",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "2",
    # Executors do not live long: compiling for some hundred rows costs them more than it saves.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    "spark.sql.streaming.join.stateFormatVersion": str(join_state_format()),
    # A stage has few tasks: the last of them is worth a second attempt, even if it is the only one.
    "spark.speculation": "true",
    "spark.speculation.quantile": "0.5",
    "spark.speculation.multiplier": "1.5",
    "spark.speculation.task.duration.threshold": "4s",
    # An executor that says nothing is given up soon, and no number of failures is too many.
    "spark.executor.heartbeatInterval": "2s",
    "spark.network.timeout": "20s",
    "spark.network.timeoutInterval": "3s",
    "spark.shuffle.io.maxRetries": "1",
    "spark.shuffle.io.retryWait": "1s",
    "spark.task.maxFailures": "1000",
    "spark.stage.maxConsecutiveAttempts": "1000",
    "spark.locality.wait": "300ms",
    **quick_local_files(),
    "spark.executor.extraClassPath": str(LOCAL_FILES),
}


def session(settings: Settings) -> SparkSession:
    """A session on the cluster whose state is in Rockstate."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = (
        SparkSession.builder.master(settings.master)
        .appName("rockstate on a cluster")
        .config(map={**CONFS, **settings.confs})
    )
    return rockstate.configure(
        builder,
        memory_budget="64m",
        maintenance_interval=f"{MAINTENANCE_SECONDS}s",
        min_deltas_for_snapshot=3,
        min_batches_to_retain=BATCHES_TO_RETAIN,
        checkpoint_format_version=settings.format_version,
    ).getOrCreate()


def start(spark: SparkSession, query: queries.Query, settings: Settings) -> StreamingQuery:
    """Starts the demo's query over the files that have arrived and those to come, or goes on from its checkpoint."""
    places = settings.places
    flights = spark.readStream.schema(queries.FLIGHT_SCHEMA).parquet(str(query.input(places)))
    return (
        query.result(flights, query.weather(spark, places, FILES_PER_BATCH))
        .writeStream.queryName(query.name)
        .foreachBatch(BatchFolders(places.sink(query.name)))
        .option("checkpointLocation", settings.checkpoint(query.name))
        .outputMode("append")
        .start()
    )


class Running:
    """The queries, each started again from its checkpoint when it has failed, and what it failed with written down."""

    def __init__(self, spark: SparkSession, settings: Settings) -> None:
        self._spark, self._settings = spark, settings
        self._queries = [query for query in queries.QUERIES if query.name in settings.queries]
        self._running: dict[str, StreamingQuery] = {}

    def keep_up(self) -> None:
        """Starts what does not run."""
        for query in self._queries:
            running = self._running.get(query.name)
            if running and not running.isActive:
                self._write_down(query.name, running.exception())
                del self._running[query.name]
            if query.name not in self._running:
                try:
                    self._running[query.name] = start(self._spark, query, self._settings)
                except Exception as failure:  # where storage does not answer, not even this much can be done
                    self._write_down(query.name, failure)

    def process_all(self) -> bool:
        """Returns once all files there are have been processed; false if a query has failed before that."""
        try:
            for query in self._queries:
                self._running[query.name].processAllAvailable()
        except (KeyError, StreamingQueryException):
            return False
        return True

    def stop(self) -> None:
        """Stops all of them, none in the middle of a batch if all has been processed."""
        for query in self._running.values():
            query.stop()

    def _write_down(self, name: str, failure: object) -> None:
        with self._settings.failures.open("a", encoding="utf-8") as file:
            file.write(f"{name}: {' '.join(str(failure).split())}\n")


def main(argument: str) -> None:
    """Runs the queries until all that will ever arrive is processed, and maintenance has had its time after that."""
    Thread(target=end_with_parent, daemon=True).start()
    settings = Settings.from_json(argument)
    spark = session(settings)
    spark.streams.addListener(ProgressWriter(settings.places.progress, start=1))
    running = Running(spark, settings)
    is_done = False
    while not is_done:
        running.keep_up()
        time.sleep(POLL_SECONDS)
        is_done = settings.all_arrived.exists() and running.process_all()
    time.sleep(3 * MAINTENANCE_SECONDS)
    running.stop()
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1])
