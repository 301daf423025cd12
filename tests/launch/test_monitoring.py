"""A driver shows Prometheus what docs/monitoring.md says, under the names that rules and dashboard ask for."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from tests.launch.pages import blocks_of
from tests.launch.test_launch import run
from tests.quick_spark import quick_spark

DOCS = Path(__file__).parents[2] / "docs"
MONITORING = DOCS / "monitoring"

pytestmark = pytest.mark.slow

JOB = """
import json, re, time, urllib.request
confs = {"spark.app.name": "words"}
confs |= {"spark.ui.enabled": "true", "spark.ui.port": "0", "spark.sql.shuffle.partitions": "1"}
spark = rockstate.configure(plain().config(map=confs)).getOrCreate()
spark.streams.addListener(rockstate.StateMetrics())
numbers = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 10).load()
query = numbers.groupBy("value").count().writeStream.outputMode("update").format("noop").queryName("my words")
query = query.option("checkpointLocation", "checkpoint").start()

def shown():
    return urllib.request.urlopen(spark.sparkContext.uiWebUrl + "/metrics/prometheus").read().decode()

while query.isActive and not re.search("operator0_batches_Count.* [2-9]", shown()):  # the first batch is whole
    time.sleep(0.1)
print("SHOWN", json.dumps(shown()))
query.stop()
until = time.monotonic() + 30
while "my_words_operator0" in shown() and time.monotonic() < until:
    time.sleep(0.1)
print("LEFT", "my_words_operator0" in shown())
"""


def relabeled(text: str) -> dict[str, dict[str, str]]:
    """The metrics' names with their labels, as prometheus.yml has them made of what a driver shows."""
    (job,) = yaml.safe_load((MONITORING / "prometheus.yml").read_text(encoding="utf-8"))["scrape_configs"]
    rules = [rule for rule in job["metric_relabel_configs"] if "target_label" in rule]
    (pattern,) = {rule["regex"] for rule in rules}
    templates = {rule["target_label"]: rule["replacement"].replace("$", "\\") for rule in rules}
    names = (re.fullmatch(pattern, line.partition("{")[0]) for line in text.splitlines())
    made = [{label: name.expand(text) for label, text in templates.items()} for name in names if name]
    return {labels.pop("__name__"): labels for labels in made}


def test_the_metrics_are_there_while_the_query_runs(tmp_path: Path) -> None:
    (lines,) = [block.text for block in blocks_of(DOCS / "monitoring.md") if block.text.startswith("spark.metrics")]
    confs = dict(line.split(maxsplit=1) for line in lines.splitlines())
    env = quick_spark(**confs)
    shown, left = run(tmp_path, JOB, **env)
    found = relabeled(json.loads(shown.removeprefix("SHOWN ")))
    asked = "".join((MONITORING / file).read_text(encoding="utf-8") for file in ("rules.yml", "dashboard.json"))
    assert set(re.findall(r"spark_state_\w+", asked)) <= set(found)
    assert found["spark_state_batches"] == {"application": "words", "query": "my_words", "operator": "0"}
    assert left == "LEFT False"
