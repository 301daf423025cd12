"""Checks that a query's answers are right: of every batch what it put out, and after the last one the state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from benchmarks.process import WrongAnswer
from benchmarks.pyspark._progress import Batch
from benchmarks.pyspark._question import Question, Sizes

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession


def digest(table: DataFrame) -> tuple[Column, Column]:
    """Aggregates that tell two tables of the same columns apart, whatever their order: rows, and the sum of hashes."""
    from pyspark.sql import functions as F

    # 40 bits of a hash: millions of them have a sum that fits a long.
    hashes = F.shiftright(F.xxhash64(*map(F.col, table.columns)), 24)
    return F.count("*").alias("rows"), F.sum(hashes).alias("hashes")


def check_output(question: Question, spark: SparkSession, sizes: Sizes, batches: Iterable[Batch]) -> None:
    """Raises WrongAnswer if a batch put out anything else than it must."""
    expected = question.expected(spark, sizes)
    rows = expected.groupBy("batch").agg(*digest(expected.drop("batch"))).collect()
    right = {row["batch"]: (row["rows"], row["hashes"]) for row in rows}
    for batch in batches:
        must = right.get(batch.id, (0, 0))
        if batch.output != must:
            raise WrongAnswer(f"batch {batch.id} put out {batch.output} instead of {must} (rows, sum of hashes)")


def check_state(question: Question, spark: SparkSession, checkpoint: str, sizes: Sizes) -> dict[str, int]:
    """The rows of the state by table. Raises WrongAnswer if it is not what it must be."""
    found = {}
    for name, (actual, expected) in question.state(spark, checkpoint, sizes).items():
        ours, right = (tuple(each.agg(*digest(each)).collect()[0]) for each in (actual, expected))
        if ours != right:
            raise WrongAnswer(f"{name} after batch {sizes.last} holds {ours} instead of {right} (rows, sum of hashes)")
        found[name] = int(ours[0])
    return found
