"""The change feed, and replays, where two attempts have made versions of the same number."""

from __future__ import annotations

from collections.abc import Iterator

from rockstate.conformance.calls.expectations import expect_rows
from rockstate.conformance.calls.outcomes import Version
from rockstate.conformance.checks.reading_back import applied, replayed
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, SNAPSHOTS, commit, pairs_of
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store


@check("R36", needs={"change-feed"})
def changes_are_those_of_the_attempt_that_is_named(lab: Lab) -> None:
    lineages = _two_lineages(lab)
    for reader in (lab.open("left_again"), lab.open("fresh")):
        for who, versions in lineages.items():
            for last in (2, 3):
                found = applied(reader.changes(1, versions[last]))
                what = f"The changes up to version {last} of the {who} attempts, applied"
                expect_rows(found, pairs_of(_rows(who, last)), what)


@check("R36", needs={"snapshot-replay"})
def a_replay_is_of_the_attempts_that_are_named(lab: Lab) -> None:
    lineages = _two_lineages(lab)
    for who, versions in lineages.items():
        for snapshot, store in _replayed(lab, who, versions):
            what = f"Version 3 of the {who} attempts, replayed from their {snapshot}"
            expect_rows(store.scan(), pairs_of(_rows(who, 3)), what)
            store.abort()


def _replayed(lab: Lab, who: str, versions: list[Version]) -> Iterator[tuple[Version, Store]]:
    def replay(executor: Executor, snapshot: Version) -> Store:
        return executor.replay(snapshot, versions[3])

    return replayed(versions[1:3], lambda: lab.open("fresh", conf=SNAPSHOTS), replay, f"version of the {who} attempts")


def _two_lineages(lab: Lab) -> dict[str, list[Version]]:
    """Two executors go on from the same first version, each with rows of its own; all versions of each."""
    left, right = lab.open("left", conf=SNAPSHOTS), lab.open("right", conf=SNAPSHOTS)
    one = commit(lab, left, EMPTY, {"shared": "1", "removed": "1"})
    left.maintain()
    lineages: dict[str, list[Version]] = {"left": [EMPTY, one], "right": [EMPTY, one]}
    for number in (2, 3):
        for executor, who in ((left, "left"), (right, "right")):
            puts = {"shared": f"{who} {number}", f"{who} {number}": "1"}
            removes = ["removed"] if who == "right" else []
            lineages[who].append(commit(lab, executor, lineages[who][-1], puts, removes))
            executor.maintain()
    return lineages


def _rows(who: str, version: int) -> dict[str, str]:
    kept = {"removed": "1"} if who == "left" else {}
    return {**kept, "shared": f"{who} {version}", **{f"{who} {number}": "1" for number in range(2, version + 1)}}
