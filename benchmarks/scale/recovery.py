"""How long a recovery takes, by the size of the state: a model from measured parts and a stated network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import ClassVar

#: Measured on one busy core: docs/operations.md, 1 to 2.4 us.
SECONDS_PER_RECORD = 2e-6


@dataclass(frozen=True)
class Network:
    """Between an executor and storage: bytes a second, seconds until storage answers, and what fetches in parallel.

    `requests`: one after the other, to load a store from a snapshot; `delta_requests`: for each delta after it.
    """

    bytes_a_second: float = 500e6
    latency: float = 0.03
    fetch_threads: int = 8
    cores: int = 4
    requests: float = 8
    delta_requests: float = 2


@dataclass(frozen=True)
class Store:
    """One partition's store, and when its snapshots are due; maintenance runs every `maintenance_batches` batches."""

    MOST_DELTAS: ClassVar[int] = 1_000  # SnapshotPolicy.scala
    MOST_RECORDS: ClassVar[float] = 10e6
    REQUEST_BYTES: ClassVar[int] = 128 << 10
    SMALL_SNAPSHOT: ClassVar[int] = 256 << 10

    state_bytes: float
    delta_bytes: float
    delta_records: float
    min_deltas: int = 10
    maintenance_batches: float = 6.0

    @property
    def snapshot_every(self) -> int:
        """Batches from one snapshot to the next: SnapshotPolicy.isDue, at the first maintenance that finds it so."""
        due = self.min_deltas
        if self.state_bytes > self.SMALL_SNAPSHOT:
            worth = self.state_bytes / (self.delta_bytes + self.REQUEST_BYTES)
            most = min(worth, self.MOST_DELTAS, self.MOST_RECORDS / max(self.delta_records, 1e-9))
            due = max(due, ceil(most))
        runs = ceil(due / self.maintenance_batches)
        return max(due, round(runs * self.maintenance_batches))


def seconds_to_recover(fetched: Sequence[tuple[float, float]], store: Store, network: Network) -> float:
    """Seconds until an executor has all of these stores: each is the bytes and the deltas that it fetches."""
    transfer = sum(size for size, _ in fetched) / network.bytes_a_second
    rounds = ceil(len(fetched) / network.cores)  # as many stores at a time as there are cores
    deltas = max((deltas for _, deltas in fetched), default=0)
    replay = sum(deltas for _, deltas in fetched) * store.delta_records * SECONDS_PER_RECORD
    requests = network.requests + network.delta_requests * deltas / network.fetch_threads
    return transfer + rounds * requests * network.latency + replay / min(network.cores, max(len(fetched), 1))
