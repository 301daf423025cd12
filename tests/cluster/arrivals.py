"""The flights of some days, as files that arrive while the queries run."""

from __future__ import annotations

import shutil
from pathlib import Path

from rockstate.demo.data import lay_out
from rockstate.demo.flights import read_flights, read_weather
from rockstate.demo.places import Places

#: Many small batches are worth more here than many rows: it is between batches, and at their ends, that things break.
ONE_FLIGHT_IN = 4


class Arrivals:
    """Lays everything out aside; each `arrive` moves the next day's files to where the queries look."""

    def __init__(self, places: Places, days: int) -> None:
        self.flights = read_flights(days).iloc[::ONE_FLIGHT_IN].reset_index(drop=True)
        self.weather = read_weather()
        aside = Places(places.root / "aside")
        lay_out(aside, self.flights, self.weather)
        self._folders = [
            (aside.flights, places.flights),
            (aside.flights_with_duplicates, places.flights_with_duplicates),
            (aside.hourly_weather, places.hourly_weather),
        ]
        for _, arrived in self._folders:
            arrived.mkdir(parents=True)
        shutil.move(aside.weather, places.weather)
        self._to_come = sorted(file.name for file in aside.flights.iterdir())

    @property
    def to_come(self) -> int:
        """How many days have not arrived."""
        return len(self._to_come)

    def arrive(self) -> None:
        """The next day's files are there, each with the time of its making."""
        name = self._to_come.pop(0)
        for aside, arrived in self._folders:
            Path(aside / name).rename(arrived / name)
