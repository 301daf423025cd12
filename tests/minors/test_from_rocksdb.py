"""docs/from-rocksdb.md has what Spark's RocksDB provider has on each Spark minor."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from tests.integration.minors import MINOR

from rockstate.launch.versions import is_since

PAGE = (Path(__file__).parents[2] / "docs" / "from-rocksdb.md").read_text(encoding="utf-8")
METRICS = (Path(__file__).parents[2] / "docs" / "metrics.md").read_text(encoding="utf-8")


def table(heading: str) -> dict[str, str]:
    """The first two cells of the rows below a heading."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `(\S+)`.*? \| (.*) \|$", section, re.MULTILINE)
    assert rows
    return dict(rows)


def state(spark: SparkSession) -> Any:
    jvm: Any = spark._jvm
    return jvm.org.apache.spark.sql.execution.streaming.state


def test_every_conf_is_on_the_page(spark: SparkSession) -> None:
    module = getattr(getattr(state(spark), "RocksDBConf$"), "MODULE$")
    names = set()
    for field in module.getClass().getDeclaredFields():
        field.setAccessible(True)
        entry = re.fullmatch(r"(?:SQL|Extra)ConfEntry\((\w[\w.]*),.*\)", str(field.get(module)))
        names |= {entry[1]} if entry else set()
    assert len(names) > 15
    assert names - table("Confs").keys() == set()


def test_every_metric_is_on_the_page(spark: SparkSession) -> None:
    metrics = state(spark).RocksDBStateStoreProvider().supportedCustomMetrics()
    names = {metrics.apply(at).name() for at in range(metrics.size())}
    assert len(names) > (30 if is_since(MINOR, "4.1") else 20)
    assert names - table("Metrics").keys() == set()


@pytest.mark.parametrize("metric", sorted(set(re.findall(r"`(rockstate[A-Z]\w+)`", PAGE))))
def test_what_takes_a_metrics_place_is_there(metric: str) -> None:
    assert f"| `{metric}` |" in METRICS
