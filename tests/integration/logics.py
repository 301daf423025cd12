"""What the processors of the tests do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.integration.processors import Logic, Tuples, travels_with_the_query

travels_with_the_query(__name__)

DAY_MILLIS = 24 * 60 * 60 * 1000


class EveryOperation(Logic):
    """Each row (id, value) is one operation on one of seven variables or on the timers; after a key's rows of a batch
    all it has is emitted, with the batch's time. Three of the variables forget after `ttl_millis`.
    """

    columns = "now bigint, key string, what string"

    def __init__(self, ttl_millis: int) -> None:
        self._ttl_millis = ttl_millis

    def init(self, handle: Any) -> None:
        self._handle = handle
        self._value = handle.getValueState("value", "n bigint")
        self._list = handle.getListState("list", "n bigint")
        self._map = handle.getMapState("map", "k bigint", "n bigint")
        self._short_value = handle.getValueState("short_value", "n bigint", self._ttl_millis)
        self._short_list = handle.getListState("short_list", "n bigint", self._ttl_millis)
        self._short_map = handle.getMapState("short_map", "k bigint", "n bigint", self._ttl_millis)
        self._expired = handle.getValueState("expired", "n bigint")

    def on_rows(self, key: Any, rows: Tuples, now_millis: int) -> Tuples:
        for id, value in sorted((int(row[-2]), int(row[-1])) for row in rows):
            self._operate(id, value % 16, now_millis)
        return [(now_millis, key, self._all())]

    def on_timer(self, key: Any, expired_millis: int) -> Tuples:
        self._expired.update(((self._expired.get() or (0,))[0] + 1,))
        return [(None, key, f"expired {expired_millis}")]

    def on_initial_state(self, key: Any, row: tuple[Any, ...]) -> None:
        n = int(row[-1])
        self._value.update((n,))
        self._list.appendValue((n,))
        self._map.updateValue((n % 4,), (n,))

    def _operate(self, id: int, operation: int, now_millis: int) -> None:
        one, key = (id,), (id % 4,)
        operations: list[Callable[[], None]] = [
            lambda: self._value.update(one),
            self._value.clear,
            lambda: self._list.put([one, one, (id + 1,)]),
            lambda: self._list.appendValue(one),
            lambda: self._list.appendList([one, (-id,), one]),
            self._list.clear,
            lambda: self._map.updateValue(key, one),
            lambda: self._map.removeKey(key),
            self._map.clear,
            lambda: self._short_value.update(one),
            lambda: self._short_list.appendList([one, (id + 1,)]),
            lambda: self._short_map.updateValue(key, one),
            lambda: self._short_list.put([one]),
            lambda: self._handle.registerTimer(now_millis + 1 + id % 5000),
            lambda: self._handle.registerTimer(now_millis + 1 + id % 50),
            self._delete_one_timer,
        ]
        operations[operation]()

    def _delete_one_timer(self) -> None:
        for timer in sorted(self._handle.listTimers())[:1]:
            self._handle.deleteTimer(timer)

    def _all(self) -> str:
        values = [state.get() if state.exists() else None for state in (self._value, self._short_value, self._expired)]
        lists = [list(state.get()) for state in (self._list, self._short_list)]
        maps = [sorted(state.iterator()) for state in (self._map, self._short_map)]
        has = [state.exists() for state in (self._list, self._short_list, self._map, self._short_map)]
        contained = [self._map.containsKey((n,)) for n in range(4)]
        return f"{_plain(values)} {_plain(lists)} {_plain(maps)} {has} {contained} {sorted(self._handle.listTimers())}"


def _plain(value: Any) -> Any:
    """The same without Spark's rows and numpy's numbers."""
    if value is None:
        return None
    return [_plain(part) for part in value] if isinstance(value, (list, tuple)) else int(value)


class Sessions(Logic):
    """Sessions as `session_window` makes them, each closed by a timer."""

    columns = "start bigint, end bigint, key string, count bigint, total bigint"

    def __init__(self, gap_millis: int) -> None:
        self._gap_millis = gap_millis

    def init(self, handle: Any) -> None:
        self._handle = handle
        self._open = handle.getMapState("open", "start bigint", "last bigint, count bigint, total bigint")

    def on_rows(self, key: Any, rows: Tuples, now_millis: int) -> Tuples:
        for at, value in sorted((int(row[-2]), int(row[-1])) for row in rows):
            self._add(at, value)
        return ()

    def on_timer(self, key: Any, expired_millis: int) -> Tuples:
        for (start,), (last, count, total) in list(self._open.iterator()):
            if last + self._gap_millis == expired_millis:
                self._open.removeKey((start,))
                yield (start, expired_millis, key, count, total)

    def _add(self, at: int, value: int) -> None:
        """Merges the event with the sessions around it."""
        start, last, count, total = at, at, 1, value
        for (other_start,), (other_last, other_count, other_total) in list(self._open.iterator()):
            if other_start < last + self._gap_millis and start < other_last + self._gap_millis:
                self._open.removeKey((other_start,))
                self._handle.deleteTimer(other_last + self._gap_millis)
                start, last = min(start, other_start), max(last, other_last)
                count, total = count + other_count, total + other_total
        self._open.updateValue((start,), (last, count, total))
        self._handle.registerTimer(last + self._gap_millis)


class Count(Logic):
    """Counts a key's rows."""

    columns = "key string, n bigint, text string"

    def init(self, handle: Any) -> None:
        self._count = handle.getValueState("count", "n bigint")
        self._dropped = handle.getListState("dropped", "n bigint")

    def on_rows(self, key: Any, rows: Tuples, now_millis: int) -> Tuples:
        before = self._count.get()
        n = (before[0] if before else 0) + len(list(rows))
        self._count.update((n,))
        self._dropped.appendValue((n,))
        return [(key, n, None)]


