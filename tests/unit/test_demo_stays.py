"""The demo's stays of aircraft: the fold over flights, and the timer, without Spark."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from rockstate.demo.stays import PAUSE, Stay, StaysOfAircraft, fold

PAUSE_MICROS = int(PAUSE.total_seconds()) * 1_000_000


@pytest.mark.parametrize(("pause", "finished"), [(PAUSE_MICROS, 0), (PAUSE_MICROS + 1, 1)])
def test_a_stay_is_over_after_more_than_the_pause(pause: int, finished: int) -> None:
    over, stay = fold(Stay(1), [(7, 100), (7 + pause, 200)])
    assert over == [Stay(1, 7, 7, 1, 100)][:finished]
    assert stay.number == 1 + finished
    assert stay.miles == 200 + (0 if finished else 100)


def test_the_fold_does_not_depend_on_how_flights_are_cut_into_batches() -> None:
    legs = [(n * PAUSE_MICROS // 3 + (n % 5) * PAUSE_MICROS, n) for n in range(50)]
    whole = fold(Stay(1), sorted(legs))
    for cut in range(len(legs)):
        first, between = fold(Stay(1), sorted(legs)[:cut])
        second, last = fold(between, sorted(legs)[cut:])
        assert (first + second, last) == whole


class OneAircraft:
    """A handle with a value state and timers for one key."""

    def __init__(self) -> None:
        self.value: Any = None
        self.timers: set[int] = set()
        self.registerTimer = self.timers.add
        self.deleteTimer = self.timers.remove

    def getValueState(self, name: str, schema: str) -> OneAircraft:
        return self

    def get(self) -> Any:
        return self.value

    def update(self, value: Any) -> None:
        self.value = tuple(value)


def test_an_aircraft_has_one_timer_which_ends_its_stay() -> None:
    aircraft, processor, none = OneAircraft(), StaysOfAircraft(), Any
    processor.init(aircraft)  # type: ignore[arg-type]

    def fly(*days: int) -> list[pd.DataFrame]:
        legs = {"event_time": pd.to_datetime(list(days), unit="D"), "distance": [100] * len(days)}
        return list(processor.handleInputRows(("N1",), iter([pd.DataFrame(legs)]), none))  # type: ignore[arg-type]

    assert fly(0, 1) == [] and len(aircraft.timers) == 1
    assert fly(4) == [] and len(aircraft.timers) == 1
    (over,) = fly(10)
    assert over[["tailnum", "number", "flights", "miles"]].to_numpy().tolist() == [["N1", 1, 3, 300]]
    assert aircraft.timers == {Stay(2, 0, 10 * 86_400_000_000).timer_millis}
    aircraft.timers.clear()  # as Spark does when a timer has expired
    (ended,) = processor.handleExpiredTimer(("N1",), none, none)  # type: ignore[arg-type]
    assert ended[["tailnum", "number", "flights"]].to_numpy().tolist() == [["N1", 2, 1]]
    assert fly(20) == [] and aircraft.value[0] == 3
