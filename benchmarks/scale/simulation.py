"""A simulated cluster: executors fail, the cluster grows and shrinks, partitions move, and each move is a recovery.

Pure Python and seeded: the same settings give the same figures. What is not simulated: the batches themselves. A batch
that waits for a recovery is late by it, and the query catches up with the capacity that it has to spare.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

from benchmarks.scale.recovery import Network, Store, seconds_to_recover

DAY = 86_400.0
_Event = Callable[[float], None]


@dataclass(frozen=True)
class Cluster:
    """Executors, and what happens to them: failures and strayed partitions a day; the night's share of executors."""

    executors: int = 1_000
    failures_a_day: float = 50.0
    comes_back_share: float = 0.5  # of failed executors that start again on the same machine
    strays_a_day: float = 2_000.0  # partitions that Spark runs elsewhere though their executor lives
    night_share: float = 0.7
    days: int = 7


@dataclass(frozen=True)
class Settings:
    """What a user sets, and what the query is."""

    partitions: int = 4_000
    state_bytes: float = 400e9
    changed_bytes_a_second: float = 40e6  # deltas of all partitions together
    records_a_second: float = 400_000.0
    interval: float = 10.0
    min_deltas: int = 10
    maintenance: float = 60.0
    warm_restart: bool = True
    keeps_folder: bool = False  # warm_restart_folder outlives an executor
    retained: int = 100
    locality_wait_factor: float = 1.0  # strays that are left, of those above
    busy_share: float = 0.7  # of a batch's interval that a batch takes


@dataclass
class Figures:
    """What a run came to."""

    moves: int = 0
    warm: int = 0
    moved_bytes: float = 0.0
    delays: list[float] = field(default_factory=list)  # seconds, one for each event that delayed a batch

    def behind(self, settings: Settings) -> list[float]:
        """Seconds until the query had caught up, for each delay that was longer than what a batch has to spare."""
        spared = settings.interval * (1 - settings.busy_share)
        return [(delay - spared) / (1 - settings.busy_share) for delay in self.delays if delay > spared]


def store_of(settings: Settings) -> Store:
    """One partition's store."""
    share = 1 / settings.partitions
    return Store(
        state_bytes=settings.state_bytes * share,
        delta_bytes=settings.changed_bytes_a_second * settings.interval * share,
        delta_records=settings.records_a_second * settings.interval * share,
        min_deltas=settings.min_deltas,
        maintenance_batches=settings.maintenance / settings.interval,
    )


def stored_bytes(settings: Settings) -> float:
    """What all partitions have in storage: deltas and snapshots that the retained versions need, with one to spare."""
    store = store_of(settings)
    deltas = settings.retained + 2 * store.snapshot_every
    snapshots = 2 + settings.retained // store.snapshot_every
    return settings.partitions * (deltas * store.delta_bytes + snapshots * store.state_bytes)


def uploaded_a_day(settings: Settings) -> float:
    """Bytes of deltas, and of snapshots whose table files are all new."""
    store = store_of(settings)
    batches = DAY / settings.interval
    return settings.partitions * batches * (store.delta_bytes + store.state_bytes / store.snapshot_every)


