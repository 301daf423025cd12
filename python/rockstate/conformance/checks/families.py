"""Column families: apart from each other, kept by versions, and gone with their rows when removed."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect, expect_rows, refused
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import (
    EMPTY,
    SNAPSHOTS,
    Rows,
    begin_with,
    expect_count,
    here_and_afresh,
    key,
    pairs_of,
    value,
    write_calls,
)
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store


@check("R28")
def families_share_no_keys(lab: Lab) -> None:
    executor = lab.open(families=True)
    store = begin_with(executor, EMPTY, "one", "two")
    _put(lab, store, "default", {"a": "default", "b": "default"})
    _put(lab, store, "one", {"a": "one", "c": "one"})
    _put(lab, store, "two", {"b": "two"})
    store.remove(key("b"), family="default")
    store.remove(key("c"), family="two")
    wanted = {"default": {"a": "default"}, "one": {"a": "one", "c": "one"}, "two": {"b": "two"}}
    _expect_families(store, wanted, "in the transaction that wrote them")
    version = store.commit()
    for reader in (executor, lab.open("fresh", families=True)):
        store = begin_with(reader, version, "one", "two")
        _expect_families(store, wanted, "once committed")
        store.abort()


@check("R28")
def families_of_any_name_and_number_are_apart(lab: Lab) -> None:
    """A family is a user's variable: its name is theirs, and so is how many there are."""
    executor = lab.open(families=True, conf=SNAPSHOTS)
    names = ["a", "A", "a.b", "a_b", "a/b", "a b", "ä", "ö", "x" * 200, *(f"family{i}" for i in range(300))]
    store = begin_with(executor, EMPTY, *names)
    write_calls(lab, [store.call("put", key("a"), value(name), family=name) for name in names])
    one = store.commit()
    for reader in here_and_afresh(lab, executor, families=True):
        store = begin_with(reader, one, *names)
        found = [outcome.get() for outcome in lab.run([store.call("get", key("a"), family=name) for name in names])]
        expect(found, [value(name) for name in names], f"The same key's values in {len(names)} families")
        store.abort()


@check("R28")
def families_of_each_encoder_live_side_by_side(lab: Lab) -> None:
    executor = lab.open(families=True)
    version = EMPTY
    wanted = [[["a", 1], value("1")], [["a", 2], value("2")]]
    timers = [[[t, "k"], value(str(t))] for t in (-5, 0, 5)]
    for reader in (executor, executor, lab.open("fresh", families=True)):
        store = reader.begin(version)
        store.create_family("prefixed", encoder="prefix")
        store.create_family("timers", encoder="range")
        if version == EMPTY:
            write_calls(lab, [store.call("put", each, of, family="prefixed") for each, of in wanted])
            write_calls(lab, [store.call("put", each, of, family="timers") for each, of in reversed(timers)])
            _put(lab, store, "default", {"a": "default"})
        if "prefix-scan" in lab.capabilities:
            expect(sorted(store.prefix(["a"], family="prefixed")), wanted, "A prefix scan of one family")
        if "range-scan" in lab.capabilities:
            expect(store.scan(family="timers"), timers, "A scan of timers")
            if lab.has("range"):
                expect(store.range([0, ""], None, family="timers"), timers[1:], "A range of timers")
        expect_rows(store.scan(), pairs_of({"a": "default"}), "A scan of the default family")
        if version == EMPTY:
            version = store.commit()
        else:
            store.abort()


@check("R29")
def families_last(lab: Lab) -> None:
    executor = lab.open(families=True)
    store = begin_with(executor, EMPTY, "one", "empty")
    _put(lab, store, "one", {"a": "1"})
    _expect_names(lab, store, ["empty", "one"], "The families of an open transaction")
    one = store.commit()
    store = begin_with(executor, one, "one", "empty", "late")
    _put(lab, store, "late", {"b": "2"})
    two = store.commit()
    executor.maintain()
    for reader in (executor, lab.open("fresh", families=True)):
        for version, wanted in ((two, ["empty", "late", "one"]), (one, ["empty", "one"])):
            store = reader.begin(version)
            _expect_names(lab, store, wanted, f"The families of version {version.version}")
            store.abort()
        store = begin_with(reader, two, "one", "empty", "late")
        _expect_families(store, {"default": {}, "one": {"a": "1"}, "empty": {}, "late": {"b": "2"}}, "loaded again")
        store.abort()


