"""What a query's start looks at: bad options and unfinished checkpoints are refused, another provider is told of."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import IllegalArgumentException
from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from rockstate.options.keys import PROVIDER_CLASS, PROVIDER_KEY

OURS = "spark.sql.streaming.stateStore.rockstate."
HDFS_BACKED = "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider"
ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
FORMAT = "spark.sql.streaming.stateStore.checkpointFormatVersion"

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


@contextmanager
def log_of(spark: SparkSession) -> Iterator[Any]:
    """What Spark's JVM logs meanwhile, in a `java.io.StringWriter`."""
    jvm: Any = spark._jvm
    core = jvm.org.apache.logging.log4j.core
    written = jvm.java.io.StringWriter()
    layout = core.layout.PatternLayout.createDefaultLayout()
    appender = core.appender.WriterAppender.createAppender(layout, None, written, "test", False, True)
    appender.start()
    root = jvm.org.apache.logging.log4j.LogManager.getContext(False).getRootLogger()
    root.addAppender(appender)
    try:
        yield written
    finally:
        root.removeAppender(appender)


def committed_formats(checkpoint: str) -> list[str]:
    """Of each batch, oldest first."""
    files = (file for file in (Path(checkpoint) / "commits").iterdir() if file.name.isdigit())
    return [file.read_text().splitlines()[0] for file in sorted(files, key=lambda file: int(file.name))]


@pytest.mark.parametrize("provider", [HDFS_BACKED, ROCKSDB])
def test_a_query_that_goes_on_with_another_provider_is_told_so_with_the_remedy(
    spark: SparkSession, checkpoint: str, with_conf: SetConf, provider: str
) -> None:
    with_conf(PROVIDER_KEY, provider)
    with_conf(FORMAT, "1")
    with log_of(spark) as before:
        assert start(spark, checkpoint).awaitTermination(60)
    with_conf(PROVIDER_KEY, PROVIDER_CLASS)
    with_conf(FORMAT, "2")
    with log_of(spark) as after:
        assert start(spark, checkpoint).awaitTermination(60)
    with log_of(spark) as elsewhere:
        assert start(spark, f"{checkpoint}-new").awaitTermination(60)
    assert committed_formats(checkpoint) == ["v1", "v1"]
    assert committed_formats(f"{checkpoint}-new") == ["v2"]
    assert "NOT IN ROCKSTATE" in after.toString()
    assert f"begun with {provider}" in after.toString()
    assert f"rockstate migrate file:{checkpoint} NEW --to rockstate" in after.toString()
    assert "NOT IN ROCKSTATE" not in before.toString() + elsewhere.toString()


@pytest.mark.parametrize(("began", "session"), [("1", "2"), ("2", "1")])
def test_a_query_goes_on_with_its_checkpoint_format(
    spark: SparkSession, checkpoint: str, with_conf: SetConf, began: str, session: str
) -> None:
    with_conf(FORMAT, began)
    assert start(spark, checkpoint).awaitTermination(60)
    with_conf(FORMAT, session)
    assert start(spark, checkpoint).awaitTermination(60)
    assert start(spark, f"{checkpoint}-new").awaitTermination(60)
    assert start(spark, checkpoint).awaitTermination(60)
    assert spark.conf.get(FORMAT) == session
    assert committed_formats(checkpoint) == [f"v{began}"] * 3
    assert committed_formats(f"{checkpoint}-new") == [f"v{session}"]
    with_conf(FORMAT, began)
    assert start(spark, f"{checkpoint}-newer").awaitTermination(60)
    assert committed_formats(f"{checkpoint}-newer") == [f"v{began}"]


def repartitioned_by_half(checkpoint: Path) -> None:
    offsets = checkpoint / "offsets"
    newest = max(int(file.name) for file in offsets.iterdir() if file.name.isdigit())
    partitions = '"spark.sql.shuffle.partitions":"2"'
    planned = (offsets / str(newest)).read_text()
    assert partitions in planned
    (offsets / str(newest + 1)).write_text(planned.replace(partitions, partitions.replace("2", "3")))


def made_by_half(checkpoint: Path) -> None:
    (checkpoint / "metadata").unlink()
    (checkpoint / "rockstate-unfinished").write_text("elsewhere")


def rolled_back_by_half(checkpoint: Path) -> None:
    journal = {"batch": 7, "folder": "rockstate-rolled-back/1", "isRollback": True}
    (checkpoint / "rockstate-rollback").write_text(json.dumps(journal))


@pytest.mark.parametrize(
    ("cut_off", "refusal"),
    [
        (repartitioned_by_half, "is being given 3 partitions instead of 2.* --partitions 3` again"),
        (made_by_half, "is being made of elsewhere, or that was cut off"),
        (rolled_back_by_half, r"is being rolled back .* cut off.* Run `rockstate rollback \S+ --batch 7` again"),
    ],
)
def test_a_query_on_an_unfinished_checkpoint_is_refused_with_the_remedy(
    spark: SparkSession, checkpoint: str, cut_off: Callable[[Path], None], refusal: str
) -> None:
    assert start(spark, checkpoint).awaitTermination(60)
    assert start(spark, checkpoint).awaitTermination(60)
    cut_off(Path(checkpoint))
    with pytest.raises(IllegalArgumentException, match=refusal):
        start(spark, checkpoint)
