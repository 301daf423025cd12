"""A checkpoint made like another one, with state from DataFrames; and the one that a query has before it reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from rockstate.moving.move import Move, move_of
from rockstate.moving.running import MoveProgress, Running
from rockstate.session import gateway

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
    asked = json.dumps({"like": like, "to": new, "isDryRun": dry_run})
    rows = {name: table._jdf for name, table in tables.items()}
    running = Running(lambda reader: str(reader.bootstrap(session._jsparkSession, asked, rows)))
    return move_of(running.wait(progress))


def begin(result: DataFrame, output_mode: str, location: str) -> int:
    """Does it, as `Checkpoint.begin` says; returns how many stateful operators the query has: without any, none."""
    operators: int = gateway.answer(gateway.checkpoint_reader().begin(result._jdf, output_mode, location))["operators"]
    return operators


def forget(location: str) -> None:
    """Deletes what `begin` has made."""
    gateway.answer(gateway.checkpoint_reader().forgetBeginning(location))