@check("R29")
def an_unknown_family_is_refused(lab: Lab) -> None:
    executor = lab.open(families=True)
    store = executor.begin(EMPTY)
    with refused("A get in an unknown family must be refused"):
        store.get(key("a"), family="unknown")
    with refused("A put into an unknown family must be refused"):
        store.put(key("a"), value("1"), family="unknown")
    with refused("A scan of an unknown family must be refused"):
        store.scan(family="unknown")
    store.abort()


@check("R29")
def a_family_of_an_aborted_transaction_is_not_there(lab: Lab) -> None:
    executor = lab.open(families=True)
    store = begin_with(executor, EMPTY, "one")
    one = store.commit()
    store = begin_with(executor, one, "aborted")
    _put(lab, store, "aborted", {"a": "aborted"})
    store.abort()
    store = executor.begin(one)
    _expect_names(lab, store, ["one"], "The families after an abort")
    store.create_family("aborted")
    expect_rows(store.scan(family="aborted"), pairs_of({}), "The rows of a family that was aborted once")
    store.commit()


@check("R29")
def creating_a_family_again_keeps_its_rows(lab: Lab) -> None:
    executor = lab.open(families=True)
    store = begin_with(executor, EMPTY, "one")
    _put(lab, store, "one", {"a": "1"})
    store.create_family("one")
    expect_rows(store.scan(family="one"), pairs_of({"a": "1"}), "The rows of a family created twice")
    store.commit()


@check("R29")
def families_keep_their_rows_over_many_batches(lab: Lab) -> None:
    conf = {"spark.sql.streaming.stateStore.minDeltasForSnapshot": "2"}
    executor = lab.open(families=True, conf=conf)
    version = EMPTY
    wanted: dict[str, dict[str, str]] = {name: {} for name in ("default", "one", "two")}
    for i in range(8):
        store = begin_with(executor, version, "one", "two")
        for name, rows in wanted.items():
            _put(lab, store, name, {f"row{i}": name, "counter": str(i)})
            store.remove(key(f"row{i - 2}"), family=name)
            rows.pop(f"row{i - 2}", None)
            rows |= {f"row{i}": name, "counter": str(i)}
        version = store.commit()
        executor.maintain()
        store = begin_with(lab.open("fresh", families=True, conf=conf), version, "one", "two")
        _expect_families(store, wanted, f"after batch {i}")
        store.abort()


@check("R29")
def empty_families_last_over_snapshots(lab: Lab) -> None:
    conf = {"spark.sql.streaming.stateStore.minDeltasForSnapshot": "2"}
    executor = lab.open(families=True, conf=conf)
    version = EMPTY
    for i in range(5):
        store = begin_with(executor, version, "empty", "emptied")
        _put(lab, store, "default", {"a": str(i)})
        if i == 0:
            _put(lab, store, "emptied", {"b": "1"})
        store.remove(key("b" if i else "nothing there"), family="emptied")
        version = store.commit()
        executor.maintain()
        store = lab.open("fresh", families=True, conf=conf).begin(version)
        _expect_names(lab, store, ["emptied", "empty"], f"The families of version {version.version}")
        store.abort()


