"""Batches of more rows than two bytes count: read as they are written, given up, cut off, counted."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect, refused
from rockstate.conformance.calls.outcomes import Version, Violation
from rockstate.conformance.checks.crashes import attempt, crashes, operations_of
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import (
    EMPTY,
    commit,
    expect_count,
    expect_version,
    expect_version_or_error,
    key,
    scanned,
    value,
    write,
)
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import FaultMode, Lab
from rockstate.conformance.lab.store import Store

MANY = 66_000
LONG = "x" * (4 << 20)
AT_MOST = 3
"""At how many storage operations a large batch is cut off."""
BEFORE = {f"old{i}": "1" for i in range(1000)}
LEFT = {name: text for name, text in BEFORE.items() if name != "old0"}
"""What a batch that removes the first of them leaves."""


@check("R16")
def very_many_own_writes_are_read(lab: Lab) -> None:
    """A complete aggregation gives all of its rows before it commits."""
    executor = lab.open()
    store = executor.begin(commit(lab, executor, EMPTY, BEFORE))
    write(lab, store, {f"row{i}": "1" for i in range(MANY)}, list(BEFORE)[::2])
    for i in (0, 1, 0xFF, 0xFFFF, MANY - 1):
        expect(store.get(key(f"row{i}")), value("1"), f"A get of row {i} of the transaction's own")
        expect(store.contains(key(f"row{i}")), True, f"Asking for row {i} of the transaction's own")
    expect(store.get(key("old0")), None, "A get of a row that was removed before very many were put")
    wanted = {f"row{i}" for i in range(MANY)} | set(list(BEFORE)[1::2])
    _expect_names(store, wanted, "A scan with very many own writes")
    write(lab, store, {}, [f"row{i}" for i in range(0, MANY, 2)])
    wanted -= {f"row{i}" for i in range(0, MANY, 2)}
    _expect_names(store, wanted, "A scan after half of very many own writes were removed")
    version = store.commit()
    expect_count(store, len(wanted), "numKeys after very many writes")
    for reader in (executor, lab.open("fresh")):
        store = reader.begin_read(version)
        _expect_names(store, wanted, "A scan of very many rows, once committed")
        store.release()


@check("R33")
def very_many_keys_are_counted_exactly(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {f"row{i}": "1" for i in range(MANY)})
    puts = {f"row{i}": "2" for i in range(1000)} | {f"new{i}": "2" for i in range(77)}
    removes = [f"row{i}" for i in range(MANY - 500, MANY)] + [f"never{i}" for i in range(100)]
    for reader in (executor, lab.open("fresh")):
        store = reader.begin(one)
        write(lab, store, puts, removes)
        store.commit()
        expect_count(store, MANY + 77 - 500, "numKeys of very many keys")


@check("R02")
def a_large_transaction_is_seen_by_nobody_before_its_commit(lab: Lab) -> None:
    """What does not fit into memory is written somewhere before it is committed."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, BEFORE)
    store = _written(lab, executor, one)
    reader = lab.open("reader")
    expect_version(reader, one, BEFORE, "beside a large transaction that is open")
    with refused("The version of a large transaction that is open must be refused"):
        reader.begin(Version(2, one.id))
    store.abort()
    for each in (executor, reader, lab.open("fresh")):
        expect_version(each, one, BEFORE, "after a large transaction was aborted")
    two = commit(lab, executor, one, {"a": "2"}, ["old0"])
    for each in (executor, lab.open("last")):
        expect_version(each, two, {**LEFT, "a": "2"}, "on top of a large transaction that was aborted")


@check("R47")
def a_crash_in_a_large_commit_leaves_the_old_version_or_the_new(lab: Lab) -> None:
    scratch = lab.fresh()
    executor = scratch.open()
    one = commit(scratch, executor, EMPTY, BEFORE)
    operations = operations_of(scratch, lambda: _try(scratch, executor, one), "A large batch")
    chosen = crashes(lab, operations)
    most = lab.effort.at_most(AT_MOST)
    for at, mode in chosen if len(chosen) <= most else [*chosen[:1], *chosen[1 - most :]]:
        _crash(lab.fresh(), at, mode)


def _crash(lab: Lab, at: int, mode: FaultMode) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, BEFORE)
    lab.fault(at, mode)
    two = _try(lab, executor, one)
    lab.heal()
    what = f"after a crash at write {at} of a large batch ({mode})"
    fresh = lab.open("fresh")
    expect_version(fresh, one, BEFORE, what)
    rows = {**LEFT, **_puts()}
    if two is not None:
        _expect_rows(lab.open("reader"), two, rows, what)
    elif not lab.checkpoint_ids:
        expect_version_or_error(lab.open("reader"), Version(2, None), rows, what)
    again = attempt(lab, lambda: fresh.begin(one), {"a": "2"}, ["old0"])
    if again is None:
        raise Violation(f"A batch could not be done again {what}")
    expect_version(lab.open("last"), again, {**LEFT, "a": "2"}, f"of a batch that was done {what}")
    lab.close()


def _try(lab: Lab, executor: Executor, one: Version) -> Version | None:
    return attempt(lab, lambda: executor.begin(one), _puts(), ["old0"])


def _puts() -> dict[str, str]:
    return {f"row{i}": "1" for i in range(MANY)}


def _written(lab: Lab, executor: Executor, base: Version) -> Store:
    """A transaction with many small rows and some long ones, new, replaced and removed."""
    store = executor.begin(base)
    write(lab, store, {f"row{i}": f"{i}" * 10 for i in range(MANY)})
    write(lab, store, {f"long{i}": LONG for i in range(3)})
    write(lab, store, {f"old{i}": "uncommitted" for i in range(500)}, [f"old{i}" for i in range(500, 1000)])
    return store


def _expect_names(store: Store, wanted: set[str], what: str) -> None:
    found = [pair[0][0] for pair in store.scan()]
    expect(len(found), len(wanted), f"How many rows: {what}")
    expect(set(found) == wanted, True, f"Whether the rows are right: {what}")


def _expect_rows(executor: Executor, version: Version, rows: dict[str, str], when: str) -> None:
    found = {pair[0][0]: pair[1] for pair in scanned(executor, version)}
    expect(len(found), len(rows), f"How many rows version {version.version} has {when}")
    wrong = [name for name, text in rows.items() if found.get(name) != value(text)]
    expect(wrong[:5], [], f"Some of {len(wrong)} rows that are missing or wrong in version {version.version} {when}")
