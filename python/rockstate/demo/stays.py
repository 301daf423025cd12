"""An aircraft's stays: runs of flights out of New York with never more than `PAUSE` between two of them.

State and timer per aircraft, in a processor for `transformWithStateInPandas`: the timer is set anew with every flight,
and ends the stay when event time has passed it. Stays of an aircraft are numbered from 1; the count stays in the state
all year, so that a stay lost or doubled in any batch shows in every later one.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any, NamedTuple

import google.protobuf  # noqa: F401  Spark's workers need it: if it is missing, say so before Spark starts
import pandas as pd
from pyspark.sql.streaming.stateful_processor import (
    ExpiredTimerInfo,
    StatefulProcessor,
    StatefulProcessorHandle,
    TimerValues,
)

PAUSE = timedelta(days=3)

LEG_COLUMNS = ["event_time", "distance"]
STATE_SCHEMA = "number bigint, began bigint, ended bigint, flights bigint, miles bigint"
FINISHED_SCHEMA = f"tailnum string, {STATE_SCHEMA}"

_PAUSE_MICROS = PAUSE // timedelta(microseconds=1)
_FINISHED_COLUMNS = ["tailnum", "number", "began", "ended", "flights", "miles"]

Leg = tuple[int, int]
"""One flight: its time in microseconds since the epoch, its distance in miles."""


class Stay(NamedTuple):
    """The state kept per aircraft: its newest stay, without flights yet if `flights` is zero. Times as in `Leg`."""

    number: int
    began: int = 0
    ended: int = 0
    flights: int = 0
    miles: int = 0

    @property
    def timer_millis(self) -> int:
        """The first millisecond of event time at which this stay is over, if there is no flight until then."""
        return (self.ended + _PAUSE_MICROS) // 1000 + 1

    def grown_by(self, leg: Leg) -> "Stay":
        """Return this stay with one more flight."""
        time, miles = leg
        began = self.began if self.flights else time
        return Stay(self.number, began, time, self.flights + 1, self.miles + miles)

    def next(self) -> "Stay":
        """Return the stay after this one, without flights yet."""
        return Stay(self.number + 1)


def fold(stay: Stay, legs: Iterable[Leg]) -> tuple[list[Stay], Stay]:
    """Return the stays that `legs`, in order, finish, and the newest one after them."""
    finished: list[Stay] = []
    for leg in legs:
        if stay.flights and leg[0] - stay.ended > _PAUSE_MICROS:
            finished.append(stay)
            stay = stay.next()
        stay = stay.grown_by(leg)
    return finished, stay


class StaysOfAircraft(StatefulProcessor):
    """The processor given to `transformWithStateInPandas`; it is grouped by `tailnum`."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Make the one state variable."""
        self._handle = handle
        self._state = handle.getValueState("stay", STATE_SCHEMA)

    def handleInputRows(self, key: Any, rows: Any, timerValues: TimerValues) -> Iterator[pd.DataFrame]:
        """Add one aircraft's flights of a batch to its stays."""
        before = self._stay()
        finished, stay = fold(before, sorted(leg for frame in rows for leg in _legs(frame)))
        if before.flights:
            self._handle.deleteTimer(before.timer_millis)
        self._state.update(stay)
        self._handle.registerTimer(stay.timer_millis)
        if finished:
            yield _rows(key[0], finished)

    def handleExpiredTimer(
        self, key: Any, timerValues: TimerValues, expiredTimerInfo: ExpiredTimerInfo
    ) -> Iterator[pd.DataFrame]:
        """End the stay of an aircraft that has not flown for `PAUSE`."""
        stay = self._stay()
        self._state.update(stay.next())
        yield _rows(key[0], [stay])

    def _stay(self) -> Stay:
        kept = self._state.get()
        return Stay(1) if kept is None else Stay(*kept)


def _legs(frame: pd.DataFrame) -> Iterator[Leg]:
    times, miles = (frame[name].to_numpy() for name in LEG_COLUMNS)
    micros = times.astype("datetime64[us]").astype("int64")
    return zip(micros.tolist(), miles.tolist(), strict=True)


def _rows(tailnum: str, finished: list[Stay]) -> pd.DataFrame:
    # Called for most aircraft of every batch: a frame from columns of plain values is the fastest there is.
    rows = [(tailnum, *stay) for stay in finished]
    return pd.DataFrame(dict(zip(_FINISHED_COLUMNS, zip(*rows, strict=True), strict=True)))
