"""What goes wrong on the cluster, in an order and at times that a seed chooses."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from random import Random

from tests.cluster.driver import Driver
from tests.cluster.spark_cluster import SmallDisk, SparkCluster
from tests.cluster.storage import Storage

from rockstate.demo.processes import is_alive

KILL, STOP, DRIVER, DRIVER_AND_ZOMBIE, STORAGE, DISK = (
    "kill executor",
    "stop executor",
    "kill driver",
    "kill driver while an executor is stopped",
    "stop storage",
    "fill disk",
)
GOES_ON = "stopped executor goes on"
NO_DISK = "no right to mount a disk that could be filled"
#: Shorter than a batch, longer, and longer than the driver waits for an executor.
SECONDS_STOPPED = (4, 10, 26)
#: The executors of a driver that is gone are killed ten seconds later.
SECONDS_OF_ZOMBIE = 6
#: Hadoop's client tries again for ten seconds; after that queries fail.
SECONDS_WITHOUT_STORAGE = (2, 5, 14)
SECONDS_WITH_FULL_DISK = 12
SECONDS_BETWEEN = (1, 5)


@dataclass
class Journal:
    """What happened, with the time: in a file and by numbers."""

    file: Path
    counts: Counter[str] = field(default_factory=Counter)

    def note(self, what: str, about: object = "") -> None:
        """Counts it, and writes it down."""
        self.counts[what] += 1
        with self.file.open("a", encoding="utf-8") as file:
            file.write(f"{datetime.now():%H:%M:%S.%f} {what} {about}\n")


@dataclass(frozen=True)
class Targets:
    """What can be broken."""

    cluster: SparkCluster
    storage: Storage
    driver: Driver
    disk: SmallDisk


@dataclass(frozen=True)
class Script:
    """A deck of faults, by how many of each there are, and for how long it is dealt: the whole of it at least once."""

    deck: dict[str, int]
    seconds: float = 0


class Faults:
    """Breaks what the script says, in a random order, and mends it some seconds later."""

    def __init__(self, seed: int, script: Script, targets: Targets, journal: Journal) -> None:
        self._random = Random(seed)
        self._script, self._targets, self._journal = script, targets, journal
        self._dealt = self._shuffled()
        self._is_whole_deck_dealt = False
        self._mending: list[tuple[float, Callable[[], None]]] = []
        self._next_at = time.monotonic()
        self._ends_at = self._next_at + script.seconds
        self._batches = 0
        self._broken: set[str] = set()
        self._stopped: set[int] = set()
        self._do = {
            KILL: self._kill_executor,
            STOP: self._stop_executor,
            DRIVER: self._kill_driver,
            DRIVER_AND_ZOMBIE: self._kill_driver_while_executor_is_stopped,
            STORAGE: self._stop_storage,
            DISK: self._fill_disk,
        }

    @property
    def are_over(self) -> bool:
        """Whether everything has been broken, and mended."""
        return not self._dealt and not self._mending

    def tick(self, batches: int) -> None:
        """Mends what is due, and breaks the next thing some seconds after the last, if there is a target for it.

        Between two faults at least one batch must have ended: `batches` have by now, of all queries together. Else
        nothing would ever end where a batch takes long.
        """
        now = time.monotonic()
        for due in [mending for mending in self._mending if mending[0] <= now]:
            self._mending.remove(due)
            due[1]()
        if self._dealt and now >= self._next_at and batches > self._batches and self._do[self._dealt[-1]]():
            self._dealt.pop()
            self._batches = batches
            self._next_at = time.monotonic() + self._random.uniform(*SECONDS_BETWEEN)
        if not self._dealt and now < self._ends_at:
            self._dealt, self._is_whole_deck_dealt = self._shuffled(), True
        if self._is_whole_deck_dealt and now >= self._ends_at:
            self._dealt = []

    def _shuffled(self) -> list[str]:
        faults = [fault for fault, times in self._script.deck.items() for _ in range(times)]
        self._random.shuffle(faults)
        return faults

    def _later(self, seconds: float, mend: Callable[[], None]) -> None:
        self._mending.append((time.monotonic() + seconds, mend))

    def _kill_executor(self) -> bool:
        executors = self._at_work()
        if executors:
            victim = self._random.choice(executors)
            _send(victim, signal.SIGKILL)
            self._journal.note(KILL, victim)
        return bool(executors)

    def _stop_executor(self) -> bool:
        return self._stop_for(self._random.choice(SECONDS_STOPPED))

    def _stop_for(self, seconds: float) -> bool:
        executors = self._at_work()
        if executors:
            victim = self._random.choice(executors)
            _send(victim, signal.SIGSTOP)
            self._stopped.add(victim)
            self._journal.note(STOP, f"{victim} for {seconds} s")
            self._later(seconds, lambda: self._continue(victim))
        return bool(executors)

    def _continue(self, victim: int) -> None:
        self._journal.note(GOES_ON if is_alive(victim) else "stopped executor was given up", victim)
        _send(victim, signal.SIGCONT)
        self._stopped.remove(victim)

    def _at_work(self) -> list[int]:
        return [executor for executor in self._targets.cluster.executors() if executor not in self._stopped]

    def _kill_driver(self) -> bool:
        if not self._targets.driver.is_running:
            return False
        self._targets.driver.kill()
        self._journal.note(DRIVER)
        return True

    def _kill_driver_while_executor_is_stopped(self) -> bool:
        if not self._targets.driver.is_running or not self._stop_for(SECONDS_OF_ZOMBIE):
            return False
        self._targets.driver.kill()
        self._journal.note(DRIVER_AND_ZOMBIE)
        return True

    def _stop_storage(self) -> bool:
        if STORAGE in self._broken:
            return False
        self._targets.storage.stop()
        seconds = self._random.choice(SECONDS_WITHOUT_STORAGE)
        self._is_broken(STORAGE, seconds, self._targets.storage.start, "storage is back")
        return True

    def _fill_disk(self) -> bool:
        if not self._targets.disk.is_mounted:
            self._journal.note(NO_DISK)
            return True
        if DISK in self._broken:
            return False
        self._targets.disk.fill()
        self._is_broken(DISK, SECONDS_WITH_FULL_DISK, self._targets.disk.free, "disk has room")
        return True

    def _is_broken(self, what: str, seconds: float, mend: Callable[[], None], mended: str) -> None:
        """Notes what is broken from now on, and has it mended later."""

        def end() -> None:
            mend()
            self._broken.remove(what)
            self._journal.note(mended)

        self._broken.add(what)
        self._journal.note(what, f"for {seconds} s")
        self._later(seconds, end)


def _send(process: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):  # it has ended meanwhile
        os.kill(process, number)
