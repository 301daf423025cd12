"""A Delta table by `foreachBatch`: a batch that runs twice is in the table once.

    rockstate submit --packages io.delta:delta-spark_4.2_2.13:4.4.0 examples/delta_sink.py

Spark may run a batch again that a sink has taken already: if the driver dies between the sink's commit and its own.
Delta keeps the number of the last batch with each commit (`txnVersion`) and passes over a batch that it has. This is
shown by a sink that dies at that very moment. The sink computes each batch before Delta sees it: with checkpoint format
2 Spark refuses to go on after a batch whose state was not computed ("CheckpointInfo length: 0"). After
`rockstate rollback` restore the table and take another `txnAppId`: docs/operations.md, "Go back to an earlier batch".
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession

import rockstate

#: Names the query to Delta. One with a new checkpoint begins at batch 0 again and needs a name of its own.
APP_ID = "words-1"


class DeltaSink:
    """Appends each batch's counts. Dies once, in the batch given, when Delta has it and Spark does not know yet."""

    def __init__(self, table: str, dies_in: int | None = None) -> None:
        self.table, self.dies_in = table, dies_in

    def __call__(self, rows: DataFrame, batch: int) -> None:
        kept = rows.selectExpr("word", "count", f"{batch} AS batch").persist()
        kept.count()  # the state is written here: a batch that Delta passes over would not be computed, and is missed
        writer = kept.write.format("delta").mode("append")
        writer.option("txnAppId", APP_ID).option("txnVersion", batch).save(self.table)
        kept.unpersist()
        print(f"batch {batch} was given to Delta")
        if batch == self.dies_in:
            raise SystemError("the driver dies")


def run(spark: SparkSession, folder: Path, sink: DeltaSink) -> None:
    """Counts the words of all files, one file a batch, and stops."""
    lines = spark.readStream.option("maxFilesPerTrigger", 1).text(str(folder / "incoming"))
    query = (
        lines.selectExpr("explode(split(value, ' ')) AS word")
        .groupBy("word")
        .count()
        .writeStream.outputMode("update")
        .foreachBatch(sink)
        .option("checkpointLocation", str(folder / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()


def main() -> None:
    builder = (
        SparkSession.builder.appName("delta sink")
        .config("spark.sql.shuffle.partitions", 2)
        .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")  # Rockstate's stays beside it
        .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
        .config("spark.databricks.delta.snapshotPartitions", 1)  # a small table
    )
    spark = rockstate.configure(builder).getOrCreate()
    spark.sparkContext.setLogLevel("OFF")  # the failure is meant

    folder = Path(tempfile.mkdtemp(prefix="rockstate-delta-"))
    table = str(folder / "counts")
    (folder / "incoming").mkdir()
    for number in range(2):
        (folder / "incoming" / f"{number}.txt").write_text("to be or not to be", encoding="utf-8")

    try:
        run(spark, folder, DeltaSink(table, dies_in=1))
    except StreamingQueryException:
        print("the query failed; it is started again")
    run(spark, folder, DeltaSink(table))

    rows = spark.read.format("delta").load(table).orderBy("word", "batch").collect()
    for row in rows:
        print(f"{row['word']}: {row['count']} after batch {row['batch']}")
    assert len(rows) == 2 * 4, "four words in each of two batches"
    print("batch 1 ran twice, and the table has it once")
    spark.stop()


if __name__ == "__main__":
    main()
