"""A Spark application that `test_kill_restart` kills: an aggregation and a deduplication over the same files.

Arguments: the folder of input files, the folder for checkpoints and results.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from tests.integration.streams import EventFiles, Transform

import rockstate

AGGREGATION, DEDUPLICATION = "aggregation", "deduplication"


def windows(events: DataFrame) -> DataFrame:
    """Count and sum per key and 20 minutes; the streams are at most an hour late."""
    grouped = events.withWatermark("time", "1 hour").groupBy(F.window("time", "20 minutes").alias("w"), "key")
    return grouped.agg(F.count("*").alias("n"), F.sum("value").alias("total")).select("w.start", "key", "n", "total")


def distinct(events: DataFrame) -> DataFrame:
    """Every event once."""
    return events.withWatermark("time", "3 hours").dropDuplicatesWithinWatermark(["id"])


QUERIES: dict[str, Transform] = {AGGREGATION: windows, DEDUPLICATION: distinct}


def writer_of_batches(folder: Path) -> Callable[[DataFrame, int], None]:
    """Writes each batch to a folder of its own, and anew if it runs again."""
    return lambda rows, batch: rows.write.mode("overwrite").parquet(str(folder / f"batch={batch}"))


def main(input_folder: Path, folder: Path) -> None:
    """Runs both queries from their checkpoints to the end of the input."""
    builder = rockstate.configure(
        SparkSession.builder.master("local[2]"), maintenance_interval="1s", min_deltas_for_snapshot=2
    )
    if "ROCKSTATE_TEST_PROVIDER" in os.environ:
        builder = builder.config("spark.sql.streaming.stateStore.providerClass", os.environ["ROCKSTATE_TEST_PROVIDER"])
    spark = builder.config(
        map={
            "spark.sql.shuffle.partitions": 2,
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.sql.session.timeZone": "UTC",
        }
    ).getOrCreate()
    running = [
        transform(EventFiles(input_folder).stream(spark))
        .writeStream.foreachBatch(writer_of_batches(folder / "results" / name))
        .option("checkpointLocation", str(folder / "checkpoints" / name))
        .trigger(availableNow=True)
        .start()
        for name, transform in QUERIES.items()
    ]
    for query in running:
        query.awaitTermination()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
