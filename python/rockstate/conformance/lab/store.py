"""One store of an executor: an open transaction, or one version to read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

from rockstate.conformance.calls.answers import Metrics, metrics_of, named_families, version_of
from rockstate.conformance.calls.call import Call, as_it_is
from rockstate.conformance.calls.outcomes import Version
from rockstate.conformance.calls.rows import DEFAULT_FAMILY, Pair, Row
from rockstate.conformance.lab.performer import Named, Performer

ScanKind: TypeAlias = Literal["scan", "prefix", "range", "scan_multi", "prefix_multi", "range_multi", "values"]
Memory: TypeAlias = Literal["within_another", "longer_buffer", "whole_array", "off_heap"]
"""Where rows lie that a store is called with: most within another row."""


class Store:
    """A handle on one version of a store. Rows are lists: keys as the encoder has them, values `[v, n]`.

    A key's row says that it has so many `fields`, if they are given: one taken out of another row may say any number.
    Every method raises `StoreError` with what the provider threw. `call` gives the same call for `Lab.run`, undone.
    """

    def __init__(self, lab: Performer, name: str, base: Version, executor: str) -> None:
        self._lab = lab
        self._executor = executor
        self.name = name
        self.base = base
        """The version that was loaded."""

    def has(self, op: str) -> bool:
        """Whether the running Spark has that call."""
        return self._lab.has(op)

    def call(self, op: str, /, *args: Any, **kwargs: Any) -> Call:
        """The call of the method `op` with its arguments, for `Lab.run` to perform together with others."""
        given = {name: value for name, value in kwargs.items() if value not in _DEFAULTS}
        request = {"op": op, "store": self.name, **dict(zip(_ARGUMENTS[op], args, strict=True)), **given}
        if op == "commit":
            return Call(self.name, op, request, result=self._lab.new_name("v"), parse=version_of)
        return Call(self.name, op, request, args, given, parse=_PARSE.get(op, as_it_is))

    def lay_rows(self, memory: Memory) -> None:
        """Rows of the families that are known so far lie there from now on whenever a call is given them."""
        self._do("lay_rows", memory)

    def put(self, key: Row, value: Row, *, family: str = DEFAULT_FAMILY, fields: int | None = None) -> None:
        self._do("put", key, value, family=family, fields=fields)

    def remove(self, key: Row, *, family: str = DEFAULT_FAMILY, fields: int | None = None) -> None:
        self._do("remove", key, family=family, fields=fields)

    def merge(self, key: Row, value: Row, *, family: str = DEFAULT_FAMILY, fields: int | None = None) -> None:
        self._do("merge", key, value, family=family, fields=fields)

    def put_list(self, key: Row, values: Sequence[Row], *, family: str = DEFAULT_FAMILY) -> None:
        """Replaces a key's values, of which there is one at least: before Spark 4.1 by a put and merges."""
        if self._lab.has("put_list"):
            self._do("put_list", key, list(values), family=family)
        else:
            self.put(key, values[0], family=family)
            self.merge_list(key, values[1:], family=family)

    def merge_list(self, key: Row, values: Sequence[Row], *, family: str = DEFAULT_FAMILY) -> None:
        """Adds values to a key's: before Spark 4.1 by a merge for each."""
        if self._lab.has("merge_list"):
            self._do("merge_list", key, list(values), family=family)
        else:
            for value in values:
                self.merge(key, value, family=family)

    def delete_range(self, first: Row, last: Row, *, family: str = DEFAULT_FAMILY) -> None:
        self._do("delete_range", first, last, family=family)

    def get(self, key: Row, *, family: str = DEFAULT_FAMILY, fields: int | None = None) -> Row | None:
        """The key's value, None if it has none."""
        value: Row | None = self._do("get", key, family=family, fields=fields)
        return value

    def hold(self, key: Row, *, family: str = DEFAULT_FAMILY) -> Held:
        """The key's value as the store hands it out, not copied: it is read when it is asked for."""
        return _held(self._lab, self.name, self.name, {"op": "hold", "key": key, "family": family}, (key,))

    def contains(self, key: Row, *, family: str = DEFAULT_FAMILY) -> bool:
        """Whether a key has a value: before Spark 4.2 by a get."""
        if not self._lab.has("contains"):
            return self.get(key, family=family) is not None
        return bool(self._do("contains", key, family=family))

    def multi_get(self, keys: Sequence[Row], *, family: str = DEFAULT_FAMILY) -> list[Row | None]:
        values: list[Row | None] = self._do("multi_get", list(keys), family=family)
        return values

    def values(self, key: Row, *, family: str = DEFAULT_FAMILY, fields: int | None = None) -> list[Row]:
        """All values of a key, of a family with multiple values."""
        values: list[Row] = self._do("values", key, family=family, fields=fields)
        return values

    def scan(self, *, family: str = DEFAULT_FAMILY) -> list[Pair]:
        """All rows in the provider's order."""
        return self._pairs("scan", family=family)

    def unequal(self, kind: ScanKind | Literal["get"], *args: Any) -> list[Any]:
        """Those rows of a scan, or that of a get, which do not equal the row that Spark makes of the same columns."""
        request = {"op": "unequal", "store": self.name, "kind": kind, **dict(zip(_ARGUMENTS[kind], args, strict=True))}
        rows: list[Any] = self._lab.do(Call(self.name, "unequal", request, (kind, *args)))
        return rows

    def prefix(self, prefix: Row, *, family: str = DEFAULT_FAMILY) -> list[Pair]:
        """The rows whose key starts with the columns of `prefix`."""
        return self._pairs("prefix", prefix, family=family)

    def range(self, first: Row | None, last: Row | None, *, family: str = DEFAULT_FAMILY) -> list[Pair]:
        """The rows from `first` up to `last`, as StateStore.rangeScan bounds them; None is no bound."""
        return self._pairs("range", first, last, family=family)

    def scan_multi(self, *, family: str = DEFAULT_FAMILY) -> list[Pair]:
        """All rows of a family with multiple values: a pair per value."""
        return self._pairs("scan_multi", family=family)

    def prefix_multi(self, prefix: Row, *, family: str = DEFAULT_FAMILY) -> list[Pair]:
        return self._pairs("prefix_multi", prefix, family=family)

    def range_multi(self, first: Row | None, last: Row | None, *, family: str = DEFAULT_FAMILY) -> list[Pair]:
        return self._pairs("range_multi", first, last, family=family)

    def open(self, kind: ScanKind, *args: Any, family: str = DEFAULT_FAMILY) -> Iterating:
        """An iterator left open; `args` are those of the method `kind`."""
        given = {} if family == DEFAULT_FAMILY else {"family": family}
        name = self._lab.new_name("i")
        named = dict(zip(_ARGUMENTS[kind], args, strict=True))
        request = {"op": "iter_open", "store": self.name, "iter": name, "kind": kind, **named, **given}
        self._lab.do(Call(self.name, "open", request, (kind, *args), given, result=name))
        return Iterating(self._lab, self.name, name)

    def create_family(self, family: str, *, encoder: str = "none", multi: bool = False, internal: bool = False) -> None:
        self._do("create_family", family, encoder=encoder, multi=multi, internal=internal)

    def remove_family(self, family: str) -> bool:
        return bool(self._do("remove_family", family))

    def families(self) -> list[str]:
        """Sorted names of the column families but the default one: whether that is among them, no caller asks."""
        names: list[str] = self._do("families")
        return names

    def commit(self) -> Version:
        """Commits; the new version."""
        version: Version = self._lab.do(self.call("commit"))
        return version

    def abort(self) -> None:
        self._do("abort")

    def release(self) -> None:
        """Ends reading, as a task does with its read store: before Spark 4.1 by abort."""
        self._do("release" if self._lab.has("release") else "abort")

    def upgrade(self, *, snapshot: bool = False, on: Named | None = None, base: Version | None = None) -> Store:
        """The read store's task goes on to write: a store to write to (upgradeReadStoreToWriteStore).

        With `snapshot` its commit makes a snapshot, too. `on` is the executor that is asked, if not the store's own,
        and `base` the version of this number, if not the one that was read.
        """
        name, executor = self._lab.new_name("s"), on.name if on else self._executor
        version = base or self.base
        given = {"snapshot": True} if snapshot else {}
        request = {"op": "upgrade", "provider": executor, "store": self.name, "as": name, "id": version.id}
        kwargs = {**given, **({"on": on} if on else {}), **({"base": base} if base else {})}
        self._lab.do(Call(self.name, "upgrade", {**request, **given}, kwargs=kwargs, result=name))
        return Store(self._lab, name, version, executor)

    def has_committed(self) -> bool:
        return bool(self._do("has_committed"))

    def metrics(self) -> Metrics:
        metrics: Metrics = self._do("metrics")
        return metrics

    def unknown_metrics(self) -> list[str]:
        """The metrics of its instance that Spark's operators do not find among those that are declared."""
        names: list[str] = self._do("unknown_metrics")
        return names

    def store_version(self) -> int:
        """The version the store itself says it has."""
        return int(self._do("store_version"))

    def store_id(self) -> str:
        """Which store it says it is."""
        return str(self._do("store_id"))

    def remove_held(self, row: Held, *, family: str = DEFAULT_FAMILY) -> None:
        """Removes the key of a pair that an iterator gave, by the row itself."""
        given = {} if family == DEFAULT_FAMILY else {"family": family}
        self._do_held("remove_held", row, (row,), given, family=family)

    def put_held(self, row: Held, value: Row) -> None:
        """Puts a value to the key of a pair that an iterator gave, by the row itself."""
        self._do_held("put_held", row, (row, value), value=value)

    def put_value(self, key: Row, row: Held) -> None:
        """Puts a value that a get or one of a key's values gave, by the row itself."""
        self._do_held("put_value", row, (key, row), key=key)

    def merge_value(self, key: Row, row: Held) -> None:
        """Merges such a value."""
        self._do_held("merge_value", row, (key, row), key=key)

    def _do(self, op: str, /, *args: Any, **kwargs: Any) -> Any:
        return self._lab.do(self.call(op, *args, **kwargs))

    def _do_held(
        self, op: str, row: Held, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None, **fields: Any
    ) -> None:
        request = {"op": op, "store": self.name, "row": row.name, **fields}
        self._lab.do(Call(self.name, op, request, args, kwargs or {}))

    def _pairs(self, op: str, /, *args: Any, **kwargs: Any) -> list[Pair]:
        pairs: list[Pair] = self._do(op, *args, **kwargs)
        return pairs


