"""An application that `test_small_heap` runs: it makes a checkpoint whose partitions are larger than its heap, and
moves it to another number of them. Arguments: a folder, and how many rows.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from tests.integration.test_bootstrap import AGGREGATION

import rockstate


def main(folder: Path, rows: int) -> None:
    """Prints how many rows were moved."""
    spark = rockstate.configure(SparkSession.builder.master("local[2]"), memory_budget="64m").getOrCreate()
    spark.conf.set("spark.sql.shuffle.partitions", 2)
    (folder / "events").mkdir()
    events = spark.readStream.schema("key string, text string").json(str(folder / "events"))
    result = events.groupBy("key").agg(F.max("text").alias("text"))
    text = F.concat(*(F.sha1(F.concat("id", F.lit(n)).cast("string")) for n in range(8)))
    table = spark.range(rows).select(
        F.struct(F.sha1(F.col("id").cast("string")).alias("key")).alias("key"),
        F.struct(text.alias("max")).alias("value"),
    )
    begun = rockstate.Checkpoint.begin(folder / "begun", result, "complete")
    begun.bootstrap(folder / "large", {AGGREGATION: table})
    moved = rockstate.Checkpoint(folder / "large").repartition(folder / "moved", 3)
    print(f"moved {moved.rows} rows")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
