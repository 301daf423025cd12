"""From counted requests to requests a second and dollars a day: a model, all of whose assumptions are named here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

from benchmarks.scale.requests import READS, WRITES

#: S3 Standard, us-east-1, list prices in dollars for 1,000 requests, as of November 2026: check yours.
WRITE_PRICE, READ_PRICE = 0.005, 0.0004
#: Requests a second that S3 promises for a partitioned prefix; a listing counts as a read there, a delete as a write.
PREFIX_WRITES, PREFIX_READS = 3_500, 5_500
#: A file that goes in a bulk delete: no request of its own, but S3 counts it towards a prefix's writes.
BULK_KEY = "BULK_KEY"
PARTITIONS = (200, 1_000, 10_000)
INTERVALS = (1, 10, 60)
DAY = 86_400

Counts = Mapping[str, float]


@dataclass(frozen=True)
class Setup:
    """A query in production: seconds between batches and runs of maintenance, and when snapshot and clean-up come.

    `snapshot_deltas`: deltas between snapshots, at least; `stale_versions`: versions that clean-up waits for.
    """

    partitions: int
    interval: int
    maintenance: int = 60
    snapshot_deltas: int = 10
    stale_versions: int = 30

    def rounded(self, batches: int) -> int:
        """Batches until maintenance runs and finds that many new ones."""
        runs = ceil(batches * self.interval / self.maintenance)
        return max(batches, round(runs * self.maintenance / self.interval))

    @property
    def snapshot_every(self) -> int:
        return self.rounded(self.snapshot_deltas)

    @property
    def clean_up_every(self) -> int:
        return self.rounded(self.stale_versions)


def plus(*counts: Counts) -> dict[str, float]:
    kinds = dict.fromkeys(kind for each in counts for kind in each)
    return {kind: sum(each.get(kind, 0) for each in counts) for kind in kinds}


def times(counts: Counts, factor: float) -> dict[str, float]:
    return {kind: count * factor for kind, count in counts.items()}


def driver_batch(counted: Mapping[str, Any]) -> dict[str, float]:
    """Requests of a batch that are not in a partition's folder."""
    return plus(*(counts for area, counts in counted["batch"].items() if area != "store"))


def partition_batch(counted: Mapping[str, Any], partitions: int) -> dict[str, float]:
    """Requests of a batch in the folders of one partition, all its stores."""
    return times(counted["batch"].get("store", {}), 1 / partitions)


def deleted_file(counted: Mapping[str, Any]) -> dict[str, float]:
    """Requests by which clean-up deletes one file, if it goes by itself."""
    return times(counted["clean_up_deletes"].get("store", {}), 1 / max(counted["deleted_files"], 1e-9))


def partition_maintenance(counted: Mapping[str, Any], setup: Setup) -> dict[str, float]:
    """Requests of maintenance for one partition, per batch: a delta for each batch goes, and two files a snapshot."""
    files = 1 + 2 / setup.snapshot_every
    fixed = counted["clean_up_fixed"].get("store", {})
    each = {BULK_KEY: 1.0} if "BULK_DELETE" in fixed else deleted_file(counted)
    return times(
        plus(
            times(counted["snapshot"].get("store", {}), 1 / setup.snapshot_every),
            times(fixed, 1 / setup.clean_up_every),
            times(each, files),
        ),
        counted["stores"],
    )


def batch(counted: Mapping[str, Any], measured_partitions: int, setup: Setup) -> dict[str, float]:
    """All requests of a batch of that setup, maintenance included."""
    per_partition = plus(partition_batch(counted, measured_partitions), partition_maintenance(counted, setup))
    return plus(driver_batch(counted), times(per_partition, setup.partitions))


def per_second(counts: Counts, interval: int) -> float:
    return sum(count for kind, count in counts.items() if kind != BULK_KEY) / interval


def dollars(counts: Counts) -> float:
    """What these requests cost; deletes are free."""
    writes = sum(counts.get(kind, 0) for kind in WRITES)
    reads = sum(counts.get(kind, 0) for kind in READS)
    return (writes * WRITE_PRICE + reads * READ_PRICE) / 1000


def dollars_a_day(counts: Counts, interval: int) -> float:
    return dollars(counts) * DAY / interval


def prefixes(counts: Counts, interval: int) -> float:
    """How many partitioned prefixes of S3's these requests fill."""
    reads = sum(counts.get(kind, 0) for kind in (*READS, "LIST")) / interval
    writes = (sum(counts.values()) - counts.get("BULK_DELETE", 0)) / interval - reads
    return max(reads / PREFIX_READS, writes / PREFIX_WRITES)
