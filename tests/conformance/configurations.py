"""The providers whose results docs/conformance.md publishes."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

SPARKS = "org.apache.spark.sql.execution.streaming.state."
HDFS_BACKED = SPARKS + "HDFSBackedStateStoreProvider"
ROCKSDB = SPARKS + "RocksDBStateStoreProvider"
ROCKSTATE = "io.rockstate.RockStateStoreProvider"
CHANGELOG = {"spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true"}

DOCUMENT = Path(__file__).parents[2] / "docs" / "conformance.md"


@dataclass(frozen=True)
class Configuration:
    """A provider with its confs. `name` heads its column."""

    name: str
    provider: str
    checkpoint_format: int = 1
    conf: dict[str, str] = field(default_factory=dict)

    def arguments(self) -> list[str]:
        """For `rockstate conformance`."""
        confs = [part for key, value in self.conf.items() for part in ("--conf", f"{key}={value}")]
        return ["--provider", self.provider, "--checkpoint-format", str(self.checkpoint_format), *confs]


CONFIGURATIONS = (
    Configuration("HDFS-backed", HDFS_BACKED),
    Configuration("RocksDB", ROCKSDB),
    Configuration("RocksDB changelog", ROCKSDB, conf=CHANGELOG),
    Configuration("RocksDB format 2", ROCKSDB, 2),
    Configuration("RocksDB changelog format 2", ROCKSDB, 2, CHANGELOG),
    Configuration("Rockstate", ROCKSTATE),
    Configuration("Rockstate format 2", ROCKSTATE, 2),
)
