"""What the `transformWithState` queries of the golden checkpoints do with each key."""

from __future__ import annotations

from typing import Any

from tests.integration.processors import Logic, Tuples, travels_with_the_query

travels_with_the_query(__name__)

TIMER_MINUTES = 45
LONG_TTL_MILLIS = 100 * 365 * 24 * 3600 * 1000


class CountedByTimer(Logic):
    """Counts a key's rows in a value, and emits the count when a timer of event time expires, set by each batch's rows.

    A row ends with its time in milliseconds.
    """

    columns = "key bigint, expired bigint, count bigint"

    def init(self, handle: Any) -> None:
        self._handle = handle
        self._count = handle.getValueState("count", "n bigint")

    def on_rows(self, key: Any, rows: Tuples, now_millis: int) -> Tuples:
        times = [int(row[-1]) for row in rows]
        before = self._count.get() or (0,)
        self._count.update((int(before[0]) + len(times),))
        self._handle.registerTimer(max(times) + TIMER_MINUTES * 60_000)
        return ()

    def on_timer(self, key: Any, expired_millis: int) -> Tuples:
        return [(key, expired_millis, int(self._count.get()[0]))]


class KeptWithTtl(Logic):
    """Keeps a key's rows in a value, a list and a map that forget in a hundred years, and emits what they have.

    A row ends with a number.
    """

    columns = "key bigint, count bigint, listed bigint, mapped bigint"

    def init(self, handle: Any) -> None:
        self._count = handle.getValueState("count", "n bigint", LONG_TTL_MILLIS)
        self._list = handle.getListState("list", "n bigint", LONG_TTL_MILLIS)
        self._map = handle.getMapState("map", "k bigint", "n bigint", LONG_TTL_MILLIS)

    def on_rows(self, key: Any, rows: Tuples, now_millis: int) -> Tuples:
        for number in (int(row[-1]) for row in rows):
            before = self._count.get() or (0,)
            self._count.update((int(before[0]) + 1,))
            self._list.appendValue((number,))
            self._map.updateValue((number,), (number,))
        listed = sum(int(n) for (n,) in self._list.get())
        mapped = sum(int(n) for (n,) in self._map.values())
        return [(key, int(self._count.get()[0]), listed, mapped)]
