"""What a process of Spark's, or another server, is started with on loopback."""

from __future__ import annotations

import os
import socket


def free_port() -> int:
    """A port of loopback that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def environment_without_spark() -> dict[str, str]:
    """This process's environment with nothing of the developer's own Spark."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("SPARK_", "PYSPARK_"))}
