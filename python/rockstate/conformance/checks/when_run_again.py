"""Batches that were run more than once: what feeds and replays tell of them, and third attempts."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.outcomes import Version
from rockstate.conformance.checks.reading_back import applied, replayed
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import (
    EMPTY,
    SNAPSHOTS,
    commit,
    expect_version,
    here_and_afresh,
    key,
    pairs_of,
    value,
)
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


@check("R53", needs={"column-families", "multiple-values", "prefix-scan", "range-scan"})
def a_batch_run_again_has_nothing_of_the_first_in_any_family(lab: Lab) -> None:
    """Timers and values that the first run has written are not there."""
    for where in ("here", "elsewhere"):
        place = (where, 0)
        executor = lab.open(families=True, conf=SNAPSHOTS, place=place)
        one = _write_to_families(executor.begin(EMPTY), "before", 0).commit()
        _write_to_families(executor.begin(one), "first", 1).commit()
        if where == "here":
            executor.restart()
        again = executor if where == "here" else lab.open("again", families=True, conf=SNAPSHOTS, place=place)
        two = _write_to_families(again.begin(one), "second", 2).commit()
        for reader in here_and_afresh(lab, again, families=True, place=place):
            store = _with_families(reader.begin(two))
            what = f"a batch that was run again {where} with other rows"
            timers = [[[n, "k"], value(text)] for n, text in ((0, "before"), (2, "second"))]
            expect_rows(store.scan(family="timers"), timers, f"The timers of {what}")
            entries = [[["a", n], value(text)] for n, text in ((0, "before"), (2, "second"))]
            expect_rows(store.prefix(["a"], family="entries"), entries, f"The entries of {what}")
            expect(store.values(key("a"), family="list"), [value("before"), value("second")], f"The list of {what}")
            expect(store.values(key("of first"), family="list"), [], f"A list of the first run of {what}")
            store.abort()


def _with_families(store: Store) -> Store:
    store.create_family("timers", encoder="range")
    store.create_family("entries", encoder="prefix")
    store.create_family("list", multi=True)
    return store


def _write_to_families(store: Store, text: str, number: int) -> Store:
    _with_families(store)
    store.put([number, "k"], value(text), family="timers")
    store.put(["a", number], value(text), family="entries")
    store.merge(key("a"), value(text), family="list")
    store.put_list(key(f"of {text}"), [value("1"), value("2")], family="list")
    return store


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
