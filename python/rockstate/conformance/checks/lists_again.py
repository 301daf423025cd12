"""Lists that are written again: in another order, as they were before, or with the same values once more."""

from __future__ import annotations

from typing import Any

from rockstate.conformance.calls.expectations import expect
from rockstate.conformance.calls.outcomes import Version
from rockstate.conformance.calls.rows import Row
from rockstate.conformance.checks.reading_back import replayed
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, SNAPSHOTS, here_and_afresh, key, value
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store

KIND: dict[str, Any] = {"families": True, "multi": True}
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
        executor = lab.open(conf=SNAPSHOTS, place=("default", int(is_apart)), **KIND)
        store = executor.begin(EMPTY)
        for name, texts in BEFORE.items():
            if texts:
                store.put_list(key(name), _values(texts))
        if is_apart:
            store = executor.begin(store.commit())
        _write_again(store)
        _expect(store, AFTER, "in the transaction that wrote it again")
        version = store.commit()
        for reader in here_and_afresh(lab, executor, place=("default", int(is_apart)), **KIND):
            store = reader.begin(version)
            _expect(store, AFTER, "that was written again")
            store.abort()


@check("R13", needs={"multiple-values"})
def an_executor_that_fell_behind_has_what_others_added_to_its_lists(lab: Lab) -> None:
    here, there = (lab.open(name, **KIND) for name in ("here", "there"))
    store = here.begin(EMPTY)
    for name in ("merged", "put", "removed"):
        store.put_list(key(name), _values("12"))
    version = store.commit()
    _expect(here.begin(version), {"merged": "12", "put": "12"}, "before others went on", is_over=True)
    for _ in range(2):
        store = there.begin(version)
        store.merge(key("merged"), value("3"))
        store.put_list(key("put"), _values("45"))
        store.remove(key("removed"))
        version = store.commit()
    wanted = {"merged": "1233", "put": "45", "removed": ""}
    _expect(here.begin(version), wanted, "on an executor that comes back", is_over=True)
    _expect(lab.open("fresh", **KIND).begin(version), wanted, "afresh", is_over=True)


@check("R40", needs={"column-families", "multiple-values"})
def a_replay_has_lists_of_families(lab: Lab) -> None:
    """Of a list variable, by snapshotStartBatchId (StatePartitionReader)."""
    executor = lab.open(families=True, conf=SNAPSHOTS)
    versions = [EMPTY]
    for i in range(5):
        store = executor.begin(versions[-1])
        store.create_family("lists", multi=True)
        store.merge(key("merged"), value(str(i)), family="lists")
        store.put_list(key("put"), _values(f"{i}{i}"), family="lists")
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
            expect(found, _values(texts), f"The list {name!r} of a family, replayed from {snapshot}")
        store.abort()


def _write_again(store: Store) -> None:
    store.put_list(key("sorted"), _values("321"))
    store.put_list(key("changed"), _values("193"))
    store.put_list(key("back"), _values("9"))
    store.put_list(key("back"), _values("12"))
    store.merge_list(key("twice"), _values("12"))
    store.put_list(key("alike"), _values("55"))
    store.merge_list(key("alike"), _values("5"))
    store.merge(key("alike"), value("6"))
    store.merge(key("longer"), value("2"))


def _values(texts: str) -> list[Row]:
    return [value(text) for text in texts]


def _expect(store: Store, wanted: dict[str, str], when: str, is_over: bool = False) -> None:
    for name, texts in wanted.items():
        expect(store.values(key(name)), _values(texts), f"The list {name!r}, {when}")
    if is_over:
        store.abort()
