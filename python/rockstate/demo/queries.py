"""The streaming queries, each from the day files to exactly-once Parquet."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming.query import StreamingQuery
from pyspark.sql.streaming.state import GroupStateTimeout

from rockstate.demo import stays
from rockstate.demo.places import Places
from rockstate.demo.sessions import FINISHED_SCHEMA, LEG_COLUMNS, STATE_SCHEMA, sessions_of_aircraft
from rockstate.demo.sink import BatchFolders
from rockstate.demo.weather import flights_in_weather, weather_stream, weather_table

FLIGHT_SCHEMA = (
    "event_time timestamp, day date, hour timestamp, carrier string, flight bigint, tailnum string, origin string,"
    " dest string, distance bigint, dep_delay bigint, last_leg boolean"
)
FLIGHT_KEY = ["carrier", "flight", "origin", "event_time"]
DUPLICATES_WATERMARK = "7 days"


@dataclass(frozen=True)
class Query:
    """One streaming query: its name (also its folder's), the input folder it reads, and its result as a stream.

    `weather` is how it reads the weather: as a table, or as a stream with so many files per batch.
    """

    name: str
    input: Callable[[Places], Path]
    result: Callable[[DataFrame, DataFrame], DataFrame]
    weather: Callable[[SparkSession, Places, int], DataFrame] = weather_table


def carrier_hours(flights: DataFrame, weather: DataFrame) -> DataFrame:
    """Per carrier and hour: flights scheduled, flown, out of an airport with rain or snow, and their mean delay."""
    in_weather = flights.join(weather, ["origin", "hour"], "left")
    return (
        in_weather.withWatermark("event_time", "1 hour")
        .groupBy("carrier", F.window("event_time", "1 hour"))
        .agg(
            F.count("*").alias("flights"),
            F.count("dep_delay").alias("flown"),
            F.count(F.when(F.col("precip") > 0, 1)).alias("in_rain"),
            F.sum("dep_delay").alias("delay_minutes"),
            F.avg("dep_delay").alias("mean_delay"),
        )
        .select(
            "carrier",
            F.col("window.start").alias("hour"),
            "flights",
            "flown",
            "in_rain",
            "delay_minutes",
            "mean_delay",
        )
    )


def aircraft_sessions(flights: DataFrame, weather: DataFrame) -> DataFrame:
    """Each aircraft's runs of flights, see `rockstate.demo.sessions`."""
    flown = flights.where("tailnum is not null and dep_delay is not null").select("tailnum", *LEG_COLUMNS)
    return (
        flown.withWatermark("event_time", "1 hour")
        .groupBy("tailnum")
        .applyInPandasWithState(
            sessions_of_aircraft, FINISHED_SCHEMA, STATE_SCHEMA, "append", GroupStateTimeout.EventTimeTimeout
        )
        .withColumns({name: F.timestamp_micros(name) for name in ("started", "ended")})
    )


def aircraft_stays(flights: DataFrame, weather: DataFrame) -> DataFrame:
    """Each aircraft's stays in New York, see `rockstate.demo.stays`."""
    flown = flights.where("tailnum is not null and dep_delay is not null").select("tailnum", *stays.LEG_COLUMNS)
    return (
        flown.withWatermark("event_time", "1 hour")
        .groupBy("tailnum")
        .transformWithStateInPandas(stays.StaysOfAircraft(), stays.FINISHED_SCHEMA, "append", "eventTime")
        .withColumns({name: F.timestamp_micros(name) for name in ("began", "ended")})
    )


def distinct_flights(flights: DataFrame, weather: DataFrame) -> DataFrame:
    """The flights without the duplicates that were injected into the stream."""
    return flights.withWatermark("event_time", DUPLICATES_WATERMARK).dropDuplicatesWithinWatermark(FLIGHT_KEY)


QUERIES = (
    Query("carrier_hours", lambda places: places.flights, carrier_hours),
    Query("aircraft_sessions", lambda places: places.flights, aircraft_sessions),
    Query("aircraft_stays", lambda places: places.flights, aircraft_stays),
    Query("distinct_flights", lambda places: places.flights_with_duplicates, distinct_flights),
    Query("flights_in_weather", lambda places: places.flights, flights_in_weather, weather_stream),
)


def start(spark: SparkSession, query: Query, places: Places, files_per_batch: int) -> StreamingQuery:
    """Start `query`, or go on from its checkpoint if there is one; it ends when all files are read."""
    flights = (
        spark.readStream.schema(FLIGHT_SCHEMA)
        .option("maxFilesPerTrigger", files_per_batch)
        .parquet(str(query.input(places)))
    )
    return (
        query.result(flights, query.weather(spark, places, files_per_batch))
        .writeStream.queryName(query.name)
        .foreachBatch(BatchFolders(places.sink(query.name)))
        .option("checkpointLocation", str(places.checkpoint(query.name)))
        .outputMode("append")
        .trigger(availableNow=True)
        .start()
    )
