"""Versions: each commit makes the next, each stays as it was, and only what was committed can be opened."""

from __future__ import annotations

from dataclasses import replace

from rockstate.conformance.calls.expectations import expect, expect_rows, refused
from rockstate.conformance.calls.outcomes import StoreError, Version
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import (
    EMPTY,
    begin_empty,
    commit,
    commit_each,
    expect_count,
    expect_version,
    key,
    pairs_of,
    value,
    write,
)
from rockstate.conformance.lab.lab import Lab


@check("R12")
def a_new_store_is_empty(lab: Lab) -> None:
    store = lab.open().begin(EMPTY)
    expect(store.get(key("a")), None, "A get in a new store")
    expect(store.contains(key("a")), False, "Asking a new store for a key")
    expect(store.scan(), [], "A scan of a new store")
    store.abort()


@check("R12")
def version_zero_stays_empty(lab: Lab) -> None:
    """A query whose first batch is run again begins there, in a folder with files, or on an executor with rows."""
    conf = {"spark.sql.streaming.stateStore.minDeltasForSnapshot": "2"}
    executor = lab.open(conf=conf)
    version = EMPTY
    for i in range(4):
        version = commit(lab, executor, version, {"a": str(i), f"row{i}": "1"})
        executor.maintain()
    for reader in (executor, lab.open("fresh", conf=conf)):
        store = reader.begin(EMPTY)
        expect(store.get(key("a")), None, "A get in version 0, after others were committed")
        expect(store.scan(), [], "A scan of version 0, after others were committed")
        store.abort()
        expect_version(reader, EMPTY, {}, "read, after others were committed")
        reader.begin_read(version).release()
        store = reader.begin(EMPTY)
        expect(store.scan(), [], "A scan of version 0, after a later one was read")
        store.abort()
    store = lab.open("again", conf=conf).begin(EMPTY)
    write(lab, store, {"a": "0"})
    one = store.commit()
    expect_count(store, 1, "numKeys of a first batch that was run again")
    expect_version(lab.open("last", conf=conf), one, {"a": "0"}, "of a first batch that was run again")


@check("R12")
def a_version_started_empty_has_nothing_of_the_one_before(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1", "b": "1"})
    store = begin_empty(executor, one)
    expect(store.get(key("a")), None, "A get in a version started empty")
    expect(store.scan(), [], "A scan of a version started empty")
    write(lab, store, {"b": "2"})
    two = store.commit()
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, two, {"b": "2"}, "that was started empty")
        expect_version(reader, one, {"a": "1", "b": "1"}, "before one that was started empty")


@check("R10")
def a_commit_makes_the_next_version_and_leaves_the_one_before(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1", "b": "1"})
    two = commit(lab, executor, one, {"b": "2", "c": "2"})
    expect(one.version, 1, "The number of the first version")
    expect(two.version, 2, "The number of the second version")
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, two, {"a": "1", "b": "2", "c": "2"}, "after two commits")
        expect_version(reader, one, {"a": "1", "b": "1"}, "after the next was committed")
        expect_version(reader, two, {"a": "1", "b": "2", "c": "2"}, "after reading the version before")


@check("R09")
def an_empty_commit_makes_a_version_too(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY)
    two = commit(lab, executor, one, {"a": "1"})
    three = commit(lab, executor, two)
    expect([one.version, two.version, three.version], [1, 2, 3], "The numbers of three versions")
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, three, {"a": "1"}, "committed without changes")
        expect_version(reader, one, {}, "committed without rows")


