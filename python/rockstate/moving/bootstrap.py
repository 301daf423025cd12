"""A checkpoint made like another one, with state from DataFrames; and the one that a query has before it reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rockstate.base.errors import Misuse
from rockstate.moving.move import Move, move_of
from rockstate.moving.running import MoveProgress, Running, in_json
from rockstate.session import gateway
from rockstate.session.reason import reason

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def bootstrap(
    session: SparkSession,
    like: str,
    new: str,
    tables: Mapping[str, DataFrame],
    dry_run: bool,
    progress: MoveProgress | None,
) -> Move:
    """Does it, as `Checkpoint.bootstrap` says."""
    asked = in_json({"like": like, "to": new, "isDryRun": dry_run})
    rows = {name: table._jdf for name, table in tables.items()}
    running = Running(lambda reader: str(reader.bootstrap(session._jsparkSession, asked, rows)))
    return move_of(running.wait(progress))


def read(session: SparkSession, name: str, location: str, format: str) -> DataFrame:
    """A table's rows. Raises Misuse if there are no such files, or none of this format."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        return session.read.format(format).load(location)
    except (PySparkException, Py4JJavaError) as error:
        raise Misuse(
            f"Table {name} cannot be read from {location} as {format}: {reason(error)}",
            "Give the folder with the table's files, and their format if it is not parquet",
        ) from error


def begin(result: DataFrame, output_mode: str, location: str) -> int:
    """Does it, as `Checkpoint.begin` says; returns how many stateful operators the query has: without any, none."""
    operators: int = gateway.answer(gateway.checkpoint_reader().begin(result._jdf, output_mode, location))["operators"]
    return operators


def forget(location: str) -> None:
    """Deletes what `begin` has made."""
    gateway.answer(gateway.checkpoint_reader().forgetBeginning(location))
