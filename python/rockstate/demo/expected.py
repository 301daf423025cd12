"""The same results by plain batch computations in pandas, from the source and without the streams' code."""

import pandas as pd

from rockstate.demo.flights import ORDER
from rockstate.demo.sessions import BY_GAP, BY_LAST_LEG, GAP
from rockstate.demo.stays import PAUSE
from rockstate.demo.weather import FLIGHT_COLUMNS


def carrier_hours(flights: pd.DataFrame, weather: pd.DataFrame) -> pd.DataFrame:
    """What the query of the same name must return."""
    in_weather = flights.merge(weather, on=["origin", "hour"], how="left")
    in_weather["hour"] = in_weather["event_time"].dt.floor("h")
    in_weather["in_rain"] = in_weather["precip"] > 0
    result = in_weather.groupby(["carrier", "hour"], as_index=False).agg(
        flights=("flight", "size"),
        flown=("dep_delay", "count"),
        in_rain=("in_rain", "sum"),
        delay_minutes=("dep_delay", "sum"),
    )
    nothing_flown = result["flown"] == 0
    result["delay_minutes"] = result["delay_minutes"].mask(nothing_flown)
    # Sums are whole minutes: the mean is one division of two integers, the same double in whatever order rows came.
    result["mean_delay"] = result["delay_minutes"].astype("Float64") / result["flown"]
    return result


def aircraft_sessions(flights: pd.DataFrame, weather: pd.DataFrame) -> pd.DataFrame:
    """What the query of the same name must return: new session after a last leg or a pause longer than `GAP`."""
    flown = flights[flights["tailnum"].notna() & flights["dep_delay"].notna()].sort_values(["tailnum", *ORDER])
    previous = flown.groupby("tailnum")
    pause = previous["event_time"].diff()
    after_last_leg = previous["last_leg"].shift(fill_value=False)
    begins = pause.isna() | (pause > GAP) | after_last_leg
    result = (
        flown.assign(number=begins.groupby(flown["tailnum"]).cumsum())
        .groupby(["tailnum", "number"], as_index=False)
        .agg(
            started=("event_time", "min"),
            ended=("event_time", "max"),
            legs=("flight", "size"),
            miles=("distance", "sum"),
            delay_minutes=("dep_delay", "sum"),
            by_last_leg=("last_leg", "last"),
        )
    )
    result["ended_by"] = result.pop("by_last_leg").map({True: BY_LAST_LEG, False: BY_GAP})
    return result


def aircraft_stays(flights: pd.DataFrame, weather: pd.DataFrame) -> pd.DataFrame:
    """What the query of the same name must return: a new stay after more than `PAUSE` without a flight."""
    flown = flights[flights["tailnum"].notna() & flights["dep_delay"].notna()].sort_values(["tailnum", *ORDER])
    pause = flown.groupby("tailnum")["event_time"].diff()
    begins = pause.isna() | (pause > PAUSE)
    return (
        flown.assign(number=begins.groupby(flown["tailnum"]).cumsum())
        .groupby(["tailnum", "number"], as_index=False)
        .agg(
            began=("event_time", "min"),
            ended=("event_time", "max"),
            flights=("flight", "size"),
            miles=("distance", "sum"),
        )
    )


def distinct_flights(flights: pd.DataFrame, weather: pd.DataFrame) -> pd.DataFrame:
    """What the query of the same name must return: the flights as they were before duplicates were injected."""
    return flights


def flights_in_weather(flights: pd.DataFrame, weather: pd.DataFrame) -> pd.DataFrame:
    """What the query of the same name must return: every flight once, its weather null where none is known."""
    return flights[FLIGHT_COLUMNS].merge(weather, on=["origin", "hour"], how="left")
