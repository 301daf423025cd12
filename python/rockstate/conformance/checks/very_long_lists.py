"""Lists of very many values: written anew, replaced, removed, read in turns, and by scans of any kind."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect
from rockstate.conformance.calls.outcomes import NotInSpark, Version
from rockstate.conformance.calls.rows import Row
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, SNAPSHOTS, here_and_afresh, key, value, write_calls
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import ScanKind

VALUES = 6000
MANY = 70_000
"""Values of one key: more than two bytes count."""
MERGES = 300
"""Merges of that key, one by one."""


@check("R26")
def a_long_list_is_written_anew_as_it_is_read(lab: Lab) -> None:
    """A list with expiry removes its key, and writes those of its values that stay as it goes through them."""
    executor = _open(lab)
    values = [value(str(i)) for i in range(VALUES)]
    store = executor.begin(EMPTY)
    store.put_list(key("a"), values)
    store = executor.begin(store.commit())
    store.put_list(key("own"), values)
    for name in ("a", "own"):
        iterator = store.open("values", key(name))
        store.remove(key(name))
        found: list[Row] = []
        while given := iterator.next(1000):
            calls = [store.call("merge" if found or i else "put", key(name), each) for i, each in enumerate(given[::2])]
            write_calls(lab, calls)
            found += given
        expect(found == values, True, f"Whether {name!r} gave its {VALUES} values in order, as they were written anew")
    _expect_in(lab, executor, store.commit(), dict.fromkeys(("a", "own"), values[::2]), "written anew")


@check("R26")
def a_long_list_that_is_replaced_leaves_nothing(lab: Lab) -> None:
    executor = _open(lab)
    names = ("listed", "put", "merged", "removed", "kept")
    values = [value(str(i)) for i in range(VALUES)]
    store = executor.begin(EMPTY)
    for name in names:
        store.put_list(key(name), values)
    version = store.commit()
    executor.maintain()
    store = executor.begin(version)
    store.put_list(key("listed"), values[:2])
    store.put(key("put"), values[0])
    store.remove(key("merged"))
    store.merge(key("merged"), values[0])
    store.remove(key("removed"))
    wanted = {"listed": values[:2], "put": values[:1], "merged": values[:1], "removed": [], "kept": values}
    for name, given in wanted.items():
        expect(store.values(key(name)) == given, True, f"Whether {name!r} has the {len(given)} values it is left with")
        expect(store.contains(key(name)), bool(given), f"Asking for {name!r}, whose long list was replaced")
    version = store.commit()
    _expect_in(lab, executor, version, wanted, "once replaced")
    store = executor.begin(version)
    for name in names:
        store.merge(key(name), value("last"))
    wanted = {name: [*given, value("last")] for name, given in wanted.items()}
    _expect_in(lab, executor, store.commit(), wanted, "merged to after they were replaced")


@check("R26")
def two_lists_are_read_in_turns(lab: Lab) -> None:
    """Python's state server keeps an iterator for each list that a function goes through."""
    executor = lab.open(families=True, multi=True)
    texts = {"a": "123", "b": "456"}
    store = executor.begin(EMPTY)
    store.create_family("other", multi=True)
    for name, each in texts.items():
        store.put_list(key(name), [value(text) for text in each])
        store.put_list(key(name), [value(f"other {text}") for text in each], family="other")
    version = store.commit()
    for reader in (executor, lab.open("fresh", families=True, multi=True)):
        store = reader.begin(version)
        store.create_family("other", multi=True)
        iterators = {name: store.open("values", key(name)) for name in texts}
        others = {name: store.open("values", key(name), family="other") for name in texts}
        for i in range(3):
            for name, each in texts.items():
                expect(iterators[name].next(), [value(each[i])], f"A value of {name!r}, read in turns with others")
                expect(others[name].next(), [value(f"other {each[i]}")], f"A value of {name!r} in another family")
                store.get(key("c"))
                store.merge(key("c"), value(each[i]))
        for iterator in (*iterators.values(), *others.values()):
            expect(iterator.next(), [], "What comes after the last value of a key")
        store.abort()


@check("R27")
def one_key_may_have_very_many_values_in_a_scan(lab: Lab) -> None:
    _expect_hot(lab, "none", "scan_multi", ["hot"])


@check("R27", needs={"prefix-scan"})
def one_key_may_have_very_many_values_in_a_prefix(lab: Lab) -> None:
    _expect_hot(lab, "prefix", "prefix_multi", ["hot", 1], [["hot"]])


@check("R27", needs={"range-scan"})
def one_key_may_have_very_many_values_in_a_range(lab: Lab) -> None:
    _expect_hot(lab, "range", "range_multi", [7, "hot"], [[7, ""], [8, ""]])


def _expect_hot(lab: Lab, encoder: str, kind: ScanKind, hot: Row, args: list[Row] | None = None) -> None:
    """A key whose values were put as a list, and merged to one by one in two batches."""
    if not lab.has(kind):
        raise NotInSpark(kind, "4.2", lab.driver.spark)
    executor = lab.open(encoder=encoder, families=True, multi=True)
    many = lab.effort.at_most(MANY)
    texts = [str(i) for i in range(many + MERGES)]
    texts[many] = "x" * (1 << 20)
    wanted = [value(text) for text in texts]
    store = executor.begin(EMPTY)
    store.put_list(hot, wanted[:many])
    version = store.commit()
    for half in (wanted[many : many + MERGES // 2], wanted[many + MERGES // 2 :]):
        store = executor.begin(version)
        write_calls(lab, [store.call("merge", hot, each) for each in half])
        version = store.commit()
    for reader in (executor, lab.open("fresh", encoder=encoder, families=True, multi=True)):
        store = reader.begin(version)
        found = lab.do(store.call(kind, *(args or [])))
        expect({str(pair[0]) for pair in found}, {str(hot)}, f"The keys of a {kind} of one key")
        expect(
            [pair[1] for pair in found] == wanted,
            True,
            f"Whether a {kind} gives all {len(wanted)} values of a key in order",
        )
        store.abort()


def _open(lab: Lab) -> Executor:
    return lab.open(families=True, multi=True, conf=SNAPSHOTS)


def _expect_in(lab: Lab, executor: Executor, version: Version, wanted: dict[str, list[Row]], when: str) -> None:
    for reader in here_and_afresh(lab, executor, families=True, multi=True):
        store = reader.begin(version)
        for name, given in wanted.items():
            found = store.values(key(name))
            expect(len(found), len(given), f"How many values {name!r} has, {when}")
            expect(found == given, True, f"Whether the values of {name!r} are in order, {when}")
        store.abort()
