"""An aggregation whose windows are deduplicated fails on RocksDB: needs only PySpark 4.2.

RocksDBStateStoreProvider. Ends with 1 if it is so, and with 0 if that is mended.
"""

# mypy: ignore-errors
import sys
import tempfile

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
spark = builder.config("spark.sql.shuffle.partitions", 2).getOrCreate()
spark.sparkContext.setLogLevel("OFF")
PROVIDERS = "org.apache.spark.sql.execution.streaming.state."

folder = tempfile.mkdtemp()
for n, (key, time) in enumerate((("a", "00:00:01"), ("c", "01:00:00"), ("c", "02:00:00"))):
    rows = spark.createDataFrame([(key, f"2024-01-01 {time}")], "k string, t string")
    rows.select("k", F.to_timestamp("t").alias("t")).coalesce(1).write.parquet(f"{folder}/rows/{n}")


def counted(provider):
    spark.conf.set("spark.sql.streaming.stateStore.providerClass", PROVIDERS + provider)
    rows = spark.readStream.schema("k string, t timestamp").option("maxFilesPerTrigger", 1).parquet(f"{folder}/rows/*")
    windows = rows.withWatermark("t", "1 second").groupBy(F.window("t", "10 seconds"), "k").count()
    sink = windows.dropDuplicates(["window", "k"]).writeStream.format("memory").queryName(provider)
    query = sink.option("checkpointLocation", f"{folder}/{provider}").trigger(availableNow=True).start()
    try:
        query.awaitTermination()
    except Exception as error:
        return "ended with AssertionError: " + str(error).partition("AssertionError: ")[2].partition("\n")[0]
    return f"gave {spark.table(provider).count()} windows"


print(f"On the file-based provider the query {counted('HDFSBackedStateStoreProvider')}")
found = counted("RocksDBStateStoreProvider")
print(f"On RocksDB it {found}")
sys.exit("AssertionError" in found)
