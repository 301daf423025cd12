"""A store with some versions, in which something is to go wrong."""

from __future__ import annotations

from rockstate.conformance.calls.outcomes import Version
from rockstate.conformance.checks.rows import EMPTY, commit, commit_each, expect_version, expect_version_or_error, write
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store

RETAINED = 2
CONF = {
    "spark.sql.streaming.stateStore.minDeltasForSnapshot": "2",
    "spark.sql.streaming.minBatchesToRetain": str(RETAINED),
}
POINTS = 20
"""At how many storage operations a check stops at most: the first ones and the last ones."""


def points(lab: Lab, operations: int, at_most: int = POINTS) -> list[int]:
    """The operations to stop at: all, or the first and the last where there are many."""
    every, most = list(range(1, operations + 1)), lab.effort.at_most(at_most)
    return every if len(every) <= most else [*every[: most // 2], *every[-(most // 2) :]]


class Scene:
    """A store with some versions, maintained once in between, and an executor that has the newest."""

    def __init__(self, lab: Lab, batches: int) -> None:
        self.lab = lab
        self.executor = lab.open("a", conf=CONF)
        self.rows: list[dict[str, str]] = [{}]
        self.versions = commit_each(lab, self.executor, EMPTY, [])
        for i in range(1, batches + 1):
            self.go_on()
            if i == batches // 2:
                self.executor.maintain()

    @property
    def newest(self) -> Version:
        return self.versions[-1]

    def next_batch(self) -> tuple[dict[str, str], list[str], dict[str, str]]:
        """What the next batch puts and removes, and the rows it leads to."""
        i = len(self.versions)
        puts, removes = {f"row{i}": f"value {i}", "counter": str(i)}, [f"row{i - 2}"]
        return puts, removes, {**{n: text for n, text in self.rows[-1].items() if n not in removes}, **puts}

    def second_attempt(self) -> Store:
        """The next batch, written by another executor and not committed."""
        puts, removes, _ = self.next_batch()
        store = self.lab.open("second", conf=CONF).begin(self.newest)
        write(self.lab, store, puts, removes)
        return store

    def go_on(self) -> None:
        puts, removes, rows = self.next_batch()
        self.versions.append(commit(self.lab, self.executor, self.newest, puts, removes))
        self.rows.append(rows)

    def expect_newest(self, executor: Executor, when: str) -> None:
        expect_version(executor, self.newest, self.rows[-1], when)

    def expect_retained(self, executor: Executor, when: str) -> None:
        """The retained versions are whole; of the older ones, the newest and the oldest are whole or refused."""
        oldest_retained = len(self.versions) - RETAINED
        for i in range(len(self.versions) - 1, oldest_retained - 1, -1):
            expect_version(executor, self.versions[i], self.rows[i], when)
        for i in (oldest_retained - 1, 1):
            expect_version_or_error(executor, self.versions[i], self.rows[i], when)
