"""Lays flights and weather out as the streams read them: one Parquet file per day, the end marked by a sentinel."""

import os
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd

from rockstate.demo.places import Places

SENTINEL = "--"
"""Carrier and tail number of the one made-up flight, a year after the last, and origin of the weather in its hour.

Their watermark lets everything real out."""

DUPLICATE_SHARE = 0.05
DUPLICATE_MAX_LAG_DAYS = 4
_TIME_ZONE = "America/New_York"
_SEED = 2013
_FIRST_MODIFICATION_TIME = 1_388_534_400


def lay_out(places: Places, flights: pd.DataFrame, weather: pd.DataFrame) -> int:
    """Write all input files and return how many duplicates were injected.

    Raises ValueError if a flight is scheduled before one of the day before, for then rows could be late.
    """
    days = [day for _, day in flights.groupby("day", sort=True)]
    _check_in_order(days)
    with_duplicates = inject_duplicates(days)
    sentinel = _sentinel(flights)
    _write_days(places.flights, [*days, sentinel])
    _write_days(places.flights_with_duplicates, [*with_duplicates, sentinel])
    _write_days(places.hourly_weather, [*_weather_of_days(weather, days), _sentinel_weather(weather, sentinel)])
    places.weather.mkdir(parents=True)
    weather.to_parquet(places.weather / "weather.parquet", index=False)
    return sum(map(len, with_duplicates)) - len(flights)


def inject_duplicates(days: list[pd.DataFrame]) -> list[pd.DataFrame]:
    """Return the days with exact copies of about 5 % of all rows added, the same ones in every run.

    A copy lands in the file of its own day or in one of the next four. The rows of each file are shuffled.
    """
    random = np.random.default_rng(_SEED)
    copies: list[list[pd.DataFrame]] = [[] for _ in days]
    for number, day in enumerate(days):
        chosen = day[random.random(len(day)) < DUPLICATE_SHARE]
        lags = random.integers(0, DUPLICATE_MAX_LAG_DAYS + 1, len(chosen))
        for lag in range(DUPLICATE_MAX_LAG_DAYS + 1):
            copies[min(number + lag, len(days) - 1)].append(chosen[lags == lag])
    return [
        pd.concat([day, *added]).sample(frac=1, random_state=_SEED + number)
        for number, (day, added) in enumerate(zip(days, copies, strict=True))
    ]


def _check_in_order(days: list[pd.DataFrame]) -> None:
    for earlier, later in pairwise(days):
        if later["event_time"].min() <= earlier["event_time"].max():
            raise ValueError(f"the flights of {later['day'].iloc[0]} do not all follow those of the day before")


def _sentinel(flights: pd.DataFrame) -> pd.DataFrame:
    sentinel = flights.tail(1).copy()
    sentinel["event_time"] += timedelta(days=365)
    sentinel["hour"] += timedelta(days=365)
    sentinel["carrier"] = sentinel["tailnum"] = SENTINEL
    sentinel["dep_delay"] = 0
    sentinel["last_leg"] = False
    return sentinel


def _weather_of_days(weather: pd.DataFrame, days: list[pd.DataFrame]) -> list[pd.DataFrame]:
    """Return the weather of each day of flights; as many files as these, so that the streams stay abreast."""
    local_day = weather["hour"].dt.tz_convert(_TIME_ZONE).dt.date
    return [weather[local_day == day["day"].iloc[0]] for day in days]


def _sentinel_weather(weather: pd.DataFrame, sentinel: pd.DataFrame) -> pd.DataFrame:
    return weather.tail(1).assign(origin=SENTINEL, hour=sentinel["hour"].iloc[0])


def _write_days(folder: Path, days: list[pd.DataFrame]) -> None:
    """Write one file per day, each a second younger than the one before: the file source reads the oldest first."""
    folder.mkdir(parents=True)
    for number, day in enumerate(days):
        file = folder / f"{number:03d}.parquet"
        day.to_parquet(file, index=False)
        os.utime(file, times=(_FIRST_MODIFICATION_TIME + number,) * 2)
