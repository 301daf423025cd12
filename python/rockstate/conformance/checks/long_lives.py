"""A store over a longer life: instances that follow each other, batches that are run again, clean-up, odd confs."""

from __future__ import annotations

from functools import partial

from rockstate.conformance.calls.expectations import expect, expect_rows, tried
from rockstate.conformance.calls.outcomes import Version
from rockstate.conformance.checks.maintenance import CONF, RETAINED, History
from rockstate.conformance.checks.reading_back import applied
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, SNAPSHOTS, commit, expect_version, key, pairs_of, value, write
from rockstate.conformance.lab.lab import Lab

STATE_STORE = "spark.sql.streaming.stateStore."
ITERATORS = 2000
STORES = 128
AT_THEIR_BOUNDS = {
    f"{STATE_STORE}minDeltasForSnapshot": ("0", str(2**31 - 1)),
    "spark.sql.streaming.maxBatchesToRetainInMemory": ("0",),
    f"{STATE_STORE}maxVersionsToDeletePerMaintenance": ("1",),
}


@check("R53")
def a_batch_that_its_instance_runs_again_has_snapshots_of_its_own(lab: Lab) -> None:
    """A stage is tried once more in the same run; of the attempt that is lost a snapshot may be there, or due."""
    for maintained in (False, True):
        place = ("default", int(maintained))
        executor = lab.open(conf=SNAPSHOTS, place=place)
        one = commit(lab, executor, EMPTY, {"a": "1", "b": "1"})
        commit(lab, executor, one, {"a": "lost", "lost": "2"})
        if maintained:
            executor.maintain()
        two = commit(lab, executor, one, {"a": "2"}, ["b"])
        executor.maintain()
        fresh = lab.open(f"fresh{place[1]}", conf=SNAPSHOTS, place=place)
        expect_version(fresh, two, {"a": "2"}, "of a batch that was run again on its instance")
        three = commit(lab, executor, two, {"c": "3"})
        executor.maintain()
        last = lab.open(f"last{place[1]}", conf=SNAPSHOTS, place=place)
        expect_version(last, three, {"a": "2", "c": "3"}, "on top of a batch that was run again on its instance")


@check("R39")
def retained_versions_have_their_changes_after_clean_up(lab: Lab) -> None:
    history = History(lab, lab.open(conf={**CONF, **SNAPSHOTS}))
    history.go_on_maintained(12)
    first = 13 - RETAINED + 1
    changes = lab.open("fresh", conf=CONF).changes(first, history.versions[-1])
    found = applied(changes, pairs_of(history.rows[first - 1]))
    expect_rows(found, pairs_of(history.rows[-1]), f"Version {first - 1} with the changes since, after clean-up")


@check("R42")
def retained_versions_stay_with_confs_at_their_bounds(lab: Lab) -> None:
    kinds = [(name, bound) for name, bounds in AT_THEIR_BOUNDS.items() for bound in bounds]
    for partition, (name, bound) in enumerate(kinds):
        conf, place = {**CONF, name: bound}, ("default", partition)
        history = History(lab, lab.open(conf=conf, place=place))
        history.go_on_maintained(8)
        fresh = lab.open(f"fresh{partition}", conf=conf, place=place)
        for i in range(9 - RETAINED, 9):
            history.expect(fresh, i, f"with {name} {bound}")


@check("R41")
def what_others_leave_in_the_folder_is_passed_over(lab: Lab) -> None:
    """Committers and object stores' tools put markers into folders."""
    history = History(lab, lab.open(conf=CONF))
    history.go_on()
    for name in ("_SUCCESS", "0_$folder$", ".1.crc"):
        lab.create(f"{history.folder}/{name}")
    history.go_on_maintained(8)
    fresh = lab.open("fresh", conf=CONF)
    for i in range(9 - RETAINED + 1, 10):
        history.expect(fresh, i, "beside files that no store has written")


