"""What the streaming tab of Spark's UI draws of a query on Rockstate: what docs/metrics.md says of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.launch.test_launch import run

pytestmark = pytest.mark.slow

JOB = """
import re, time, urllib.request
named = {"spark.sql.streaming.ui.enabledCustomMetricList": "rockstateCommitLatencyMs"}
confs = {"spark.ui.enabled": "true", "spark.ui.port": "0", "spark.sql.shuffle.partitions": "1", **named}
spark = rockstate.configure(plain().config(map=confs)).getOrCreate()
numbers = spark.readStream.format("rate").option("rowsPerSecond", 10).load()
query = numbers.groupBy("value").count().writeStream.outputMode("update").format("noop")
query = query.option("checkpointLocation", "checkpoint").start()
while query.isActive and not query.lastProgress:
    time.sleep(0.1)
page = f"{spark.sparkContext.uiWebUrl}/StreamingQuery/statistics?id={query.runId}"
drawn = urllib.request.urlopen(page).read().decode()
print("ROCKSTATE", *sorted(set(re.findall(r"rockstate[A-Z]\\w+", drawn))))
print("REPORTED", "rockstateDeltaBytesWritten" in query.lastProgress["stateOperators"][0]["customMetrics"])
"""


def test_it_draws_the_metrics_that_a_conf_names_and_no_others(tmp_path: Path) -> None:
    assert run(tmp_path, JOB) == ["ROCKSTATE rockstateCommitLatencyMs", "REPORTED True"]
