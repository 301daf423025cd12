"""A query on its way from provider to provider, for tests of `Checkpoint.migrate`."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession
from tests.conftest import IS_WHOLE
from tests.integration.streams import Output, run_to_end
from tests.integration.verification import FORMAT, is_sound

import rockstate
from rockstate.moving.move import PROVIDERS, Move

SetConf = Callable[[str, str], None]
Write = Callable[[int], Any]
Run = Callable[[Any, str], None]

PROVIDER = "spark.sql.streaming.stateStore.providerClass"


@dataclass(frozen=True)
class Stop:
    """A provider, and the checkpoint format that the state has there."""

    provider: str
    format: int

    def __str__(self) -> str:
        return f"{self.provider}-{self.format}"


Stops = Sequence[Stop | int]
"""Providers, and numbers of partitions."""

ROCKSTATE_1, ROCKSTATE_2 = Stop("rockstate", 1), Stop("rockstate", 2)
ROCKSDB_1, ROCKSDB_2 = Stop("rocksdb", 1), Stop("rocksdb", 2)
HDFS = Stop("hdfs", 1)
# From each to each that is another, along one way round, and from 4 to 7 to 2 partitions.
EVERY_PAIR: tuple[Stop | int, ...] = (
    *(HDFS, 4, ROCKSDB_1, ROCKSDB_2, ROCKSTATE_1, ROCKSTATE_2, HDFS, 7, ROCKSDB_2, ROCKSTATE_2, ROCKSDB_1, ROCKSTATE_1),
    *(HDFS, 2, ROCKSTATE_1, ROCKSDB_1, ROCKSTATE_2, ROCKSDB_2, HDFS, ROCKSTATE_2, ROCKSTATE_1, ROCKSDB_2, ROCKSDB_1),
    HDFS,
)
EVERY_PAIR_WITH_FAMILIES: tuple[Stop | int, ...] = (
    *(ROCKSDB_1, ROCKSDB_2, ROCKSDB_1, 4, ROCKSTATE_1, ROCKSDB_1, ROCKSTATE_2, ROCKSDB_2, 7, ROCKSTATE_1, ROCKSDB_2),
    *(2, ROCKSTATE_2, ROCKSTATE_1, ROCKSTATE_2, ROCKSDB_1),
)
EVERY_MOVE: tuple[Stop | int, ...] = (HDFS, 4, ROCKSTATE_2, 7, ROCKSDB_2, HDFS, ROCKSDB_1, 2, ROCKSTATE_1, HDFS)
EVERY_MOVE_WITH_FAMILIES = (ROCKSDB_1, 4, ROCKSTATE_2, 7, 2, ROCKSDB_2, ROCKSTATE_1, ROCKSTATE_2)
# Else an aggregation makes every kind of move, and the other queries make some.
ALL = EVERY_PAIR if IS_WHOLE else EVERY_MOVE
ALL_WITH_FAMILIES = EVERY_PAIR_WITH_FAMILIES if IS_WHOLE else (ROCKSDB_1, ROCKSTATE_2, 5, ROCKSDB_2)
SOME = EVERY_MOVE if IS_WHOLE else (HDFS, ROCKSTATE_2, 5, HDFS)
WITH_FAMILIES = EVERY_MOVE_WITH_FAMILIES if IS_WHOLE else (ROCKSDB_1, ROCKSTATE_2, 5, ROCKSDB_2)


@dataclass
class Travelling:
    """A query that moves to the next stop before every batch of files but the first."""

    spark: SparkSession
    with_conf: SetConf
    folder: Path
    output: Output = field(default_factory=Output)

    def run(self, stops: Stops, write: Write, run: Run = run_to_end) -> list[Move]:
        """`write(n)` gives the query's writer once the files of the n-th stop are there, and `run` runs it."""
        moves = []
        for number, stop in enumerate(stops):
            if number > 0:
                moves.append(self.move(number, stop))
            elif isinstance(stop, Stop):
                self.with_conf(PROVIDER, PROVIDERS.get(stop.provider, stop.provider))
            if isinstance(stop, Stop):
                self.with_conf(FORMAT, str(stop.format))
            run(write(number), str(self.at(number)))
        return moves

    def move(self, number: int, stop: Stop | int) -> Move:
        """From the stop before. What is left behind goes, so that nobody reads it by mistake."""
        old, new = rockstate.Checkpoint(self.at(number - 1)), self.at(number)
        its_format = self.spark.conf.get(FORMAT)
        self.with_conf(FORMAT, "2" if its_format == "1" else "1")  # the session's has no say
        if isinstance(stop, int):
            moved = old.repartition(new, stop)
            assert (moved.new_provider, moved.new_format) == (moved.old_provider, moved.old_format)
            assert {store.new_partitions for store in moved.stores} <= {1, stop}
        else:
            moved = old.migrate(new, stop.provider, checkpoint_format=stop.format)
            assert (moved.new_provider, moved.new_format) == (PROVIDERS.get(stop.provider, stop.provider), stop.format)
        self.with_conf(FORMAT, str(its_format))
        if moved.new_provider == PROVIDERS["rockstate"]:
            is_sound(new)
        shutil.rmtree(old.path)
        return moved

    def at(self, number: int) -> Path:
        return self.folder / f"checkpoint-{number}"