class Iterating:
    """An iterator that a store left open."""

    def __init__(self, lab: Performer, store: str, name: str) -> None:
        self._lab = lab
        self._store = store
        self.name = name

    def next(self, n: int = 1) -> list[Pair]:
        """The next `n` rows, fewer where it ends."""
        request = {"op": "iter_next", "store": self._store, "iter": self.name, "n": n}
        pairs: list[Pair] = self._lab.do(Call(self.name, "next", request, (n,)))
        return pairs

    def hold(self) -> Held:
        """The next pair as the store hands it out, not copied: it is read when it is asked for."""
        return _held(self._lab, self.name, self._store, {"op": "iter_hold", "iter": self.name}, ())

    def has_next(self) -> bool:
        """Whether there is a row after those that were given."""
        request = {"op": "iter_has_next", "store": self._store, "iter": self.name}
        return bool(self._lab.do(Call(self.name, "has_next", request)))

    def close(self) -> None:
        self._lab.do(Call(self.name, "close", {"op": "iter_close", "store": self._store, "iter": self.name}))


class Held:
    """A value, or a pair of an iterator, that a store has handed out and a task still has."""

    def __init__(self, lab: Performer, store: str, name: str) -> None:
        self._lab = lab
        self._store = store
        self.name = name

    def read(self) -> Any:
        """What it has now."""
        return self._lab.do(Call(self.name, "read", {"op": "held", "store": self._store, "row": self.name}))

    def read_key(self) -> Any:
        """What the key of a pair is now."""
        return self._lab.do(Call(self.name, "read_key", {"op": "held_key", "store": self._store, "row": self.name}))

    def __repr__(self) -> str:
        """As a program calls it."""
        return self.name