@check("R22")
def very_many_iterators_may_be_left_open(lab: Lab) -> None:
    """Expiry opens one for a key that it looks at, and closes none of them (TTLState)."""
    executor = lab.open()
    rows = {"a": "1", "b": "1"}
    version = commit(lab, executor, EMPTY, rows)
    for i in range(2):
        store = executor.begin(version)
        for _ in range(lab.effort.at_most(ITERATORS)):
            expect(len(store.open("scan").next()), 1, "How many rows an iterator gives of which many are left open")
        rows[f"row{i}"] = "2"
        write(lab, store, {f"row{i}": "2"})
        version = store.commit()
    expect_version(executor, version, rows, "after transactions that left very many iterators open")


@check("R14")
def very_many_stores_are_open_at_once(lab: Lab) -> None:
    """A local query has 200 partitions, and a join four stores in each."""
    many = lab.effort.at_most(STORES)
    first = lab.open("store", place=("default", 0))
    executors = [first, *(lab.open_with(first, "store", place=("default", i)) for i in range(1, many))]
    stores = [executor.begin(EMPTY) for executor in executors]
    for i, store in enumerate(stores):
        store.put(key("a"), value(str(i)))
    versions = [store.commit() for store in stores]
    for i in range(0, many, 10):
        expect_version(executors[i], versions[i], {"a": str(i)}, f"of one of {many} stores that were open at once")


@check("R31")
def reading_changes_nothing_in_storage(lab: Lab) -> None:
    """Who reads a checkpoint need not have the right to write there."""
    history = History(lab, lab.open(conf=CONF))
    history.go_on_maintained(5)
    for _ in range(2):
        history.go_on()
    history.executor.close()
    reader = lab.open("reader", conf={**CONF, "spark.sql.streaming.minBatchesToRetain": "1"})
    lab.calls()
    for i in (5, 4, 7):
        history.expect(reader, i, "read by who only reads")
    if "change-feed" in lab.capabilities:
        reader.changes(4, history.versions[5])
    reader.close()
    expect(lab.calls().mutations, 0, "The changes that storage saw while a store was read, and its instance closed")


@check("R41")
def maintenance_that_comes_only_in_the_middle_of_batches_changes_nothing(lab: Lab) -> None:
    """It makes the snapshot that is due of what is committed; each batch is tried twice."""
    history = History(lab, lab.open(conf=CONF))
    for i in range(1, 8):
        store = history.executor.begin(history.versions[-1])
        write(lab, store, {"lost": "1", "counter": "lost"})
        history.executor.maintain()
        store.abort()
        store = history.executor.begin(history.versions[-1])
        write(lab, store, {f"row{i}": "1", "counter": str(i)})
        history.executor.maintain()
        history.versions.append(store.commit())
        history.rows.append({**history.rows[-1], f"row{i}": "1", "counter": str(i)})
        fresh = lab.open("fresh", conf=CONF)
        for version in range(max(0, i - 2), i + 1):
            history.expect(fresh, version, "after maintenance in the middle of batches only")


@check("R50", needs={"change-feed"})
def files_of_feeds_and_replays_are_closed(lab: Lab) -> None:
    executor = lab.open(conf=SNAPSHOTS)
    versions = [EMPTY]
    for i in range(4):
        versions.append(commit(lab, executor, versions[-1], {f"row{i}": "1"}))
        executor.maintain()
    reader = lab.open("reader", conf=SNAPSHOTS)
    lab.calls()
    reader.changes(1, versions[-1])
    for most in (0, 1):
        reader.changes(1, versions[-1], most=most)
    _replay(lab, versions)
    reader.close()
    executor.close()
    expect(lab.calls().open_inputs, 0, "The files left open by a change feed and a replay")


def _replay(lab: Lab, versions: list[Version]) -> None:
    """To read, from the first version that has a snapshot; providers without replays have nothing to leave open."""
    for snapshot in versions[1:]:
        reader = lab.open(f"replay{snapshot.version}", conf=SNAPSHOTS)
        store = tried(partial(reader.replay_read, snapshot, versions[-1]))
        if store is not None:
            store.release()
        reader.close()
        if store is not None:
            return
