"""A session that has run no query cannot read state of Spark's default provider: needs only PySpark 4.2.

HDFSBackedStateStoreProvider. Ends with 1 if it is so, and with 0 if that is mended.
"""

# mypy: ignore-errors
import subprocess
import sys
import tempfile

from pyspark.sql import SparkSession

builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
spark = builder.config("spark.sql.shuffle.partitions", 2).getOrCreate()
spark.sparkContext.setLogLevel("OFF")


def state_of(checkpoint):
    return spark.read.format("statestore").load(checkpoint)


if len(sys.argv) > 1:  # the second session
    try:
        print("first", state_of(sys.argv[1]).count())
    except Exception as error:
        print("first", str(error).partition("SparkException: ")[2].partition(" SQLSTATE")[0].strip())
    spark.streams  # noqa: B018 - makes the coordinator that stores report to
    print("then", state_of(sys.argv[1]).count())
    sys.exit()

folder = tempfile.mkdtemp()
spark.range(100).selectExpr("id", "id % 7 AS key").write.parquet(f"{folder}/rows")
counts = spark.readStream.schema("id long, key long").parquet(f"{folder}/rows").groupBy("key").count()
sink = counts.writeStream.outputMode("update").format("noop").option("checkpointLocation", f"{folder}/checkpoint")
sink.trigger(availableNow=True).start().awaitTermination()
spark.stop()

again = [sys.executable, __file__, f"{folder}/checkpoint"]
said = subprocess.run(again, capture_output=True, text=True, check=True).stdout
first, then = (line.partition(" ")[2] for line in said.splitlines() if line.startswith(("first ", "then ")))
print(f"Reading the state ended with: {first} After spark.streams it has {then} rows.")
sys.exit(first != "7")
