"""State is read in whichever checkpoint format it is, whatever the session's own."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable

import pytest
from pyspark.sql import SparkSession
from tests.integration.minors import MINOR
from tests.minors.golden_queries import FORMAT, GOLDEN, GOLDEN_RUNS, values

from rockstate import Checkpoint, Misuse, Unsupported
from rockstate.launch.versions import SPARK_MINORS

SetConf = Callable[[str, str], None]

READS_FORMAT_2 = SPARK_MINORS[MINOR].checkpoint_format == 2
LAST_BATCH = 2 * GOLDEN_RUNS - 1
formats = pytest.mark.parametrize("found", ["1", "2"] if READS_FORMAT_2 else ["1"])


def aggregation(checkpoint_format: str, minor: str = MINOR) -> Checkpoint:
    return Checkpoint(GOLDEN / minor / f"aggregation-f{checkpoint_format}")


def other(checkpoint_format: str) -> str:
    return "1" if checkpoint_format == "2" else "2"


@formats
def test_rows_are_read_in_a_session_of_the_other_format(spark: SparkSession, with_conf: SetConf, found: str) -> None:
    with_conf(FORMAT, other(found))
    rows = aggregation(found).rows().select("key._groupingexpression", "value.count").collect()
    keys = Counter(f"key-{n % 4}" if n % 4 else None for n in values(GOLDEN_RUNS - 1))
    assert {row[0]: row[1] for row in rows} == keys
    assert spark.conf.get(FORMAT) == other(found)


def test_a_joins_rows_are_written_as_json(spark: SparkSession) -> None:
    rows = Checkpoint(GOLDEN / MINOR / "join-f1").rows(joinSide="left")
    value = [*rows.select("value.*").columns]
    written = [json.loads(str(line)) for line in rows.toJSON().collect()]
    assert written
    assert {tuple(row["value"]) for row in written} == {tuple(value)}


@formats
def test_changes_are_read_in_a_session_of_the_other_format(spark: SparkSession, with_conf: SetConf, found: str) -> None:
    with_conf(FORMAT, other(found))
    batches = {row[0] for row in aggregation(found).changes(0).select("batch_id").collect()}
    assert {0, LAST_BATCH - 1} <= batches
    assert spark.conf.get(FORMAT) == other(found)


@formats
def test_the_sessions_format_is_put_back_after_an_error(spark: SparkSession, with_conf: SetConf, found: str) -> None:
    with_conf(FORMAT, other(found))
    with pytest.raises(Misuse, match="no committed batch 99"):
        aggregation(found).rows(batchId=99)
    assert spark.conf.get(FORMAT) == other(found)


def test_a_session_that_has_set_no_format_has_none_afterwards(spark: SparkSession, with_conf: SetConf) -> None:
    with_conf(FORMAT, "1")
    spark.conf.unset(FORMAT)
    assert aggregation("1").rows().count() > 0
    assert spark.conf.get(FORMAT, None) is None


@pytest.mark.skipif(READS_FORMAT_2, reason=f"Spark {MINOR} reads state in format 2")
def test_a_format_that_this_spark_cannot_read_is_told_with_the_remedy(spark: SparkSession) -> None:
    before = spark.conf.get(FORMAT, None)
    refusal = r"format 2.* passes no ids\. Read it with Spark 4\.1 or later"
    with pytest.raises(Unsupported, match=refusal):
        aggregation("2", "4.1").rows()
    with pytest.raises(Unsupported, match=refusal):
        aggregation("2", "4.1").changes(0)
    assert spark.conf.get(FORMAT, None) == before
