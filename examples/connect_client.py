"""A Spark Connect client whose query keeps its state in Rockstate, on the server.

    rockstate conf --properties-file rockstate.conf          # where the server is
    start-connect-server.sh --load-spark-defaults --properties-file rockstate.conf
    python examples/connect_client.py sc://host:15002 hdfs://nn/checkpoints/words

The server has the jar and the confs; the client calls no `configure`, and needs nothing of Rockstate's. The checkpoint
is a path of the server's. Needs `pip install 'pyspark[connect]'`; `rockstate doctor --connect sc://host:15002` tells
whether the server keeps state in Rockstate.
"""

from __future__ import annotations

import sys

from pyspark.sql import SparkSession


def main(url: str, checkpoint: str) -> None:
    spark = SparkSession.builder.remote(url).getOrCreate()
    numbers = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 100).load()
    query = (
        numbers.selectExpr("value % 7 AS number")
        .groupBy("number")
        .count()
        .writeStream.queryName("numbers")
        .outputMode("update")
        .format("noop")
        .option("checkpointLocation", checkpoint)
        .trigger(availableNow=True)  # one batch; leave it out to run on
        .start()
    )
    query.awaitTermination()

    progress = query.lastProgress
    assert progress is not None
    (operator,) = progress["stateOperators"]
    puts = operator["customMetrics"]["rockstatePutCount"]
    print(f"{operator['numRowsTotal']} rows of state, {puts} puts in Rockstate")

    state = spark.read.format("statestore").load(checkpoint)  # what `rockstate.Checkpoint.rows` does, too
    state.select("key.number", "value.count").orderBy("number").show()
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
