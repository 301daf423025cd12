"""An option that does not exist or is not valid is refused when a query starts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pyspark.errors import IllegalArgumentException
from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery

OURS = "spark.sql.streaming.stateStore.rockstate."
HDFS_BACKED = "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider"

SetConf = Callable[[str, str], None]


def start(spark: SparkSession, checkpoint: str) -> StreamingQuery:
    numbers = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 10).load()
    writer = numbers.dropDuplicates(["value"]).writeStream.format("noop").option("checkpointLocation", checkpoint)
    return writer.trigger(availableNow=True).start()


def test_an_unknown_option_is_refused_as_it_is_written_with_the_nearest_name(
    spark: SparkSession, checkpoint: str, with_conf: SetConf
) -> None:
    with_conf(OURS + "memoryBuget", "1g")
    with pytest.raises(IllegalArgumentException) as refused:
        start(spark, checkpoint)
    assert f"Unknown option {OURS}memoryBuget (did you mean {OURS}memoryBudget?)" in str(refused.value)


def test_an_invalid_value_is_refused(spark: SparkSession, checkpoint: str, with_conf: SetConf) -> None:
    with_conf(OURS + "fetchThreads", "many")
    with pytest.raises(IllegalArgumentException, match="fetchThreads is 'many', but must be"):
        start(spark, checkpoint)


def test_a_query_on_another_provider_is_left_alone(spark: SparkSession, checkpoint: str, with_conf: SetConf) -> None:
    with_conf(OURS + "memoryBuget", "1g")
    with_conf("spark.sql.streaming.stateStore.providerClass", HDFS_BACKED)
    with_conf("spark.sql.streaming.stateStore.checkpointFormatVersion", "1")  # the one it knows
    query = start(spark, checkpoint)
    assert query.awaitTermination(60)
    assert query.exception() is None
