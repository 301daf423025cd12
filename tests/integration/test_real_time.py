"""Real-time mode, from Spark 4.3 on with state: not on Rockstate (docs/decisions, 35)."""

from __future__ import annotations

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from tests.integration.minors import skip_before

REFUSAL = "stateStore.providerClass must be .*RocksDBStateStoreProvider"


def test_spark_refuses_it_with_any_provider_but_its_own(spark: SparkSession, checkpoint: str) -> None:
    skip_before("4.3", "real-time mode keeps no state")
    counts = spark.readStream.format("rate").load().groupBy("value").count()
    writer = counts.writeStream.outputMode("update").format("console").option("checkpointLocation", checkpoint)
    with pytest.raises(PySparkException, match=REFUSAL):
        writer.trigger(**{"realTime": "5 seconds"}).start()  # PySpark 4.2 has no such argument
