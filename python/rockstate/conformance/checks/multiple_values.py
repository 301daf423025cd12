"""Several values of one key: kept in order, replaced by puts, and given by every scan."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect, refused
from rockstate.conformance.calls.outcomes import Version
from rockstate.conformance.calls.rows import Row
from rockstate.conformance.checks.lists import expect_scan, expect_values, expect_values_in, open_lists, values_of
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, key, value
from rockstate.conformance.histories.model import pairs, sorted_pairs
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store


@check("R26")
def values_are_kept_in_the_order_they_were_added(lab: Lab) -> None:
    executor = open_lists(lab)
    store = executor.begin(EMPTY)
    store.put_list(key("put"), values_of("321"))
    store.merge(key("merged"), value("2"))
    store.merge(key("merged"), value("1"))
    store.merge_list(key("merged"), values_of("43"))
    store.put_list(key("both"), values_of("ba"))
    store.merge_list(key("both"), values_of("dc"))
    store.merge(key("both"), value("e"))
    wanted = {"put": "321", "merged": "2143", "both": "badce", "nothing there": ""}
    expect_values(store, wanted, "in the transaction that wrote them")
    one = store.commit()
    expect_values_in(lab, executor, one, wanted, "once committed")
    expect_values_in(lab, open_lists(lab, "fresh"), one, wanted, "read afresh")


@check("R26")
def merges_add_to_the_values_of_versions_before(lab: Lab) -> None:
    conf = {"spark.sql.streaming.stateStore.minDeltasForSnapshot": "2"}
    executor = open_lists(lab, conf=conf)
    version = EMPTY
    wanted = {"a": "", "b": "", "c": ""}
    for i in range(6):
        store = executor.begin(version)
        store.merge(key("a"), value(str(i)))
        store.merge_list(key("b"), values_of(f"{i}x"))
        if i % 3 == 2:
            store.remove(key("c"))
        store.merge(key("c"), value(str(i)))
        wanted = {
            "a": wanted["a"] + str(i),
            "b": f"{wanted['b']}{i}x",
            "c": (wanted["c"] if i % 3 != 2 else "") + str(i),
        }
        expect_values(store, wanted, f"in batch {i}")
        version = store.commit()
        executor.maintain()
        expect_values_in(lab, open_lists(lab, "fresh", conf=conf), version, wanted, f"after batch {i}")


@check("R26")
def a_value_that_was_put_stays_when_later_batches_merge(lab: Lab) -> None:
    """A list begins with a put, or with a merge to a key of which was asked before, and its later batches merge."""
    executor = open_lists(lab)
    store = executor.begin(EMPTY)
    store.put(key("put"), value("1"))
    expect(store.contains(key("merged")), False, "Asking for a key before its first merge")
    store.merge(key("merged"), value("1"))
    wanted = {"put": "1", "merged": "1"}
    expect_values(store, wanted, "in the first batch")
    version = store.commit()
    for text in "23":
        store = executor.begin(version)
        for name in wanted:
            store.merge(key(name), value(text))
            wanted[name] += text
        expect_values(store, wanted, f"in the batch that merged {text}")
        version = store.commit()
        expect_values_in(lab, executor, version, wanted, f"once {text} was merged")
        expect_values_in(lab, open_lists(lab, f"fresh{text}"), version, wanted, f"once {text} was merged, read afresh")


@check("R26")
def a_put_replaces_all_values(lab: Lab) -> None:
    executor = open_lists(lab)
    store = executor.begin(EMPTY)
    store.put_list(key("a"), values_of("123"))
    store.put_list(key("b"), values_of("123"))
    one = store.commit()
    store = executor.begin(one)
    store.merge(key("a"), value("lost"))
    store.put_list(key("a"), values_of("45"))
    store.put(key("b"), value("6"))
    store.merge(key("b"), value("7"))
    wanted = {"a": "45", "b": "67"}
    expect_values(store, wanted, "after puts over several values")
    two = store.commit()
    expect_values_in(lab, open_lists(lab, "fresh"), two, wanted, "after puts over several values")
    expect_values_in(lab, open_lists(lab, "again"), one, {"a": "123", "b": "123"}, "in the version before")


@check("R26")
def the_last_of_two_lists_of_a_new_key_counts(lab: Lab) -> None:
    executor = open_lists(lab)
    store = executor.begin(EMPTY)
    for name, lists in (("a", ["12", "34"]), ("b", ["1", "2"]), ("c", ["12"])):
        for texts in lists:
            store.put_list(key(name), values_of(texts))
    store.merge(key("d"), value("1"))
    store.put_list(key("d"), values_of("2"))
    one = store.commit()
    for reader in (executor, open_lists(lab, "fresh")):
        expect_values_in(
            lab, reader, one, {"a": "34", "b": "2", "c": "12", "d": "2"}, "of keys whose lists were put twice"
        )


@check("R26")
def a_removed_key_has_no_values(lab: Lab) -> None:
    executor = open_lists(lab)
    store = executor.begin(EMPTY)
    store.put_list(key("a"), values_of("12"))
    store.put_list(key("b"), values_of("12"))
    one = store.commit()
    store = executor.begin(one)
    store.remove(key("a"))
    expect(store.values(key("a")), [], "The values of a removed key")
    expect(store.contains(key("a")), False, "Asking for a removed key")
    store.remove(key("b"))
    store.merge(key("b"), value("3"))
    store.merge(key("c"), value("3"))
    store.remove(key("c"))
    wanted = {"a": "", "b": "3", "c": ""}
    expect_values(store, wanted, "after removes")
    two = store.commit()
    expect_values_in(lab, open_lists(lab, "fresh"), two, wanted, "after removes")


@check("R26")
def equal_values_are_all_kept(lab: Lab) -> None:
    executor = open_lists(lab)
    store = executor.begin(EMPTY)
    store.put_list(key("a"), values_of("11"))
    store.merge(key("a"), value("1"))
    store.merge_list(key("a"), values_of("21"))
    one = store.commit()
    expect_values_in(lab, open_lists(lab, "fresh"), one, {"a": "11121"}, "with equal values")


@check("R26")
def any_value_can_be_one_of_many(lab: Lab) -> None:
    """Values that look like the separators of merged values, among others."""
    values: list[Row] = [[",", 44], ["", 0], [None, None], ["a,b", 44 << 8], ["\0", -1], ["x" * 3000, 2**63 - 1]]
    executor = open_lists(lab)
    store = executor.begin(EMPTY)
    store.put_list(key("put"), values)
    for each in values:
        store.merge(key("merged"), each)
    one = store.commit()
    store = open_lists(lab, "fresh").begin(one)
    expect(store.values(key("put")), values, "Strange values put as a list")
    expect(store.values(key("merged")), values, "Strange values merged")
    store.abort()


@check("R26")
def values_of_nothing_but_null_are_all_kept(lab: Lab) -> None:
    """The index of a join adds one to its key for each row, and counts them."""
    executor = lab.open(families=True)
    store = _begin_with_nulls(executor, EMPTY)
    for i in range(3):
        store.merge(key("a"), [None], family="index")
        expect(store.values(key("a"), family="index"), [[None]] * (i + 1), "A key's values, nulls merged one by one")
    one = store.commit()
    for reader in (executor, lab.open("fresh", families=True)):
        store = _begin_with_nulls(reader, one)
        expect(store.values(key("a"), family="index"), [[None]] * 3, "A key's values, nulls merged, once committed")
        store.abort()


@check("R26")
def an_aborted_merge_leaves_the_values(lab: Lab) -> None:
    executor = open_lists(lab)
    store = executor.begin(EMPTY)
    store.put_list(key("a"), values_of("12"))
    one = store.commit()
    store = executor.begin(one)
    store.merge(key("a"), value("aborted"))
    store.merge(key("b"), value("aborted"))
    store.merge_list(key("b"), values_of("34"))
    store.put_list(key("c"), values_of("56"))
    store.abort()
    expect_values_in(lab, executor, one, {"a": "12", "b": "", "c": ""}, "after an aborted merge")


@check("R26")
def a_family_of_single_values_refuses_many(lab: Lab) -> None:
    executor = lab.open(families=True)
    store = executor.begin(EMPTY)
    with refused("A merge into a family of single values must be refused"):
        store.merge(key("a"), value("1"))
    with refused("Asking a family of single values for all values of a key must be refused"):
        store.values(key("a"))
    with refused("A merge of several into a family of single values must be refused"):
        store.merge_list(key("a"), [value("1"), value("2")])
    if lab.has("scan_multi"):
        with refused("A scan of many values of a family of single values must be refused"):
            store.scan_multi()
    store.abort()


@check("R26", needs={"prefix-scan"})
def prefix_scans_of_many_values_are_refused_where_there_is_one(lab: Lab) -> None:
    store = lab.open(families=True, encoder="prefix").begin(EMPTY)
    store.put(["a", 1], value("1"))
    with refused("A prefix scan of many values of a family of single values must be refused"):
        store.prefix_multi(["a"])
    store.abort()


@check("R26", needs={"range-scan"})
def range_scans_of_many_values_are_refused_where_there_is_one(lab: Lab) -> None:
    store = lab.open(families=True, encoder="range").begin(EMPTY)
    store.put([1, "k"], value("1"))
    with refused("A range scan of many values of a family of single values must be refused"):
        store.range_multi(None, None)
    store.abort()


@check("R27")
def a_scan_gives_every_value_of_every_key(lab: Lab) -> None:
    executor = open_lists(lab)
    wanted = {"a": "321", "b": "1", "c": "11", "": "54"}
    store = executor.begin(EMPTY)
    for name, texts in wanted.items():
        store.put_list(key(name), values_of(texts))
    one = store.commit()
    store = executor.begin(one)
    expect_scan(store, wanted, "once committed")
    store.merge(key("a"), value("0"))
    store.remove(key("c"))
    store.put_list(key("d"), values_of("98"))
    store.put(key("b"), value("2"))
    wanted = {"a": "3210", "b": "2", "": "54", "d": "98"}
    expect_scan(store, wanted, "with own writes")
    two = store.commit()
    store = open_lists(lab, "fresh").begin(two)
    expect_scan(store, wanted, "read afresh")
    store.abort()


@check("R27", needs={"prefix-scan"})
def a_prefix_scan_gives_every_value_of_its_keys(lab: Lab) -> None:
    executor = lab.open(families=True, multi=True, encoder="prefix")
    store = executor.begin(EMPTY)
    for prefix in ("a", "b"):
        for k in (1, 2):
            store.put_list([prefix, k], values_of(f"{k}0"))
    one = store.commit()
    store = executor.begin(one)
    store.merge(["a", 1], value("x"))
    store.remove(["a", 2])
    store.merge(["a", 3], value("y"))
    answer = sorted_pairs(pairs(store.prefix_multi(["a"])))
    wanted = [[["a", 1], each] for each in values_of("10x")] + [[["a", 3], value("y")]]
    expect(answer, pairs(wanted), "A prefix scan of many values")
    expect(store.prefix_multi(["nothing there"]), [], "A prefix scan of many values that finds nothing")
    store.commit()


@check("R27", needs={"range-scan"})
def a_range_scan_gives_every_value_in_order(lab: Lab) -> None:
    executor = lab.open(families=True, multi=True, encoder="range")
    store = executor.begin(EMPTY)
    for t in (5, -5, 0, 300, -300):
        store.put_list([t, "k"], values_of("ab"))
    one = store.commit()
    store = executor.begin(one)
    store.merge([0, "k"], value("c"))
    store.remove([5, "k"])
    store.merge([1, "k"], value("d"))
    wanted = [[[-5, "k"], each] for each in values_of("ab")] + [[[0, "k"], each] for each in values_of("abc")]
    wanted += [[[1, "k"], value("d")]]
    expect(store.range_multi([-5, ""], [300, ""]), wanted, "A range scan of many values")
    store.commit()


def _begin_with_nulls(executor: Executor, version: Version) -> Store:
    store = executor.begin(version)
    store.create_family("index", encoder="dummy", multi=True)
    return store