class Totals(Logic):
    """Counts and adds up a key's values, in one value state."""

    columns = "key string, count bigint, total bigint"

    def init(self, handle: Any) -> None:
        self._totals = handle.getValueState("totals", "count bigint, total bigint")

    def on_rows(self, key: Any, rows: Tuples, now_millis: int) -> Tuples:
        count, total = self._totals.get() or (0, 0)
        for *_, value in rows:
            count, total = count + 1, total + int(value)
        self._totals.update((count, total))
        return [(key, count, total)]


class TotalsInMap(Logic):
    """The same, with a map that has a part of each value of `id % 3`."""

    columns = Totals.columns

    def init(self, handle: Any) -> None:
        self._totals = handle.getMapState("totals", "part bigint", "count bigint, total bigint")

    def on_rows(self, key: Any, rows: Tuples, now_millis: int) -> Tuples:
        for *_, id, value in rows:
            part = (int(id) % 3,)
            count, total = self._totals.getValue(part) if self._totals.containsKey(part) else (0, 0)
            self._totals.updateValue(part, (count + 1, total + int(value)))
        parts = [tuple(part) for _, part in self._totals.iterator()]
        return [(key, sum(int(part[0]) for part in parts), sum(int(part[1]) for part in parts))]


class Former(Logic):
    """Counts a key's rows in one variable, and in some of other kinds that a later program does without."""

    columns = "key string, n bigint, others string"

    def __init__(self, has_all: bool) -> None:
        self._has_all = has_all

    def init(self, handle: Any) -> None:
        self._kept = handle.getValueState("kept", "n bigint")
        if self._has_all:
            self._value = handle.getValueState("value", "n bigint")
            self._list = handle.getListState("list", "n bigint")
            self._map = handle.getMapState("map", "n bigint", "times bigint")
            self._ttl_value = handle.getValueState("ttl_value", "n bigint", DAY_MILLIS)
            self._ttl_list = handle.getListState("ttl_list", "n bigint", DAY_MILLIS)
            self._ttl_map = handle.getMapState("ttl_map", "n bigint", "times bigint", DAY_MILLIS)

    def on_rows(self, key: Any, rows: Tuples, now_millis: int) -> Tuples:
        before = self._kept.get()
        n = (before[0] if before else 0) + len(list(rows))
        self._kept.update((n,))
        if not self._has_all:
            return [(key, n, None)]
        for value in (self._value, self._ttl_value):
            before = value.get()
            value.update(((before[0] if before else 0) + n,))
        for values in (self._list, self._ttl_list):
            values.appendValue((n,))
        for mapped in (self._map, self._ttl_map):
            mapped.updateValue((n,), (n * n,))
        others = [
            *(tuple(value.get()) for value in (self._value, self._ttl_value)),
            *([each[0] for each in values.get()] for values in (self._list, self._ttl_list)),
            *(sorted((k[0], v[0]) for k, v in mapped.iterator()) for mapped in (self._map, self._ttl_map)),
        ]
        return [(key, n, str(others))]


class CountWithText(Logic):
    """Goes on with the counts of `Count`, with one more field and a variable more; one variable is gone."""

    columns = Count.columns

    def init(self, handle: Any) -> None:
        self._count = handle.getValueState("count", "n bigint, text string")
        self._seen = handle.getMapState("seen", "n bigint", "times bigint")
        handle.deleteIfExists("dropped")

    def on_rows(self, key: Any, rows: Tuples, now_millis: int) -> Tuples:
        n, text = self._count.get() or (0, "new")
        n += len(list(rows))
        self._count.update((n, "evolved" if text is None else text + "+"))
        self._seen.updateValue((n,), (1,))
        return [(key, n, f"{text} {sorted(tuple(key) for key, _ in self._seen.iterator())}")]
