"""What an end-to-end question is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True)
class Sizes:
    """How much of everything: `keys` in the state once it is loaded, `rows` of a batch, `warmup` batches that are not
    counted, after the one that loads the state, `batches` that are, and those `after` that are there, too."""

    keys: int
    rows: int
    warmup: int
    batches: int
    after: int = 0

    @property
    def first_counted(self) -> int:
        return 1 + self.warmup

    @property
    def last(self) -> int:
        return self.warmup + self.batches + self.after

    @property
    def half_way(self) -> int:
        """A batch in the middle of those that are counted."""
        return self.first_counted + self.batches // 2


class Question(Protocol):
    """A streaming query and what it must answer."""

    name: str
    default_keys: int
    output_mode: str

    def query(self, spark: SparkSession, sizes: Sizes) -> DataFrame:
        """The stream of answers."""

    def expected(self, spark: SparkSession, sizes: Sizes) -> DataFrame:
        """What `query` puts out up to the last batch, computed without a stream: its columns, and `batch`."""

    def state(self, spark: SparkSession, checkpoint: str, sizes: Sizes) -> Mapping[str, tuple[DataFrame, DataFrame]]:
        """Tables of the state after the last batch by name: as it is, and as it must be."""


def state_rows(spark: SparkSession, checkpoint: str, sizes: Sizes, **options: str) -> DataFrame:
    """The query's state after the last batch, as Spark's data source has it."""
    return spark.read.format("statestore").option("batchId", sizes.last).options(**options).load(checkpoint)
