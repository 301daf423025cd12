"""What the streaming tab of Spark's UI draws of a query on Rockstate: what docs/metrics.md says of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.launch.test_launch import run

from rockstate.options.catalogue import UI_METRICS

pytestmark = pytest.mark.slow

JOB = """
import re, time, urllib.request
confs = {"spark.ui.enabled": "true", "spark.ui.port": "0", "spark.sql.shuffle.partitions": "1"}
spark = rockstate.configure(plain().config(map=confs)).getOrCreate()
numbers = spark.readStream.format("rate").option("rowsPerSecond", 10).load()

def drawn(provider, checkpoint):
    spark.conf.set("spark.sql.streaming.stateStore.providerClass", provider)
    spark.conf.set("spark.sql.streaming.stateStore.checkpointFormatVersion", "2" if "rockstate" in provider else "1")
    query = numbers.groupBy("value").count().writeStream.outputMode("update").format("noop")
    query = query.option("checkpointLocation", checkpoint).start()
    while query.isActive and not query.lastProgress:
        time.sleep(0.1)
    page = f"{spark.sparkContext.uiWebUrl}/StreamingQuery/statistics?id={query.runId}"
    html = urllib.request.urlopen(page).read().decode()
    print("REPORTED", "rockstateGetCount" in query.lastProgress["stateOperators"][0]["customMetrics"])
    query.stop()
    return html

page = drawn("io.rockstate.RockStateStoreProvider", "ours")
print("ROCKSTATE", *sorted(set(re.findall(r"aggregated-(rockstate[A-Z]\\w+)-timeline", page))))
print("WORDS", "time to commit what the batch has changed" in page)
page = drawn("org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider", "theirs")
print("OTHER", len(re.findall("aggregated-rockstate", page)), "Aggregated Number Of Total State Rows" in page)
"""


def test_it_draws_the_metrics_that_configure_names_in_words_and_other_providers_as_ever(tmp_path: Path) -> None:
    reported, ours, words, reported_by_other, other = run(tmp_path, JOB)
    assert reported == "REPORTED True"
    assert ours == f"ROCKSTATE {' '.join(sorted(UI_METRICS))}"
    assert words == "WORDS True"
    assert (reported_by_other, other) == ("REPORTED False", "OTHER 0 True")
