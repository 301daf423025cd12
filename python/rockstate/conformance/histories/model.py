"""What a store has to hold: families of rows, and one attempt to change them. Plain Python, no storage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, TypeAlias

from rockstate.conformance.calls.rows import DEFAULT_FAMILY

Cell: TypeAlias = str | float | None
Key: TypeAlias = tuple[Cell, ...]
Value: TypeAlias = tuple[Cell, ...]
Answer: TypeAlias = list[tuple[Key, Value]]


@dataclass(frozen=True)
class Family:
    """A column family: how its keys are encoded, whether a key has many values, and the values of each key."""

    encoder: str = "none"
    multi: bool = False
    rows: Mapping[Key, tuple[Value, ...]] = field(default_factory=lambda: MappingProxyType({}))


State: TypeAlias = Mapping[str, Family]
"""The families of one version by name; never changed once made."""


def empty_state(encoder: str = "none", *, multi: bool = False) -> State:
    """Version 0: the default family without rows."""
    return MappingProxyType({DEFAULT_FAMILY: Family(encoder, multi)})


def row_count(state: State) -> int:
    """The keys of all families: what numKeys has to say."""
    return sum(len(family.rows) for family in state.values())


def order_of(key: Key) -> tuple[bool, Any]:
    """Where a key of the `range` encoder stands: by its first column, null after every number."""
    return (key[0] is None, key[0] or 0)


class Attempt:
    """One transaction on a state; the state itself stays as it was. Scans give pairs in no order of their own."""

    def __init__(self, base: State) -> None:
        self._families = dict(base)

    def state(self) -> State:
        """The state as this attempt leaves it."""
        return MappingProxyType(dict(self._families))

    def create_family(self, name: str, encoder: str = "none", *, multi: bool = False) -> None:
        self._families.setdefault(name, Family(encoder, multi))

    def remove_family(self, name: str) -> bool:
        return self._families.pop(name, None) is not None

    def families(self) -> list[str]:
        return sorted(self._families)

    def put(self, key: Key, value: Value, family: str = DEFAULT_FAMILY) -> None:
        self.put_list(key, [value], family)

    def put_list(self, key: Key, values: Sequence[Value], family: str = DEFAULT_FAMILY) -> None:
        self._write(family, {**self._rows(family), key: tuple(values)})

    def merge(self, key: Key, value: Value, family: str = DEFAULT_FAMILY) -> None:
        self.merge_list(key, [value], family)

    def merge_list(self, key: Key, values: Sequence[Value], family: str = DEFAULT_FAMILY) -> None:
        self.put_list(key, [*self.values(key, family), *values], family)

    def remove(self, key: Key, family: str = DEFAULT_FAMILY) -> None:
        self._write(family, {k: values for k, values in self._rows(family).items() if k != key})

    def delete_range(self, first: Key, last: Key, family: str = DEFAULT_FAMILY) -> None:
        for key, _ in self.range(first, last, family):
            self.remove(key, family)

    def get(self, key: Key, family: str = DEFAULT_FAMILY) -> Value | None:
        values = self._rows(family).get(key)
        return values[0] if values else None

    def contains(self, key: Key, family: str = DEFAULT_FAMILY) -> bool:
        return key in self._rows(family)

    def values(self, key: Key, family: str = DEFAULT_FAMILY) -> list[Value]:
        return list(self._rows(family).get(key, ()))

    def scan(self, family: str = DEFAULT_FAMILY) -> Answer:
        """Every value of every key: a pair each."""
        return [(key, value) for key, values in self._rows(family).items() for value in values]

    def prefix(self, prefix: Key, family: str = DEFAULT_FAMILY) -> Answer:
        return [(key, value) for key, value in self.scan(family) if key[: len(prefix)] == prefix]

    def range(self, first: Key | None, last: Key | None, family: str = DEFAULT_FAMILY) -> Answer:
        """The pairs from `first` up to, and without, `last`; bounds compare by the first column alone."""
        return [
            (key, value)
            for key, value in self.scan(family)
            if (first is None or order_of(key) >= order_of(first)) and (last is None or order_of(key) < order_of(last))
        ]

    def _rows(self, family: str) -> Mapping[Key, tuple[Value, ...]]:
        return self._families[family].rows

    def _write(self, family: str, rows: dict[Key, tuple[Value, ...]]) -> None:
        self._families[family] = replace(self._families[family], rows=MappingProxyType(rows))


def pairs(answer: Iterable[Sequence[Sequence[Cell]]]) -> Answer:
    """A store's answer to a scan, as the model gives it."""
    return [(tuple(key), tuple(value)) for key, value in answer]


def sorted_pairs(answer: Iterable[tuple[Key, Value]]) -> Answer:
    """Pairs in one order for comparison; the values of one key stay in the order they came in."""
    return sorted(answer, key=lambda pair: [(cell is not None, 0 if cell is None else cell) for cell in pair[0]])
