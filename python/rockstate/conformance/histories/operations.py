"""The parts of random histories: layouts of stores, and operations that a store and the model both perform."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeAlias, TypedDict

from hypothesis.strategies import SearchStrategy, builds, integers

from rockstate.conformance.calls.call import Call
from rockstate.conformance.calls.expectations import expect_rows
from rockstate.conformance.calls.outcomes import Violation
from rockstate.conformance.calls.rows import DEFAULT_FAMILY, Pair
from rockstate.conformance.histories.model import (
    Attempt,
    Key,
    State,
    Value,
    empty_state,
    order_of,
    pairs,
    sorted_pairs,
)
from rockstate.conformance.lab.store import Store

KEYS: dict[str, list[Key]] = {
    "none": [(text,) for text in ("", "a", "b", "aa", "ab", "ü")],
    "prefix": [(p, k) for p in ("a", "aa", "") for k in (-1, 0, 256)],
    "range": [(t, k) for t in (None, -(2**40), -1, 0, 1, 256) for k in ("", "x")],
}
VALUES: list[Value] = [("v", 1), ("w", 2), ("", 0), (None, 3), ("long " * 10, None), (",", -1), ("ü", 2**63 - 1)]
WRITES = ("put", "put", "put", "remove", "remove")
SINGLE = (*WRITES, "get", "contains", "multi_get", "scan", "remove_each", "put_each")
MULTI = ("put_list", "merge", "merge", "merge_list", "put", "remove", "values", "contains", "scan_multi")
SCANS = {"none": (), "prefix": ("prefix", "prefix"), "range": ("range", "range")}


Can: TypeAlias = Callable[[str], bool]
"""Whether an operation of that name can be asked for."""

_LAST = 35


class Opening(TypedDict):
    """Options of `Lab.open`."""

    encoder: str
    families: bool


class Drawn(NamedTuple):
    """Numbers that a layout makes an operation of; 0 is the simplest of each."""

    family: int
    kind: int
    key: int
    other: int
    value: int


def operations() -> SearchStrategy[Drawn]:
    """Draws operations for any layout."""
    return builds(Drawn, *[integers(0, most) for most in (5, _LAST, 15, 15, 20)])


@dataclass(frozen=True)
class Operation:
    """One operation with its arguments, all of them keys and values of the model."""

    name: str
    family: str
    args: tuple[Any, ...]
    encoder: str
    is_of_many: bool = False
    """Whether its family has multiple values."""

    @property
    def is_alone(self) -> bool:
        """Whether it takes several calls."""
        return self.name in ("remove_each", "put_each", "remake")

    def reading_back(self) -> list[Operation]:
        """Reads of the keys that this wrote."""
        if self.name == "delete_range":
            first, last = map(order_of, self.args)
            within = [key for key in KEYS[self.encoder] if first <= order_of(key) < last]
            return [replace(self, name=name, args=(key,)) for key in within for name in ("get", "contains")]
        if self.name in ("put_list", "merge", "merge_list"):
            return [replace(self, name="values", args=self.args[:1])]
        if self.name not in ("put", "remove") or self.is_of_many:
            return []
        reads = ["get", "contains", *(["prefix"] if self.encoder == "prefix" else [])]
        return [replace(self, name=name, args=_arguments_of(name, self.args[0])) for name in reads]

    def call(self, store: Store) -> Call:
        return store.call(self.name, *[_listed(arg) for arg in self.args], **self._where())

    def on_store(self, store: Store) -> Any:
        if self.name == "remake":
            return self._remake(store)
        if self.is_alone:
            return self._each(store)
        return getattr(store, self.name)(*[_listed(arg) for arg in self.args], **self._where())

    def on_model(self, model: Attempt) -> Any:
        """What the store has to answer."""
        if self.name == "remake":
            encoder, multi = self.args
            gone = model.remove_family(self.family)
            model.create_family(self.family, encoder, multi=multi)
            return gone
        if self.name in ("remove_each", "put_each"):
            before = model.scan(self.family)
            for key, _ in before:
                if self.name == "remove_each":
                    model.remove(key, self.family)
                else:
                    model.put(key, self.args[0], self.family)
            return before
        if self.name == "multi_get":
            return [model.get(key, self.family) for key in self.args[0]]
        plain = self.name.removesuffix("_multi")
        return getattr(model, plain)(*self.args, self.family)

    def compare(self, answer: Any, wanted: Any) -> None:
        """Raises Violation where a store's answer is not the model's."""
        what = f"{self.name}({', '.join(map(repr, self.args))}) in {self.family}"
        if self.name.removesuffix("_multi") in ("scan", "prefix", "range", "remove_each", "put_each"):
            self._compare_rows(answer, wanted, what)
        elif answer != _listed(wanted):
            message = f"{what} gives {answer!r}, not {_listed(wanted)!r}"
            raise Violation(message, answer=answer, wanted=_listed(wanted))

    def _compare_rows(self, answer: list[Pair], wanted: Any, what: str) -> None:
        expect_rows(answer, _listed(wanted), what)
        if self.name.endswith("_multi") and sorted_pairs(pairs(answer)) != sorted_pairs(wanted):
            raise Violation(f"{what} gives the values of a key in another order: {answer!r}")
        order = [order_of(tuple(key)) for key, _ in answer]
        if self.encoder == "range" and order != sorted(order):
            raise Violation(f"{what} gives keys out of order: {[key[0] for key, _ in answer]}")

    def _each(self, store: Store) -> list[Pair]:
        """Writes each row as an open scan returns it."""
        iterator = store.open("scan", **self._where())
        found: list[Pair] = []
        while rows := iterator.next():
            found += rows
            key = rows[0][0]
            if self.name == "remove_each":
                store.remove(key, family=self.family)
            else:
                store.put(key, list(self.args[0]), family=self.family)
            if len(found) > 500:
                raise Violation(f"{self.name} in {self.family} does not end")
        return found

    def _remake(self, store: Store) -> bool:
        encoder, multi = self.args
        gone = store.remove_family(self.family)
        store.create_family(self.family, encoder=encoder, multi=multi)
        return gone

    def _where(self) -> dict[str, str]:
        return {} if self.family == DEFAULT_FAMILY else {"family": self.family}


@dataclass(frozen=True)
class Layout:
    """What a store is opened with: the default family, and others by name with encoder and multiple values."""

    encoder: str = "none"
    families: Mapping[str, tuple[str, bool]] = field(default_factory=dict)
    needs: frozenset[str] = frozenset()

    def opening(self) -> Opening:
        """The options of `Lab.open`."""
        return {"encoder": self.encoder, "families": bool(self.families)}

    def empty_state(self) -> State:
        """What version 0 holds."""
        return empty_state(self.encoder)

    def looks(self, can: Can) -> list[Operation]:
        """Reads of everything: each family's rows, and a multiGet of every key that has one value at most."""
        every = {DEFAULT_FAMILY: (self.encoder, False), **self.families}
        looks = [
            look for name, (encoder, multi) in every.items() for look in looks_at(name, encoder, multi=multi, can=can)
        ]
        single = {name: encoder for name, (encoder, multi) in every.items() if not multi}
        gets = [Operation("multi_get", name, (KEYS[encoder],), encoder) for name, encoder in single.items()]
        return [*looks, *(gets if can("multi_get") else [])]

    def operation(self, drawn: Drawn, can: Can) -> Operation | None:
        """The operation that was drawn; None where Spark or the provider cannot do it."""
        every = {DEFAULT_FAMILY: (self.encoder, False), **self.families}
        family = list(every)[drawn.family % len(every)]
        encoder, multi = every[family]
        if drawn.kind > _LAST - 3 and family != DEFAULT_FAMILY:
            return Operation("remake", family, (encoder, multi), encoder)
        kinds = [*(MULTI if multi else SINGLE), *(f"{scan}_multi" if multi else scan for scan in SCANS[encoder])]
        if encoder == "range" and self.families and not multi:
            kinds += ["delete_range"] * 5
        name = kinds[drawn.kind % len(kinds)]
        if not can(name):
            return None
        return Operation(name, family, _arguments(name, encoder, drawn), encoder, multi)