@check("R30")
def a_removed_family_is_gone_with_its_rows(lab: Lab) -> None:
    executor = lab.open(families=True)
    store = begin_with(executor, EMPTY, "one", "two")
    _put(lab, store, "one", {"a": "1"})
    _put(lab, store, "two", {"a": "2"})
    one = store.commit()
    store = begin_with(executor, one, "one", "two")
    expect(store.remove_family("unknown"), False, "Removing a family that is not there")
    expect(store.remove_family("one"), True, "Removing a family")
    with refused("A get in a removed family must be refused"):
        store.get(key("a"), family="one")
    _expect_names(lab, store, ["two"], "The families after one was removed")
    two = store.commit()
    for reader in (executor, lab.open("fresh", families=True)):
        store = reader.begin(two)
        _expect_names(lab, store, ["two"], "The families of the version that removed one")
        store.create_family("one")
        store.create_family("two")
        _expect_families(store, {"one": {}, "two": {"a": "2"}}, "after a family was removed and made again")
        store.abort()
        store = begin_with(reader, one, "one", "two")
        _expect_families(store, {"one": {"a": "1"}, "two": {"a": "2"}}, "in the version before the removal")
        store.abort()


@check("R30")
def a_family_can_be_removed_that_was_not_declared(lab: Lab) -> None:
    """A query without the variable that it had removes it, and never says what it was."""
    executor = lab.open(families=True)
    store = begin_with(executor, EMPTY, "one", "two")
    _put(lab, store, "one", {"a": "1"})
    _put(lab, store, "two", {"a": "2"})
    one = store.commit()
    fresh = lab.open("fresh", families=True)
    store = fresh.begin(one)
    expect(store.remove_family("one"), True, "Removing a family that this executor was never told of")
    two = store.commit()
    for reader in (fresh, lab.open("last", families=True)):
        store = begin_with(reader, two, "one", "two")
        _expect_families(store, {"one": {}, "two": {"a": "2"}}, "after one was removed without being declared")
        store.abort()


@check("R30")
def a_family_removed_and_made_again_is_empty(lab: Lab) -> None:
    executor = lab.open(families=True)
    store = begin_with(executor, EMPTY, "one")
    _put(lab, store, "one", {"a": "1", "b": "1"})
    one = store.commit()
    store = begin_with(executor, one, "one")
    store.remove_family("one")
    store.create_family("one")
    expect_rows(store.scan(family="one"), pairs_of({}), "The rows of a family made again")
    expect(store.get(key("a"), family="one"), None, "An old row of a family made again")
    _put(lab, store, "one", {"b": "2"})
    two = store.commit()
    expect_count(store, 1, "numKeys after a family was made again")
    executor.maintain()
    for reader in (executor, lab.open("fresh", families=True)):
        store = begin_with(reader, two, "one")
        _expect_families(store, {"default": {}, "one": {"b": "2"}}, "once committed")
        store.abort()


@check("R30")
def an_aborted_removal_keeps_the_family(lab: Lab) -> None:
    executor = lab.open(families=True)
    store = begin_with(executor, EMPTY, "one")
    _put(lab, store, "one", {"a": "1"})
    one = store.commit()
    store = begin_with(executor, one, "one")
    store.remove_family("one")
    store.abort()
    store = begin_with(executor, one, "one")
    _expect_names(lab, store, ["one"], "The families after an aborted removal")
    _expect_families(store, {"one": {"a": "1"}}, "after an aborted removal")
    store.abort()


def _put(lab: Lab, store: Store, family: str, rows: Rows) -> None:
    write_calls(lab, [store.call("put", key(name), value(text), family=family) for name, text in rows.items()])


def _expect_names(lab: Lab, store: Store, wanted: list[str], message: str) -> None:
    """The names of a store's families, where Spark can ask for them."""
    if lab.has("families"):
        expect(store.families(), wanted, message)


def _expect_families(store: Store, wanted: dict[str, dict[str, str]], when: str) -> None:
    for family, rows in wanted.items():
        expect_rows(store.scan(family=family), pairs_of(rows), f"A scan of the family {family} {when}")
        for name in ("a", "b", "c"):
            answer = store.get(key(name), family=family)
            expect(answer, value(rows[name]) if name in rows else None, f"The row {name!r} of {family} {when}")