def _held(lab: Performer, target: str, store: str, request: dict[str, Any], args: tuple[Any, ...]) -> Held:
    name = lab.new_name("row")
    lab.do(Call(target, "hold", {**request, "store": store, "row": name}, args, result=name))
    return Held(lab, store, name)


_PARSE: dict[str, Callable[[Any], Any]] = {"metrics": metrics_of, "families": named_families}
_DEFAULTS = (DEFAULT_FAMILY, "none", False, None)

_ARGUMENTS: dict[str, tuple[str, ...]] = {
    "lay_rows": ("memory",),
    "put": ("key", "value"),
    "remove": ("key",),
    "merge": ("key", "value"),
    "put_list": ("key", "values"),
    "merge_list": ("key", "values"),
    "delete_range": ("first", "last"),
    "get": ("key",),
    "contains": ("key",),
    "multi_get": ("keys",),
    "values": ("key",),
    "scan": (),
    "prefix": ("prefix",),
    "range": ("first", "last"),
    "scan_multi": (),
    "prefix_multi": ("prefix",),
    "range_multi": ("first", "last"),
    "create_family": ("family",),
    "remove_family": ("family",),
    "families": (),
    "commit": (),
    "abort": (),
    "release": (),
    "has_committed": (),
    "metrics": (),
    "unknown_metrics": (),
    "store_version": (),
    "store_id": (),
}
