"""Batches that were run more than once: what feeds and replays tell of them, and third attempts."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect_rows
from rockstate.conformance.calls.outcomes import Version
from rockstate.conformance.checks.reading_back import applied, replayed
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, SNAPSHOTS, commit, expect_version, pairs_of
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store

BEFORE = {"a": "1", "b": "1"}
AFTER = {"b": "1", "c": "2", "d": "3"}


@check("R39")
def changes_of_a_batch_that_was_run_again_are_those_of_the_last(lab: Lab) -> None:
    """In checkpoint format 1 both attempts have the same name."""
    for where in ("here", "elsewhere"):
        place = (where, 0)
        versions = _run_again(lab, where)
        for first, rows in ((1, {}), (3, BEFORE)):
            found = applied(lab.open("fresh", place=place).changes(first, versions[4]), pairs_of(rows))
            expect_rows(
                found, pairs_of(AFTER), f"Changes from version {first} on of a batch that was run again {where}"
            )


@check("R40")
def a_replay_over_a_batch_that_was_run_again_has_the_last(lab: Lab) -> None:
    for where in ("here", "elsewhere"):
        place = (where, 0)
        versions = _run_again(lab, where)

        def fresh(place: tuple[str, int] = place) -> Executor:
            return lab.open("fresh", place=place, conf=SNAPSHOTS)

        def replay(executor: Executor, snapshot: Version, last: Version = versions[4]) -> Store:
            return executor.replay(snapshot, last)

        for snapshot, store in replayed(versions[1:3], fresh, replay, "version before one that was run again"):
            what = f"A replay from {snapshot} over a batch that was run again {where}"
            expect_rows(store.scan(), pairs_of(AFTER), what)
            store.abort()


@check("R53")
def a_batch_run_again_on_the_same_keys_has_its_own_values(lab: Lab) -> None:
    """Where a source or an expression gives something else in the second run."""
    for where in ("here", "elsewhere"):
        place = (where, 0)
        executor = lab.open(conf=SNAPSHOTS, place=place)
        one = commit(lab, executor, EMPTY, BEFORE)
        commit(lab, executor, one, {"a": "2", "c": "2"})
        if where == "here":
            executor.restart()
        again = executor if where == "here" else lab.open("again", conf=SNAPSHOTS, place=place)
        two = commit(lab, again, one, {"a": "3", "c": "3"})
        three = commit(lab, again, two, {"d": "4"})
        again.maintain()
        fresh = lab.open("fresh", conf=SNAPSHOTS, place=place)
        expect_version(fresh, two, {"a": "3", "b": "1", "c": "3"}, f"run again {where} on the same keys")
        expect_version(fresh, three, {"a": "3", "b": "1", "c": "3", "d": "4"}, f"after one run again {where}")


@check("R53")
def the_last_of_three_attempts_is_the_version(lab: Lab) -> None:
    """A stage may be tried as often as spark.stage.maxConsecutiveAttempts says, a task four times."""
    for where in ("here", "elsewhere"):
        place = (where, 0)
        executor = lab.open(conf=SNAPSHOTS, place=place)
        one = commit(lab, executor, EMPTY, BEFORE)
        for i in range(3):
            attempt = executor if where == "here" else lab.open(f"attempt{i}", conf=SNAPSHOTS, place=place)
            two = commit(lab, attempt, one, {f"attempt{i}": "2", "a": str(i)}, ["b"])
            attempt.maintain()
        wanted = {"a": "2", "attempt2": "2"}
        expect_version(lab.open("fresh", conf=SNAPSHOTS, place=place), two, wanted, f"of a third attempt {where}")
        three = commit(lab, attempt, two, {"c": "3"})
        attempt.maintain()
        last = lab.open("last", conf=SNAPSHOTS, place=place)
        expect_version(last, three, {**wanted, "c": "3"}, f"on top of a third attempt {where}")


def _run_again(lab: Lab, where: str) -> list[Version]:
    """Four versions; the third was made twice, with other rows, and one before has a snapshot."""
    place = (where, 0)
    executor = lab.open(conf=SNAPSHOTS, place=place)
    one = commit(lab, executor, EMPTY, {"a": "1"})
    executor.maintain()
    two = commit(lab, executor, one, {"b": "1"})
    executor.maintain()
    commit(lab, executor, two, {"lost": "2", "a": "lost"}, ["b"])
    again = executor if where == "here" else lab.open("again", conf=SNAPSHOTS, place=place)
    three = commit(lab, again, two, {"c": "2"}, ["a"])
    return [EMPTY, one, two, three, commit(lab, again, three, {"d": "3"})]
