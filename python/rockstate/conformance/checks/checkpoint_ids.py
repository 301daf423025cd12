"""Checkpoint ids: each attempt at a version has its own, and is loaded by it."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import Any

from rockstate.conformance.calls.expectations import expect, refused
from rockstate.conformance.calls.outcomes import Version, Violation
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, commit, commit_each, expect_version, write
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store

TWINS = 40
SNAPSHOTS = {"spark.sql.streaming.stateStore.minDeltasForSnapshot": "2"}


@check("R35")
def every_commit_has_an_id_of_its_own(lab: Lab) -> None:
    executor = lab.open()
    versions = commit_each(lab, executor, EMPTY, [{"a": "1"}, {"a": "2"}, {}, {}])[1:]
    versions += [commit(lab, lab.open(name), versions[1], {"a": "3"}) for name in ("b", "c")]
    ids = [version.id for version in versions]
    if None in ids:
        raise Violation(f"A commit returned no checkpoint id: {ids}")
    if len(set(ids)) < len(ids):
        raise Violation(f"Two commits returned the same checkpoint id: {ids}")


@check("R35")
def commits_of_two_processes_have_different_ids(lab: Lab) -> None:
    """Executors know nothing of each other: no counter and no place tells their attempts apart. Both begin here."""
    ids: list[set[str | None]] = []
    for _ in range(2):
        with closing(lab.driver.another()) as driver, lab.fresh(driver=driver) as there:
            ids.append({version.id for version in commit_each(there, there.open(), EMPTY, [{"a": "1"}, {}])[1:]})
    if alike := ids[0] & ids[1]:
        raise Violation(f"Commits of two processes returned the same checkpoint id: {', '.join(map(str, alike))}")


@check("R35")
def commits_at_one_time_have_different_ids(lab: Lab) -> None:
    """Attempts end together: neither a clock nor what they have written tells them apart."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1"})
    twins = [lab.open("twin").begin(one) for _ in range(TWINS)]
    outcomes = lab.run([twin.call("commit") for twin in twins])
    ids = [outcome.get().id for outcome in outcomes]
    if len(set(ids)) < len(ids):
        raise Violation(f"Of {len(ids)} commits one after the other {len(set(ids))} have different checkpoint ids")


@check("R35")
def a_commit_says_which_id_it_was_built_on(lab: Lab) -> None:
    executor = lab.open()
    base = EMPTY
    for _ in range(3):
        store = executor.begin(base)
        write(lab, store, {"a": "1"})
        answer = _said(lab, store)
        expect(answer["base_id"], base.id, f"The base id of a commit on version {base.version}")
        base = Version(answer["version"], answer["id"])


@check("R35")
def the_base_is_what_was_opened_and_not_what_was_committed_last(lab: Lab) -> None:
    here, there = lab.open("here"), lab.open("there")
    one = commit(lab, here, EMPTY, {"a": "1"})
    left = commit(lab, here, one, {"a": "left"})
    right = commit(lab, there, one, {"a": "right"})
    for base in (one, right, left):
        aborted = here.begin(base)
        write(lab, aborted, {"a": "aborted"})
        aborted.abort()
        store = here.begin(base)
        write(lab, store, {"b": "2"})
        expect(_said(lab, store)["base_id"], base.id, f"The base id of a commit on {base}, after others")
    reader = there.begin_read(one)
    if "read-store-upgrade" in lab.capabilities:
        expect(_said(lab, reader.upgrade())["base_id"], one.id, "The base id of a commit of an upgraded read store")


@check("R35")
def a_commit_says_its_version_and_partition(lab: Lab) -> None:
    """The driver collects what commits say, of all partitions, and ends the query if a version is another."""
    executor = lab.open(place=("default", 3))
    base = EMPTY
    for number in (1, 2):
        said = _said(lab, executor.begin(base))
        expect(said["said_version"], number, "The version that a commit says it made")
        expect(said["said_partition"], 3, "The partition that a commit says it is of")
        base = Version(said["version"], said["id"])


