"""The session that a checkpoint is read with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rockstate.session import gateway
from rockstate.session.builder import configure

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def reading_session() -> SparkSession:
    """The active session, or a quiet one with our jar, which reads storage and leaves nothing on the local disk."""
    from pyspark.errors import PySparkRuntimeError
    from pyspark.sql import SparkSession

    quiet: dict[str, bool | float | int | str | None] = {
        "spark.ui.enabled": False,
        "spark.ui.showConsoleProgress": False,
    }
    active = SparkSession.getActiveSession()
    if active is not None:
        return active
    try:
        return configure(SparkSession.builder, warm_restart_disk=0).config(map=quiet).getOrCreate()
    except PySparkRuntimeError as error:
        if error.getCondition() != "JAVA_GATEWAY_EXITED":
            raise
        raise gateway.not_started() from error