class Simulation:
    """One run; call `run` once."""

    def __init__(self, cluster: Cluster, settings: Settings, seed: int, network: Network | None = None) -> None:
        self._cluster, self._settings = cluster, settings
        self._random = Random(seed)
        self._network = network or Network()
        self._store = store_of(settings)
        self._alive = list(range(cluster.executors))
        self._home = [n % cluster.executors for n in range(settings.partitions)]
        self._left: dict[tuple[int, int], float] = {}  # (partition, executor): when it was closed there
        self.figures = Figures()

    def run(self) -> Figures:
        for now, event in self._events():
            event(now)
        return self.figures

    def _events(self) -> Iterator[tuple[float, _Event]]:
        end = self._cluster.days * DAY
        found: list[tuple[float, _Event]] = []
        found += [(at, self._fail) for at in self._arrivals(self._cluster.failures_a_day, end)]
        strays = self._cluster.strays_a_day * self._settings.locality_wait_factor
        found += [(at, self._stray) for at in self._arrivals(strays, end)]
        if self._cluster.night_share < 1:
            for day in range(self._cluster.days):
                found += [(day * DAY + 8 * 3600.0, self._grow), (day * DAY + 20 * 3600.0, self._shrink)]
        return iter(sorted(found, key=lambda each: each[0]))

    def _arrivals(self, a_day: float, end: float) -> Iterator[float]:
        at = 0.0
        while a_day > 0:
            at += self._random.expovariate(a_day / DAY)
            if at >= end:
                return
            yield at

    def _fail(self, now: float) -> None:
        """Its partitions go elsewhere, or back to it if it starts again on the same machine with what its disk had."""
        executor = self._random.choice(self._alive)
        partitions = self._of(executor)
        comes_back = self._random.random() < self._cluster.comes_back_share
        if not self._settings.keeps_folder:
            self._forget({executor})
        if comes_back and self._settings.keeps_folder and self._settings.warm_restart:
            for partition in partitions:
                self._left[partition, executor] = now
            self._move(now, [(partition, executor) for partition in partitions])
        else:
            self._move(now, [(partition, self._other(executor)) for partition in partitions])

    def _stray(self, now: float) -> None:
        """A partition runs elsewhere for a minute and comes back."""
        partition = self._random.randrange(self._settings.partitions)
        home = self._home[partition]
        away = self._other(home)
        self._left[partition, home] = now
        self._move(now, [(partition, away)])
        self._left[partition, away] = now + 60
        self._move(now + 60, [(partition, home)])

    def _shrink(self, now: float) -> None:
        """The executors of the day go, with their disks."""
        stay = int(self._cluster.executors * self._cluster.night_share)
        gone = set(self._alive[stay:])
        del self._alive[stay:]
        self._forget(gone)
        moving = [n for n, home in enumerate(self._home) if home in gone]
        self._move(now, [(partition, self._random.choice(self._alive)) for partition in moving])

    def _grow(self, now: float) -> None:
        """New executors take partitions until all have as many."""
        new = sorted({*range(self._cluster.executors)}.difference(self._alive))
        self._alive += new
        if not new:
            return
        share = len(new) / self._cluster.executors
        moving = [n for n in range(self._settings.partitions) if self._random.random() < share]
        for partition in moving:
            self._left[partition, self._home[partition]] = now
        self._move(now, [(partition, self._random.choice(new)) for partition in moving])

    def _of(self, executor: int) -> list[int]:
        return [n for n, home in enumerate(self._home) if home == executor]

    def _other(self, executor: int) -> int:
        while len(self._alive) > 1:
            other = self._random.choice(self._alive)
            if other != executor:
                return other
        return executor

    def _forget(self, executors: set[int]) -> None:
        self._left = {key: at for key, at in self._left.items() if key[1] not in executors}

    def _move(self, now: float, moves: list[tuple[int, int]]) -> None:
        """Partitions that an executor gets at the same time share its network; the slowest delays the batch."""
        to: dict[int, list[tuple[float, float]]] = {}
        for partition, executor in moves:
            self._home[partition] = executor
            to.setdefault(executor, []).append(self._fetched(partition, executor, now))
        for fetched in to.values():
            self.figures.moved_bytes += sum(size for size, _ in fetched)
        self.figures.moves += len(moves)
        if moves:
            slowest = max(seconds_to_recover(fetched, self._store, self._network) for fetched in to.values())
            self.figures.delays.append(slowest)

    def _fetched(self, partition: int, executor: int, now: float) -> tuple[float, float]:
        """Bytes and deltas that a partition's recovery there fetches."""
        deltas = float(self._random.randrange(self._store.snapshot_every))
        cold = (self._store.state_bytes + deltas * self._store.delta_bytes, deltas)
        left = self._left.pop((partition, executor), None)
        if left is None or not self._settings.warm_restart or now - left > DAY:
            return cold
        missed = float(int((now - left) / self._settings.interval))
        warm = (missed * self._store.delta_bytes, missed)
        if warm[0] + missed * Store.REQUEST_BYTES > cold[0] + deltas * Store.REQUEST_BYTES:
            return cold
        self.figures.warm += 1
        return warm
