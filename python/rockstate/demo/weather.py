"""The weather as table and as stream, and the query that joins the stream of flights with it."""

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from rockstate.demo.places import Places

WEATHER_SCHEMA = "origin string, hour timestamp, precip double, visib double"
FLIGHT_COLUMNS = ["carrier", "flight", "origin", "event_time", "hour", "dep_delay"]
_WATERMARK = "1 hour"


def weather_table(spark: SparkSession, places: Places, files_per_batch: int) -> DataFrame:
    """All weather, small enough for every task to have it whole."""
    return F.broadcast(spark.read.parquet(str(places.weather)))


def weather_stream(spark: SparkSession, places: Places, files_per_batch: int) -> DataFrame:
    """The weather of so many days per batch."""
    reader = spark.readStream.schema(WEATHER_SCHEMA).option("maxFilesPerTrigger", files_per_batch)
    return reader.parquet(str(places.hourly_weather))


def flights_in_weather(flights: DataFrame, weather: DataFrame) -> DataFrame:
    """Each flight with the weather at its origin in the hour of its departure: a join of two streams.

    A flight of which no weather is known comes out once the watermark has passed its hour.
    """
    departures = flights.select(FLIGHT_COLUMNS).withWatermark("hour", _WATERMARK)
    return departures.join(weather.withWatermark("hour", _WATERMARK), ["origin", "hour"], "left")
