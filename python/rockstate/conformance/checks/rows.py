"""Short forms for the rows that checks write and read: a name for a key, a text for a value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from rockstate.conformance.calls.call import Call
from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.outcomes import NotApplicable, StoreError, Timeout, Version, Violation
from rockstate.conformance.calls.rows import DEFAULT_FAMILY, Pair, Row
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store

Rows: TypeAlias = Mapping[str, str]
"""Values by key of the `none` encoder."""

EMPTY = Version.EMPTY
SNAPSHOTS = {"spark.sql.streaming.stateStore.minDeltasForSnapshot": "1"}
"""Confs with which maintenance makes a snapshot whenever it can."""
SELDOM = {"spark.sql.streaming.stateStore.minDeltasForSnapshot": "100"}
"""Confs with which it makes none."""


def key(name: str) -> Row:
    """A key of the `none` encoder."""
    return [name]


def value(text: str) -> Row:
    """A value that carries `text` twice, so that a mixture of two rows is seen."""
    return [text, sum(map(ord, text))]


def write(lab: Lab, store: Store, puts: Rows | None = None, removes: Iterable[str] = ()) -> None:
    """Removes, then puts, in one batch."""
    calls = [store.call("remove", key(name)) for name in removes]
    calls += [store.call("put", key(name), value(text)) for name, text in (puts or {}).items()]
    write_calls(lab, calls)


def write_calls(lab: Lab, calls: Sequence[Call]) -> None:
    """Performs calls in one batch; raises the first error."""
    for outcome in lab.run(calls):
        outcome.get()


def commit(
    lab: Lab, executor: Executor, base: Version, puts: Rows | None = None, removes: Iterable[str] = ()
) -> Version:
    """One transaction on `base`."""
    store = executor.begin(base)
    write(lab, store, puts, removes)
    return store.commit()


def commit_each(lab: Lab, executor: Executor, base: Version, batches: Iterable[Rows]) -> list[Version]:
    """One version per batch of puts; `base` and they, in order."""
    versions = [base]
    for puts in batches:
        versions.append(commit(lab, executor, versions[-1], puts))
    return versions


def begin_with(executor: Executor, version: Version, *families: str) -> Store:
    """A transaction that has made itself known its families, as operators do at every start.

    Those whose names begin with a dollar are internal, as with Spark.
    """
    store = executor.begin(version)
    for family in families:
        store.create_family(family, internal=family.startswith("$"))
    return store


def declare(executor: Executor, version: Version, family: str, **kind: Any) -> None:
    """Makes a family, of the kind that `Store.create_family` takes, known to an executor that is only going to read."""
    store = executor.begin(version)
    store.create_family(family, **kind)
    store.abort()


def commit_in_each(executor: Executor, *families: str) -> Version:
    """The first version, in which each of these families, the default one too if it is named, has its name as `a`."""
    store = begin_with(executor, EMPTY, *(family for family in families if family != DEFAULT_FAMILY))
    for family in families:
        store.put(key("a"), value(family), family=family)
    return store.commit()


def begin_empty(executor: Executor, base: Version) -> Store:
    """A transaction that makes the version after `base` and has none of its rows.

    Raises:
        NotApplicable: the provider cannot do that.
    """
    try:
        return executor.begin(Version(base.version), empty=True)
    except StoreError as error:
        if error.is_refusal:
            raise NotApplicable(f"Versions cannot be started empty ({error})") from error
        raise


def here_and_afresh(lab: Lab, executor: Executor, **kind: Any) -> Iterator[Executor]:
    """The executor, one that reads afresh, and one that does once maintenance has made a snapshot (`SNAPSHOTS`).

    `kind` is what `Lab.open` takes besides.
    """
    yield executor
    yield lab.open("fresh", conf=SNAPSHOTS, **kind)
    executor.maintain()
    yield lab.open("after", conf=SNAPSHOTS, **kind)


def pairs_of(rows: Rows) -> list[Pair]:
    """The rows as a scan gives them."""
    return [[key(name), value(text)] for name, text in rows.items()]


def scanned(executor: Executor, version: Version) -> list[Pair]:
    """A scan of a version."""
    store = executor.begin_read(version)
    try:
        return store.scan()
    finally:
        store.release()


def expect_version(executor: Executor, version: Version, wanted: Rows, when: str) -> None:
    """The rows of a version are exactly these, by gets and by a scan."""
    store = executor.begin_read(version)
    try:
        for name in (*list(wanted)[:2], *list(wanted)[-1:], "never there"):
            found = value(wanted[name]) if name in wanted else None
            expect(store.get(key(name)), found, f"A get of {name!r} in version {version.version} {when}")
        expect_rows(store.scan(), pairs_of(wanted), f"Version {version.version} {when}")
    finally:
        store.release()


def expect_version_or_error(executor: Executor, version: Version, wanted: Rows, when: str) -> bool:
    """The rows of a version are exactly these, or it is refused; whether it was read."""
    try:
        expect_version(executor, version, wanted, when)
    except Timeout:
        raise
    except StoreError:
        return False
    return True


def expect_count(store: Store, wanted: int, message: str) -> None:
    """numKeys of a store; a provider that was told not to count says -1."""
    found = store.metrics().rows
    if found >= 0:
        expect(found, wanted, message)


def expect_whole(row: Row | None, wanted: Row | None, what: str) -> None:
    """As `expect`, of a row that begins with a long text: the message does not repeat MBs."""
    if row != wanted:
        found, right = ("nothing" if each is None else f"a text of {len(each[0] or '')}" for each in (row, wanted))
        raise Violation(f"{what}: wanted {right} characters, not {found}")
