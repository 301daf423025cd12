"""Lists of values of one key each: what checks open, write and want of them."""

from __future__ import annotations

from typing import Any

from rockstate.conformance.calls.expectations import expect
from rockstate.conformance.calls.outcomes import Version
from rockstate.conformance.calls.rows import Row
from rockstate.conformance.checks.rows import key, value
from rockstate.conformance.histories.model import pairs, sorted_pairs
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store


def open_lists(lab: Lab, name: str = "a", **kind: Any) -> Executor:
    """An executor whose keys have several values each; `kind` is what `Lab.open` takes besides."""
    return lab.open(name, families=True, multi=True, **kind)


def values_of(texts: str) -> list[Row]:
    """A value for each letter."""
    return [value(text) for text in texts]


def expect_values(store: Store, wanted: dict[str, str], when: str) -> None:
    """Each key has a value for each letter of its text."""
    for name, texts in wanted.items():
        expect(store.values(key(name)), values_of(texts), f"The values of {name!r} {when}")
        expect(store.contains(key(name)), texts != "", f"Asking for {name!r} {when}")


def expect_values_in(lab: Lab, executor: Executor, version: Version, wanted: dict[str, str], when: str) -> None:
    """The same of a version, in which no other key has values."""
    store = executor.begin(version)
    expect_values(store, wanted, when)
    if lab.has("scan_multi"):
        expect_scan(store, {name: texts for name, texts in wanted.items() if texts}, when)
    store.abort()


def expect_scan(store: Store, wanted: dict[str, str], when: str) -> None:
    """A scan of many values gives these."""
    answer = sorted_pairs(pairs(store.scan_multi()))
    rows = [[key(name), each] for name, texts in wanted.items() for each in values_of(texts)]
    expect(answer, sorted_pairs(pairs(rows)), f"A scan of many values {when}")