@check("R09")
def a_store_says_which_version_it_has(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1"})
    store = executor.begin(one)
    expect(store.store_version(), 1, "The version of a store opened at version 1")
    expect(store.has_committed(), False, "hasCommitted before the commit")
    store.commit()
    expect(store.has_committed(), True, "hasCommitted after the commit")


@check("R09")
def a_store_says_which_store_it_is(lab: Lab) -> None:
    executor = lab.open(place=("left", 3, 1))
    one = commit(lab, executor, EMPTY, {"a": "1"})
    store = executor.begin(one)
    said = store.store_id()
    store.abort()
    reader = executor.begin_read(one)
    expect(reader.store_id(), said, "The id of a read store, beside that of a transaction on the same store")
    reader.release()


@check("R09")
def a_commit_tells_what_it_made_as_often_as_it_is_asked(lab: Lab) -> None:
    """In both checkpoint formats Spark asks, and compares; without ids the answer need not mean anything."""
    store = lab.open().begin(EMPTY)
    said = lab.do(replace(store.call("commit"), parse=lambda answer: answer))
    expect(said.get("said_error"), None, "What getStateStoreCheckpointInfo threw after a commit")
    expect(said["said_again"], True, "Whether getStateStoreCheckpointInfo answers the same when it is asked again")


@check("R11")
def a_version_that_was_never_committed_is_refused(lab: Lab) -> None:
    executor = lab.open()
    versions = commit_each(lab, executor, EMPTY, [{"a": "1"}, {"a": "2"}])
    unknown = Version(3, versions[-1].id)
    for reader in (executor, lab.open("fresh")):
        with refused("A version that nobody committed must be refused"):
            reader.begin(unknown)
        with refused("Reading a version that nobody committed must be refused"):
            reader.begin_read(unknown)
        expect_version(reader, versions[2], {"a": "2"}, "after an unknown version was asked for")


@check("R11")
def a_version_far_ahead_is_refused_in_an_empty_folder(lab: Lab) -> None:
    executor = lab.open()
    with refused("Version 7 of an empty folder must be refused"):
        executor.begin(Version(7, "no-such-id" if lab.checkpoint_ids else None))


@check("R11")
def a_negative_version_is_refused(lab: Lab) -> None:
    executor = lab.open()
    with refused("Version -1 must be refused"):
        executor.begin(Version(-1))
    with refused("Reading version -1 must be refused"):
        executor.begin_read(Version(-1))


@check("R03")
def versions_survive_the_loss_of_the_executor(lab: Lab) -> None:
    executor = lab.open()
    wanted: list[dict[str, str]] = [{}]
    versions = [EMPTY]
    for i in range(1, 9):
        puts = {f"row{i}": f"value {i}", "counter": str(i)}
        versions.append(commit(lab, executor, versions[-1], puts, [f"row{i - 3}"]))
        wanted.append({name: text for name, text in {**wanted[-1], **puts}.items() if name != f"row{i - 3}"})
    executor.close()
    fresh = lab.open("fresh")
    for version, rows in zip(versions, wanted, strict=True):
        expect_version(fresh, version, rows, "read by an executor with an empty disk")


@check("R10")
def each_version_can_be_the_first_that_an_executor_opens(lab: Lab) -> None:
    versions = commit_each(lab, lab.open(), EMPTY, [{"a": "1"}, {"b": "2"}, {"a": "3", "c": "3"}])
    wanted = [{}, {"a": "1"}, {"a": "1", "b": "2"}, {"a": "3", "b": "2", "c": "3"}]
    for version, rows in zip(versions, wanted, strict=True):
        expect_version(lab.open(f"fresh{version.version}"), version, rows, "as the first that an executor opens")


@check("R03")
def an_executor_takes_over_where_another_stopped(lab: Lab) -> None:
    version = EMPTY
    wanted: dict[str, str] = {}
    for i in range(5):
        executor = lab.open(f"executor{i}")
        version = commit(lab, executor, version, {f"row{i}": "x"}, [f"row{i - 2}"])
        wanted = {name: text for name, text in {**wanted, f"row{i}": "x"}.items() if name != f"row{i - 2}"}
        expect_version(executor, version, wanted, f"committed by executor {i}")
        executor.close()


@check("R13")
def an_executor_that_fell_behind_catches_up(lab: Lab) -> None:
    here, there = lab.open("here"), lab.open("there")
    one = commit(lab, here, EMPTY, {"a": "1", "b": "1"})
    two = commit(lab, there, one, {"a": "2"}, ["b"])
    three = commit(lab, there, two, {"c": "3"})
    four = commit(lab, here, three, {"d": "4"})
    expect_version(here, four, {"a": "2", "c": "3", "d": "4"}, "of an executor that had missed two versions")
    expect_version(lab.open("fresh"), four, {"a": "2", "c": "3", "d": "4"}, "committed by it")


@check("R10")
def versions_without_maintenance_are_kept_however_many(lab: Lab) -> None:
    executor = lab.open()
    versions = commit_each(lab, executor, EMPTY, [{"a": str(i), f"row{i}": "1"} for i in range(1, 41)])
    fresh = lab.open("fresh")
    for number in (40, 17, 33):
        wanted = {"a": str(number), **{f"row{i}": "1" for i in range(1, number + 1)}}
        expect_version(fresh, versions[number], wanted, "of forty, with no maintenance")


@check("R53")
def the_last_batch_can_be_run_again_with_other_rows(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1"})
    commit(lab, executor, one, {"a": "lost", "b": "lost"})
    two = commit(lab, executor, one, {"c": "2"})
    expect_version(executor, two, {"a": "1", "c": "2"}, "run again on the same executor")
    three = commit(lab, executor, two, {"d": "3"})
    expect_version(lab.open("fresh"), three, {"a": "1", "c": "2", "d": "3"}, "after a batch that ran twice")


@check("R53")
def a_restarted_query_runs_its_last_batch_again(lab: Lab) -> None:
    """On other executors, and in the process that has run it before."""
    for in_process in (False, True):
        place = ("in process" if in_process else "default", 0)
        executor = lab.open(place=place)
        one = commit(lab, executor, EMPTY, {"a": "1"})
        commit(lab, executor, one, {"a": "lost", "b": "lost"})
        again = lab.open_beside(executor, "again", place=place) if in_process else lab.open("again", place=place)
        executor.close()
        two = commit(lab, again, one, {"c": "2"})
        three = commit(lab, again, two, {"d": "3"})
        for reader in (again, lab.open("fresh", place=place)):
            expect_version(reader, two, {"a": "1", "c": "2"}, "run again after a restart")
            expect_version(reader, three, {"a": "1", "c": "2", "d": "3"}, "after a batch that ran twice")


@check("R53")
def a_query_goes_back_and_writes_another_history(lab: Lab) -> None:
    executor = lab.open()
    versions = commit_each(lab, executor, EMPTY, [{f"old{i}": str(i)} for i in range(1, 6)])
    executor.close()
    again = lab.open("again")
    history = commit_each(lab, again, versions[2], [{f"new{i}": str(i)} for i in range(3, 6)])
    wanted = {"old1": "1", "old2": "2"}
    for i, version in enumerate(history[1:], 3):
        wanted[f"new{i}"] = str(i)
        expect_version(again, version, wanted, "of another history")
        expect_version(lab.open(f"fresh{i}"), version, wanted, "of another history, read afresh")


@check("R53")
def another_history_is_not_mixed_with_snapshots_of_the_first(lab: Lab) -> None:
    conf = {"spark.sql.streaming.stateStore.minDeltasForSnapshot": "2"}
    executor = lab.open(conf=conf)
    versions = [EMPTY]
    for i in range(1, 7):
        versions.append(commit(lab, executor, versions[-1], {f"old{i}": str(i)}))
        executor.maintain()
    executor.close()
    again = lab.open("again", conf=conf)
    wanted = {"old1": "1", "old2": "2"}
    version = versions[2]
    for i in range(3, 8):
        version = commit(lab, again, version, {f"new{i}": str(i)})
        wanted[f"new{i}"] = str(i)
        expect_version(
            lab.open(f"fresh{i}", conf=conf), version, wanted, "of another history, beside snapshots of the first"
        )
        again.maintain()
        expect_version(lab.open(f"after{i}", conf=conf), version, wanted, "of another history, after maintenance")


@check("R31")
def going_on_from_a_version_read_before_is_the_same(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1"})
    reader = executor.begin_read(one)
    expect_rows(reader.scan(), pairs_of({"a": "1"}), "The rows read before the batch")
    reader.release()
    two = commit(lab, executor, one, {"b": "2"})
    expect_version(executor, two, {"a": "1", "b": "2"}, "committed after reading its base")


@check("R32")
def a_read_store_goes_on_to_write(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1", "b": "1"})
    reader = executor.begin_read(one)
    expect(reader.get(key("a")), value("1"), "A get in the read store")
    store = reader.upgrade()
    write(lab, store, {"c": "2"}, ["b"])
    expect_rows(store.scan(), pairs_of({"a": "1", "c": "2"}), "The rows of the upgraded store")
    two = store.commit()
    expect_version(executor, two, {"a": "1", "c": "2"}, "committed by an upgraded read store")
    expect_version(lab.open("fresh"), two, {"a": "1", "c": "2"}, "committed by an upgraded read store")


@check("R32")
def an_upgraded_store_that_aborts_leaves_nothing(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1"})
    reader = executor.begin_read(one)
    store = reader.upgrade()
    write(lab, store, {"a": "2"})
    store.abort()
    expect_version(executor, one, {"a": "1"}, "after an upgraded store aborted")


@check("R31")
def a_read_store_can_be_released_twice(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1"})
    reader = executor.begin_read(one)
    reader.release()
    try:
        reader.release()
    except StoreError as error:
        raise AssertionError(f"The second release threw {error}") from error
    expect_version(executor, one, {"a": "1"}, "after two releases")