LAYOUTS = (
    Layout(),
    Layout("prefix", needs=frozenset({"prefix-scan"})),
    Layout("range", needs=frozenset({"range-scan"})),
    Layout("none", {"other": ("none", False)}, frozenset({"column-families"})),
    Layout(
        "range",
        {"p": ("prefix", False), "t": ("range", False)},
        frozenset({"column-families", "prefix-scan", "range-scan"}),
    ),
    Layout(
        "none",
        {"m": ("none", True), "mp": ("prefix", True), "mt": ("range", True)},
        frozenset({"column-families", "multiple-values", "prefix-scan", "range-scan"}),
    ),
)


def looks_at(family: str, encoder: str, *, multi: bool, can: Can) -> list[Operation]:
    """Reads of all rows of a family: a scan, or of multiple values that cannot be scanned each key's."""
    if not multi:
        return [Operation("scan", family, (), encoder)]
    if can("scan_multi"):
        return [Operation("scan_multi", family, (), encoder, is_of_many=True)]
    return [Operation("values", family, (key,), encoder, is_of_many=True) for key in KEYS[encoder]]


def layouts_for(capabilities: Iterable[str]) -> list[Layout]:
    """The layouts that a provider with these capabilities can be opened with."""
    return [layout for layout in LAYOUTS if layout.needs <= set(capabilities)]


def _arguments(name: str, encoder: str, drawn: Drawn) -> tuple[Any, ...]:
    keys = KEYS[encoder]
    key, other = keys[drawn.key % len(keys)], keys[drawn.other % len(keys)]
    pool = VALUES[:3] if name.startswith(("merge", "put_list")) else VALUES
    values = [pool[(drawn.value + i) % len(pool)] for i in range(1 + drawn.value % 3)]
    match name.removesuffix("_multi"):
        case "put" | "merge":
            return key, values[0]
        case "put_list" | "merge_list":
            return key, values
        case "multi_get":
            return ([key, other, key],)
        case "put_each":
            return (values[0],)
        case "prefix":
            return (key[:1],)
        case "range":
            return _bounds(key, other, drawn.value)
        case "delete_range":
            return _bounds(key, other, 0)
        case "scan" | "remove_each":
            return ()
        case _:
            return (key,)


def _arguments_of(name: str, key: Key) -> tuple[Key]:
    return (key[:1],) if name == "prefix" else (key,)


def _bounds(key: Key, other: Key, choice: int) -> tuple[Key | None, Key | None]:
    """Bounds as operators make them: a first column, and the least of what follows; one in three is left open."""
    first, last = sorted(((key[0], ""), (other[0], "")), key=order_of)
    return (None if choice % 3 == 1 else first), (None if choice % 3 == 2 else last)


def _listed(value: Any) -> Any:
    """Keys and values as the store has them."""
    return [_listed(each) for each in value] if isinstance(value, tuple | list) else value
