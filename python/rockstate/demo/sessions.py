"""An aircraft's sessions: the fold that turns its flights, as they arrive, into finished sessions and one open one.

A session is a run of flights of one aircraft. It ends on the last leg of several that the aircraft has in the day's
schedule (`last_leg`), or once more than `GAP` of event time has passed since its latest scheduled departure: so end
aircraft with one flight that day, those whose last leg was cancelled, and those that pause in the middle of the day.
Cancelled flights are not flown and belong to no session. Sessions of an aircraft are numbered from 1; the count stays
in the state all year, so that a session lost or doubled in any batch shows in every later one.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import NamedTuple

import pandas as pd
from pyspark.sql.streaming.state import GroupState

GAP = timedelta(hours=8)

LEG_COLUMNS = ["event_time", "last_leg", "distance", "dep_delay"]
STATE_SCHEMA = "number bigint, started bigint, ended bigint, legs bigint, miles bigint, delay_minutes bigint"
FINISHED_SCHEMA = f"tailnum string, {STATE_SCHEMA}, ended_by string"
BY_LAST_LEG = "last leg"
BY_GAP = "gap"

_GAP_MICROS = GAP // timedelta(microseconds=1)
_FINISHED_COLUMNS = ["tailnum", "number", "started", "ended", "legs", "miles", "delay_minutes", "ended_by"]


class Leg(NamedTuple):
    """One flown flight; its time in microseconds since the epoch, distance in miles, delay in minutes.

    Sorts by time, and a last leg after others of the same time; the order of those others changes no session.
    """

    time: int
    last_leg: bool
    distance: int
    dep_delay: int


class Session(NamedTuple):
    """The state kept per aircraft: its newest session, without flights yet if `legs` is zero. Times as in `Leg`."""

    number: int
    started: int = 0
    ended: int = 0
    legs: int = 0
    miles: int = 0
    delay_minutes: int = 0

    @property
    def is_open(self) -> bool:
        """True if the session has flights and may still grow."""
        return self.legs > 0

    def grown_by(self, leg: Leg) -> "Session":
        """Return this session with one more leg."""
        started = self.started if self.is_open else leg.time
        return Session(
            self.number, started, leg.time, self.legs + 1, self.miles + leg.distance, self.delay_minutes + leg.dep_delay
        )

    def next(self) -> "Session":
        """Return the session after this one, without flights yet."""
        return Session(self.number + 1)

    def ends_before(self, leg: Leg) -> bool:
        """True if the pause before `leg` is too long for it to belong to this session."""
        return self.is_open and leg.time - self.ended > _GAP_MICROS


Finished = tuple[Session, str]


def fold(session: Session, legs: Iterable[Leg]) -> tuple[list[Finished], Session]:
    """Return the sessions that `legs`, in order, finish, and the newest session after them."""
    finished: list[Finished] = []
    for leg in legs:
        if session.ends_before(leg):
            finished.append((session, BY_GAP))
            session = session.next()
        session = session.grown_by(leg)
        if leg.last_leg:
            finished.append((session, BY_LAST_LEG))
            session = session.next()
    return finished, session


def sessions_of_aircraft(key: tuple[str], batches: Iterator[pd.DataFrame], state: GroupState) -> Iterator[pd.DataFrame]:
    """The function given to `applyInPandasWithState`: one aircraft's flights of a batch, or its timeout."""
    session = Session(*state.get) if state.exists else Session(1)
    if state.hasTimedOut:
        finished, session = [(session, BY_GAP)], session.next()
    else:
        finished, session = fold(session, sorted(leg for batch in batches for leg in _legs(batch)))
    state.update(session)
    if session.is_open:
        state.setTimeoutTimestamp((session.ended + _GAP_MICROS) // 1000)
    if finished:
        yield _rows(key[0], finished)


def _legs(batch: pd.DataFrame) -> Iterator[Leg]:
    times, *others = (batch[name].to_numpy() for name in LEG_COLUMNS)
    micros = times.astype("datetime64[us]").astype("int64")
    return map(Leg._make, zip(micros.tolist(), *(column.tolist() for column in others), strict=True))


def _rows(tailnum: str, finished: list[Finished]) -> pd.DataFrame:
    # Called for every aircraft of every batch: a frame from columns of plain values is the fastest there is.
    rows = [(tailnum, *session, ended_by) for session, ended_by in finished]
    return pd.DataFrame(dict(zip(_FINISHED_COLUMNS, zip(*rows, strict=True), strict=True)))
