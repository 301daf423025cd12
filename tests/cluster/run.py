"""One run: storage, cluster and driver are started, files arrive, things break, and the queries come to their end."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from tests.cluster import faults
from tests.cluster.arrivals import Arrivals
from tests.cluster.driver import Driver
from tests.cluster.faults import Faults, Journal, Script, Targets
from tests.cluster.settings import Settings
from tests.cluster.spark_cluster import SmallDisk, SparkCluster
from tests.cluster.storage import SECRET, SECRET_CONF, Storage

from rockstate.demo.queries import QUERIES

POLL_SECONDS = 0.1
#: Days that arrive when nothing breaks any more: clean-up has some batches to catch up in.
CALM_DAYS = 12
MEGABYTES_OF_SMALL_DISK = 96
MOST_VAIN_STARTS = 3


@dataclass(frozen=True)
class Form:
    """How much is run: the days of flights, one of which arrives every so often, the queries, and what breaks."""

    days: int
    seconds_per_day: float
    queries: tuple[str, ...]
    script: Script
    timeout_seconds: float


FULL = Form(
    days=120,
    seconds_per_day=3,
    queries=tuple(query.name for query in QUERIES),
    script=Script(
        {
            faults.KILL: 8,
            faults.STOP: 4,
            faults.DRIVER: 1,
            faults.DRIVER_AND_ZOMBIE: 1,
            faults.STORAGE: 1,
            faults.DISK: 1,
        },
        seconds=240,
    ),
    timeout_seconds=840,
)
#: For storage that is slower to everything.
FULL_ON_S3 = replace(FULL, days=40, script=Script({**FULL.script.deck, faults.KILL: 4, faults.STOP: 2}))
SHORT = Form(
    days=CALM_DAYS + 12,
    seconds_per_day=1,
    queries=("aircraft_stays", "flights_in_weather"),
    script=Script({faults.KILL: 3, faults.STOP: 1, faults.DRIVER_AND_ZOMBIE: 1, faults.STORAGE: 1}),
    timeout_seconds=480,
)


class Run:
    """A run in a folder of its own, as a context manager in which storage stays up once it has ended."""

    def __init__(self, form: Form, folder: Path, kind: type[Storage], format_version: int, seed: int) -> None:
        print(f"ROCKSTATE_SEED={seed} folder={folder}", flush=True)
        self.form, self.seed = form, seed
        self.settings = Settings(str(folder), "", "", format_version, form.queries, {})
        self.arrivals = Arrivals(self.settings.places, form.days)
        self.seconds = 0.0
        self._kind = kind
        self._journal = Journal(folder / "faults.txt")
        self._stack = ExitStack()

    def __enter__(self) -> Run:
        folder = Path(self.settings.folder)
        self.storage = self._stack.enter_context(self._kind(folder / "storage", self.seed))
        checkpoints = f"{self.storage.url}/checkpoints"
        self.settings = replace(
            self.settings, checkpoints=checkpoints, confs={**self.storage.confs, SECRET_CONF: SECRET}
        )
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    @property
    def counts(self) -> Counter[str]:
        """What broke, and how often."""
        return self._journal.counts + self.storage.faults

    def to_end(self) -> None:
        """Returns when all queries have processed all days; fails if that takes too long."""
        began = time.monotonic()
        folder = Path(self.settings.folder)
        with SmallDisk(folder / "small-disk", MEGABYTES_OF_SMALL_DISK) as disk:
            place = disk.folder if disk.is_mounted else None
            with SparkCluster(folder / "cluster", place) as cluster:
                self.settings = replace(self.settings, master=cluster.url)
                with Driver(self.settings) as driver:
                    self._drive(Targets(cluster, self.storage, driver, disk))
        self.seconds = time.monotonic() - began

    def _drive(self, targets: Targets) -> None:
        deadline = time.monotonic() + self.form.timeout_seconds
        self.arrivals.arrive()
        script = Faults(self.seed, self.form.script, targets, self._journal)
        arrives_at = time.monotonic()
        has_begun = self.settings.places.progress.exists
        while not targets.driver.has_finished:
            assert time.monotonic() < deadline, (
                f"{self.arrivals.to_come} days to come, {self.form.timeout_seconds} s are over"
            )
            if not targets.driver.is_running:
                assert targets.driver.starts < MOST_VAIN_STARTS or has_begun(), "the driver cannot start: see its log"
                targets.driver.start()
                self._journal.note("driver started")
            if has_begun():
                script.tick(self._batches())
                if time.monotonic() >= arrives_at and self._may_arrive(script):
                    self.arrivals.arrive()
                    arrives_at = time.monotonic() + self.form.seconds_per_day
            if not self.arrivals.to_come and script.are_over:
                self.settings.all_arrived.touch()
            time.sleep(POLL_SECONDS)

    def _may_arrive(self, script: Faults) -> bool:
        return self.arrivals.to_come > (0 if script.are_over else CALM_DAYS)

    def _batches(self) -> int:
        """How many batches have ended so far, of all queries together."""
        with self.settings.places.progress.open("rb") as lines:
            return sum(1 for _ in lines)
