"""Lists that are written again: in another order, as they were before, or with the same values once more."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect
from rockstate.conformance.calls.outcomes import Version
from rockstate.conformance.checks.lists import expect_values, expect_values_in, open_lists, values_of
from rockstate.conformance.checks.reading_back import replayed
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, SNAPSHOTS, here_and_afresh, key, value
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store

BEFORE = {"sorted": "123", "changed": "123", "back": "12", "twice": "12", "alike": "", "longer": "12"}
AFTER = {
    "sorted": "321",
    "changed": "193",
    "back": "12",
    "twice": "1212",
    "alike": "5556",
    "longer": "122",
}


@check("R26")
def lists_that_are_written_again_are_what_was_written(lab: Lab) -> None:
    """A list is sorted, has one of its values changed, or gets those again that it has (ListStateImpl)."""
    for is_apart in (True, False):
        executor = open_lists(lab, conf=SNAPSHOTS, place=("default", int(is_apart)))
        store = executor.begin(EMPTY)
        for name, texts in BEFORE.items():
            if texts:
                store.put_list(key(name), values_of(texts))
        if is_apart:
            store = executor.begin(store.commit())
        _write_again(store)
        expect_values(store, AFTER, "in the transaction that wrote it again")
        version = store.commit()
        kind = {"families": True, "multi": True, "place": ("default", int(is_apart))}
        for reader in here_and_afresh(lab, executor, **kind):
            expect_values_in(lab, reader, version, AFTER, "that was written again")


@check("R13", needs={"multiple-values"})
def an_executor_that_fell_behind_has_what_others_added_to_its_lists(lab: Lab) -> None:
    here, there = (open_lists(lab, name) for name in ("here", "there"))
    store = here.begin(EMPTY)
    for name in ("merged", "put", "removed"):
        store.put_list(key(name), values_of("12"))
    version = store.commit()
    expect_values_in(lab, here, version, dict.fromkeys(("merged", "put", "removed"), "12"), "before others went on")
    for _ in range(2):
        store = there.begin(version)
        store.merge(key("merged"), value("3"))
        store.put_list(key("put"), values_of("45"))
        store.remove(key("removed"))
        version = store.commit()
    wanted = {"merged": "1233", "put": "45", "removed": ""}
    expect_values_in(lab, here, version, wanted, "on an executor that comes back")
    expect_values_in(lab, open_lists(lab, "fresh"), version, wanted, "afresh")


@check("R40", needs={"column-families", "multiple-values"})
def a_replay_has_lists_of_families(lab: Lab) -> None:
    """Of a list variable, by snapshotStartBatchId (StatePartitionReader)."""
    executor = lab.open(families=True, conf=SNAPSHOTS)
    versions = [EMPTY]
    for i in range(5):
        store = executor.begin(versions[-1])
        store.create_family("lists", multi=True)
        store.merge(key("merged"), value(str(i)), family="lists")
        store.put_list(key("put"), values_of(f"{i}{i}"), family="lists")
        versions.append(store.commit())
        executor.maintain()

    def fresh() -> Executor:
        return lab.open("fresh", families=True, conf=SNAPSHOTS)

    def replay(executor: Executor, snapshot: Version) -> Store:
        return executor.replay(snapshot, versions[5])

    for snapshot, store in replayed(versions[1:5], fresh, replay, "version with lists"):
        store.create_family("lists", multi=True)
        for name, texts in {"merged": "01234", "put": "44"}.items():
            found = store.values(key(name), family="lists")
            expect(found, values_of(texts), f"The list {name!r} of a family, replayed from {snapshot}")
        store.abort()


def _write_again(store: Store) -> None:
    store.put_list(key("sorted"), values_of("321"))
    store.put_list(key("changed"), values_of("193"))
    store.put_list(key("back"), values_of("9"))
    store.put_list(key("back"), values_of("12"))
    store.merge_list(key("twice"), values_of("12"))
    store.put_list(key("alike"), values_of("55"))
    store.merge_list(key("alike"), values_of("5"))
    store.merge(key("alike"), value("6"))
    store.merge(key("longer"), value("2"))
