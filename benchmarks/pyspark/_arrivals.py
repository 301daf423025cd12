"""Rows that arrive in batches of one size, known beforehand: as a stream, and as a table to compute answers from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

START = 1_600_000_000  # seconds since 1970, when the first batch arrives
_SOURCE = "rate-micro-batch"


@dataclass(frozen=True)
class Arrivals:
    """Rows (id, arrived): batch 0 loads ids -1, -2, … -`load`, each later batch brings the next `rows` ids from 0 on.

    A batch arrives one second after the one before. The source has `rows` rows in every batch; those of the first are
    multiplied.
    """

    load: int
    rows: int

    @property
    def source_options(self) -> dict[str, str]:
        return {
            "rowsPerBatch": str(self.rows),
            "startTimestamp": str(START * 1000),
            "advanceMillisPerBatch": "1000",
            "numPartitions": "2",
        }

    @property
    def ids(self) -> str:
        """SQL for the array of ids that the source's row `value` stands for."""
        each = -(-self.load // self.rows)
        return (
            f"CASE WHEN value >= {self.rows} THEN array(value - {self.rows}L) "
            f"WHEN value * {each} < {self.load} "
            f"THEN sequence(-1L - value * {each}, greatest(-{each}L - value * {each}, -{self.load}L), -1L) "
            "ELSE CAST(array() AS array<bigint>) END"
        )

    def stream(self, spark: SparkSession) -> DataFrame:
        """An endless stream, one batch after the other without a pause."""
        source = spark.readStream.format(_SOURCE).options(**self.source_options).load()
        return source.selectExpr(f"explode({self.ids}) AS id", "timestamp AS arrived")

    def until(self, spark: SparkSession, batch: int) -> DataFrame:
        """The rows of batches 0 to `batch`, with the number of their batch."""
        ids = spark.range(-self.load, batch * self.rows).withColumn("batch", self.batch_of("id"))
        return ids.selectExpr("id", "batch", f"timestamp_seconds(batch + {START}) AS arrived")

    def batch_of(self, id_column: str) -> Column:
        """The number of the batch that brings an id."""
        from pyspark.sql import functions as F

        return F.expr(f"CASE WHEN {id_column} < 0 THEN 0L ELSE {id_column} DIV {self.rows} + 1 END")
