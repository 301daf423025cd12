"""The change feed beyond plain puts: within a version, over many, of other families, and of files that are gone."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.outcomes import NotApplicable, StoreError, Timeout, Violation
from rockstate.conformance.checks.reading_back import applied
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, begin_with, commit, commit_each, declare, key, value, write
from rockstate.conformance.lab.lab import Lab


@check("R39")
def the_last_change_of_a_key_in_a_version_counts(lab: Lab) -> None:
    executor = lab.open()
    version = commit(lab, executor, EMPTY, {"back": "0", "gone": "0"})
    for i in (1, 2):
        store = executor.begin(version)
        write(lab, store, {"back": "lost"})
        write(lab, store, {"back": str(i), "gone": "lost"}, ["back"])
        write(lab, store, {}, ["gone"])
        version = store.commit()
        found = applied(lab.open("fresh").changes(1, version))
        expect_rows(found, [[["back"], value(str(i))]], "Changes of keys put and removed in one version, applied")


@check("R39")
def changes_of_many_versions_are_in_their_order(lab: Lab) -> None:
    """Names of files are not: 10 comes before 9."""
    executor = lab.open()
    versions = commit_each(lab, executor, EMPTY, [{"a": str(i), f"row{i}": "1"} for i in range(1, 13)])
    changes = lab.open("fresh").changes(1, versions[12])
    expect([change.version for change in changes if change.key == key("a")], list(range(12)), "The batches of a feed")


@check("R39")
def a_feed_does_not_pass_over_a_version_that_is_gone(lab: Lab) -> None:
    written: list[list[str]] = []
    executor = lab.open()
    version = EMPTY
    for i in range(1, 6):
        before = set(lab.files())
        version = commit(lab, executor, version, {f"row{i}": str(i)})
        written.append(sorted(set(lab.files()) - before))
    if not written[2]:
        raise NotApplicable("A commit makes no file of its own")
    for path in written[2]:
        lab.delete(path)
    try:
        changes = lab.open("fresh").changes(1, version)
    except Timeout:
        raise
    except StoreError:
        return
    wanted = [[key(f"row{i}"), value(str(i))] for i in range(1, 6)]
    expect_rows(applied(changes), wanted, "The changes of five versions, the files of the third deleted")


@check("R39")
def versions_without_changes_do_not_end_a_feed(lab: Lab) -> None:
    executor = lab.open()
    versions = commit_each(lab, executor, EMPTY, [{"a": "1"}, {}, {"b": "2"}, {}, {}, {"c": "3"}])
    changes = lab.open("fresh").changes(1, versions[-1])
    found = [(change.version, change.key[0]) for change in changes]
    expect(found, [(0, "a"), (2, "b"), (5, "c")], "The batches and keys of a feed over versions without changes")


@check("R39", needs={"column-families"})
def a_family_has_a_feed_over_versions_that_lack_it(lab: Lab) -> None:
    executor = lab.open(families=True)
    version = commit(lab, executor, EMPTY, {"a": "1"})
    for rows in ({"x": "1"}, {}, {"y": "2"}):
        store = begin_with(executor, version, "late")
        store.put(key("b"), value("default"))
        for name, text in rows.items():
            store.put(key(name), value(text), family="late")
        version = store.commit()
    fresh = lab.open("fresh", families=True)
    begin_with(fresh, version, "late").abort()
    found = [(change.version, change.key[0]) for change in fresh.changes(1, version, family="late")]
    expect(found, [(1, "x"), (3, "y")], "The batches and keys of the feed of a family that came later")


@check("R39", needs={"column-families", "prefix-scan"})
def changes_of_a_family_with_prefixes_have_its_keys(lab: Lab) -> None:
    """A map of transformWithState is such a family."""
    _expect_changes_of(lab, "prefix", [["a", 1], ["a", -1], ["", 0]])


@check("R39", needs={"column-families", "range-scan"})
def changes_of_a_family_in_order_have_its_keys(lab: Lab) -> None:
    _expect_changes_of(lab, "range", [[-5, "k"], [None, ""], [2**40, "other"]])


@check("R39", needs={"column-families", "delete-range"})
def changes_tell_what_a_delete_of_a_range_removed(lab: Lab) -> None:
    """Or there are none: Spark's RocksDB provider does not know the keys any more, and says so."""
    executor = lab.open(families=True)
    store = executor.begin(EMPTY)
    store.create_family("timers", encoder="range")
    for t in range(5):
        store.put([t, "k"], value(str(t)), family="timers")
    one = store.commit()
    store = executor.begin(one)
    store.create_family("timers", encoder="range")
    store.delete_range([1, ""], [4, ""], family="timers")
    two = store.commit()
    fresh = lab.open("fresh", families=True)
    declare(fresh, two, "timers", encoder="range")
    try:
        changes = fresh.changes(1, two, family="timers", encoder="range")
    except Timeout:
        raise
    except StoreError:
        return
    wanted = [[[t, "k"], value(str(t))] for t in (0, 4)]
    expect_rows(applied(changes), wanted, "The changes around a delete of a range, applied")


@check("R39", needs={"column-families"})
def changes_of_a_family_are_not_those_of_longer_names(lab: Lab) -> None:
    """A query may have the state variables `count` and `count2`."""
    names = ("count", "count2", "coun", "Count", "a count")
    executor = lab.open(families=True)
    store = begin_with(executor, EMPTY, *names)
    for name in names:
        store.put(key("a"), value(name), family=name)
        store.put(key(name), value("1"), family=name)
    one = store.commit()
    for reader in (executor, lab.open("fresh", families=True)):
        for name in names:
            declare(reader, one, name)
            found = applied(reader.changes(1, one, family=name))
            expect_rows(
                found, [[key("a"), value(name)], [key(name), value("1")]], f"The changes of the family {name!r}"
            )


def _expect_changes_of(lab: Lab, encoder: str, keys: list[list[str | int | None]]) -> None:
    executor = lab.open(families=True)
    store = executor.begin(EMPTY)
    store.create_family("of its own", encoder=encoder)
    for i, each in enumerate(keys):
        store.put(each, value(str(i)), family="of its own")
    one = store.commit()
    fresh = lab.open("fresh", families=True)
    declare(fresh, one, "of its own", encoder=encoder)
    changes = fresh.changes(1, one, family="of its own", encoder=encoder)
    wanted = [[each, value(str(i))] for i, each in enumerate(keys)]
    expect_rows(applied(changes), wanted, f"The changes of a family with the encoder {encoder}, applied")
    if {change.type for change in changes} != {"put_record"}:
        raise Violation(f"Puts into a family with the encoder {encoder} were told as {changes}")
