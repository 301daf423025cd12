"""The session that a checkpoint is read with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rockstate.base.errors import Unreachable
from rockstate.session import gateway
from rockstate.session.builder import configure_for_reading, refuse_connect
from rockstate.session.reason import reason

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def reading_session() -> SparkSession:
    """The session that is there, as it is; else a quiet one with our jar, which leaves nothing on the local disk.

    Raises:
        SparkConnectUnsupported: this is a process of Spark Connect clients.
    """
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkRuntimeError
    from pyspark.sql import SparkSession

    refuse_connect(SparkSession.builder)
    active = SparkSession.getActiveSession()
    if active is not None:
        return active
    if gateway.is_context_active():  # a session is active in the threads that it was made or used in, and no others
        return SparkSession.builder.getOrCreate()
    quiet: dict[str, bool | float | int | str | None] = {
        "spark.api.mode": "classic",  # whatever is usual where PySpark was installed
        "spark.ui.enabled": False,
        "spark.ui.showConsoleProgress": False,
    }
    try:
        builder = configure_for_reading(SparkSession.builder, warm_restart_disk=0)
        return builder.config(map=quiet).getOrCreate()
    except PySparkRuntimeError as error:
        if error.getCondition() != "JAVA_GATEWAY_EXITED":
            raise
        raise gateway.not_started() from error
    except OSError as error:
        raise gateway.cannot_run(error) from error
    except Py4JJavaError as error:
        remedy = "Check --conf and spark-defaults.conf; if it is the machine's name or address, set SPARK_LOCAL_IP"
        raise Unreachable(f"Spark does not start: {reason(error)}", remedy) from error
