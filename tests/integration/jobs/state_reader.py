"""A Spark session that has Rockstate's jar and none of its options; it answers questions about checkpoints.

Each line on standard input is a JSON object with `format`, `path`, `options` and `select` (SQL expressions); the
answer is one line of JSON, `{"rows": [...]}` or `{"error": "..."}`. Arguments: the jar, and a
checkpoint format where Spark reads only the session's.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

ANSWER = "ANSWER "
FORMAT = "spark.sql.streaming.stateStore.checkpointFormatVersion"


def answer(spark: SparkSession, question: dict[str, Any]) -> dict[str, Any]:
    """The rows that were asked for, or the error."""
    try:
        rows = spark.read.format(question["format"]).options(**question["options"]).load(question["path"])
        return {"rows": [list(row) for row in rows.selectExpr(*question["select"]).collect()]}
    except (PySparkException, Py4JJavaError) as error:
        return {"error": str(error)}


def main(jar: str, checkpoint_format: str = "1") -> None:
    """Answers until the input ends."""
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.jars", jar)
        .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1")
        .config(FORMAT, checkpoint_format)
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.streaming.join.stateFormatV4.enabled", "true")  # Spark hides joins of that format otherwise
        .getOrCreate()
    )
    assert not [key for key in spark.conf.getAll if "stateStore" in key and key != FORMAT], "a session without options"
    for line in sys.stdin:
        print(ANSWER + json.dumps(answer(spark, json.loads(line)), default=str), flush=True)
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