@check("R35")
def a_commit_says_the_same_of_its_base_each_time(lab: Lab) -> None:
    """A join asks twice, and compares; on the first version there is no base to tell."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1"})
    said = _said(lab, executor.begin(one))
    expect(said["base_id"], one.id, "The base id of a commit")
    expect(said["said_again"], True, "Whether getStateStoreCheckpointInfo answers the same when it is asked again")


@check("R36")
def two_attempts_are_both_loadable_by_id(lab: Lab) -> None:
    here, there = lab.open("here", conf=SNAPSHOTS), lab.open("there", conf=SNAPSHOTS)
    one = commit(lab, here, EMPTY, {"a": "1", "b": "1"})
    attempts = [here.begin(one), there.begin(one)]
    write(lab, attempts[0], {"a": "here"})
    write(lab, attempts[1], {"c": "there"}, ["b"])
    left, right = attempts[0].commit(), attempts[1].commit()
    for reader in (here, there, lab.open("fresh", conf=SNAPSHOTS)):
        expect_version(reader, left, {"a": "here", "b": "1"}, "by one attempt's id")
        expect_version(reader, right, {"a": "1", "c": "there"}, "by the other attempt's id")
        expect_version(reader, left, {"a": "here", "b": "1"}, "by one attempt's id again")
    here.maintain()
    there.maintain()
    for base, rows in ((left, {"a": "here", "b": "1"}), (right, {"a": "1", "c": "there"})):
        three = commit(lab, lab.open("next", conf=SNAPSHOTS), base, {"d": "3"})
        expect_version(lab.open("fresh", conf=SNAPSHOTS), three, {**rows, "d": "3"}, "built on one of two attempts")


@check("R36")
def two_histories_grow_side_by_side(lab: Lab) -> None:
    executors = [lab.open(f"executor{i}", conf=SNAPSHOTS) for i in range(2)]
    base = commit(lab, executors[0], EMPTY, {"base": "1"})
    tips = [base, base]
    wanted = [{"base": "1"}, {"base": "1"}]
    for i in range(5):
        for which, executor in enumerate(executors):
            tips[which] = commit(lab, executor, tips[which], {f"row{i}": f"history {which}"})
            wanted[which][f"row{i}"] = f"history {which}"
            executor.maintain()
        for tip, rows in zip(tips, wanted, strict=True):
            expect_version(lab.open("fresh", conf=SNAPSHOTS), tip, rows, "of one of two histories")


@check("R36")
def an_unknown_id_is_refused(lab: Lab) -> None:
    executor = lab.open()
    versions = commit_each(lab, executor, EMPTY, [{"a": "1"}, {"a": "2"}])
    unknown = Version(2, "00000000-0000-0000-0000-000000000000")
    mixed = Version(2, versions[1].id)
    for reader in (executor, lab.open("fresh")):
        with refused("An id that nobody committed must be refused"):
            reader.begin(unknown)
        with refused("Another version's id must be refused"):
            reader.begin(mixed)
        expect_version(reader, versions[2], {"a": "2"}, "after an unknown id was asked for")


@check("R36")
def going_on_from_the_losing_attempt_is_its_own_history(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1"})
    first = commit(lab, executor, one, {"a": "first"})
    second = commit(lab, executor, one, {"b": "second"})
    three = commit(lab, executor, first, {"c": "3"})
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, three, {"a": "first", "c": "3"}, "built on the attempt committed first")
        expect_version(reader, second, {"a": "1", "b": "second"}, "of the attempt nobody went on from")


@check("R36")
def an_executor_goes_on_from_another_history_than_its_own(lab: Lab) -> None:
    """What it has is of its own history: the next version's changes are not to be applied to that."""
    for conf in ({}, SNAPSHOTS):
        here, there = lab.open("here", conf=conf), lab.open("there", conf=conf)
        one = commit(lab, here, EMPTY, {"a": "1"})
        commit(lab, here, one, {"a": "here", "b": "here"})
        left = commit(lab, there, one, {"c": "there"})
        right = commit(lab, there, left, {"d": "there"})
        wanted = {"a": "1", "c": "there", "d": "there"}
        expect_version(here, right, wanted, "of a history of which this executor has another second version")
        last = commit(lab, here, right, {"e": "here"})
        expect_version(lab.open("fresh", conf=conf), last, {**wanted, "e": "here"}, "going on from another history")
        expect_version(here, left, {"a": "1", "c": "there"}, "of another history, after going on from it")


def _said(lab: Lab, store: Store) -> dict[str, Any]:
    """Commits; all that the commit says."""
    answer: dict[str, Any] = lab.do(replace(store.call("commit"), parse=lambda answer: answer))
    return answer
