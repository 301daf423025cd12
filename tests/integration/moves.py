"""A query on its way from provider to provider, for tests of `Checkpoint.migrate`."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession
from tests.integration.streams import Output, run_to_end
from tests.integration.verification import FORMAT, is_sound

import rockstate
from rockstate.moving.migration import PROVIDERS, Migration

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


ROCKSTATE_1, ROCKSTATE_2 = Stop("rockstate", 1), Stop("rockstate", 2)
ROCKSDB_1, ROCKSDB_2 = Stop("rocksdb", 1), Stop("rocksdb", 2)
HDFS = Stop("hdfs", 1)
EVERY_PAIR = (HDFS, ROCKSTATE_2, ROCKSDB_2, HDFS, ROCKSDB_1, ROCKSTATE_1, HDFS)
EVERY_PAIR_WITH_FAMILIES = (ROCKSDB_1, ROCKSTATE_2, ROCKSDB_2, ROCKSTATE_1, ROCKSTATE_2)
IS_WHOLE = "ROCKSTATE_EVERY_MOVE" in os.environ
"""Whether every query makes every move, as in `make test-all`; else an aggregation does, and the others make some."""
SOME = EVERY_PAIR if IS_WHOLE else (HDFS, ROCKSTATE_2, HDFS)
WITH_FAMILIES = EVERY_PAIR_WITH_FAMILIES if IS_WHOLE else (ROCKSDB_1, ROCKSTATE_2, ROCKSDB_2)


@dataclass
class Travelling:
    """A query that moves to the next stop before every batch of files but the first."""

    spark: SparkSession
    with_conf: SetConf
    folder: Path
    output: Output = field(default_factory=Output)

    def run(self, stops: Sequence[Stop], write: Write, run: Run = run_to_end) -> list[Migration]:
        """`write(n)` gives the query's writer once the files of the n-th stop are there, and `run` runs it."""
        moves = []
        for number, stop in enumerate(stops):
            self.with_conf(FORMAT, str(stop.format))
            if number == 0:
                self.with_conf(PROVIDER, PROVIDERS[stop.provider])
            else:
                moves.append(self.move(number, stop))
            run(write(number), str(self.at(number)))
        return moves

    def move(self, number: int, stop: Stop) -> Migration:
        """From the stop before. What is left behind goes, so that nobody reads it by mistake."""
        old = self.at(number - 1)
        format_before = self.spark.conf.get(FORMAT)
        self.with_conf(FORMAT, "2" if format_before == "1" else "1")  # the session's has no say
        moved = rockstate.Checkpoint(old).migrate(self.at(number), stop.provider, checkpoint_format=stop.format)
        self.with_conf(FORMAT, str(format_before))
        assert (moved.new_provider, moved.new_format) == (PROVIDERS[stop.provider], stop.format)
        if stop.provider == "rockstate":
            assert is_sound(self.at(number))
        shutil.rmtree(old)
        return moved

    def at(self, number: int) -> Path:
        return self.folder / f"checkpoint-{number}"
