"""Counts words once as a stream in several batches and once as a batch, and writes both results to a file as JSON.

Arguments: input folder, checkpoint folder, result file, and `--configure` to set Rockstate up in the script itself.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession


def counts(words: DataFrame) -> DataFrame:
    return words.groupBy("value").count()


def as_stream(spark: SparkSession, source: str, checkpoint: str) -> DataFrame:
    words = spark.readStream.format("text").schema("value string").option("maxFilesPerTrigger", 1).load(source)
    writer = counts(words).writeStream.format("memory").queryName("words").outputMode("complete")
    query = writer.option("checkpointLocation", checkpoint).trigger(availableNow=True).start()
    query.awaitTermination()
    return spark.table("words")


def main(source: str, checkpoint: str, result: str, configure: bool) -> None:
    builder = SparkSession.builder.master("local[2]").config("spark.sql.shuffle.partitions", 2)
    builder = builder.config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
    if configure:
        import rockstate

        builder = rockstate.configure(builder, memory_budget="32m")
    spark = builder.getOrCreate()
    streamed = {row["value"]: row["count"] for row in as_stream(spark, source, checkpoint).collect()}
    batched = {row["value"]: row["count"] for row in counts(spark.read.text(source)).collect()}
    Path(result).write_text(json.dumps({"stream": streamed, "batch": batched}))
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], configure="--configure" in sys.argv[4:])
