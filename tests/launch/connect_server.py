"""A Spark Connect server of the installed PySpark's, on loopback, in a process of its own."""

from __future__ import annotations

import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyspark
from tests.launch.loopback import free_port
from tests.quick_spark import environment_without_spark

SECONDS_TO_START = 120
CLASS = "org.apache.spark.sql.connect.service.SparkConnectServer"


@contextmanager
def connect_server(log: Path, *arguments: str) -> Iterator[str]:
    """The URL of a server that spark-submit starts with these arguments; it and its children end with the block."""
    port = free_port()
    home = Path(pyspark.__file__).parent
    confs = {
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": str(port),
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
    }
    flags = [part for key, value in confs.items() for part in ("--conf", f"{key}={value}")]
    command = [str(home / "bin" / "spark-submit"), "--master", "local[2]", *flags, *arguments, "--class", CLASS]
    with log.open("wb") as file:
        server = subprocess.Popen(
            [*command, "spark-internal"],
            env={**environment_without_spark(), "SPARK_HOME": str(home), "PYSPARK_PYTHON": sys.executable},
            cwd=log.parent,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        _wait_for(port, server, log)
        yield f"sc://127.0.0.1:{port}"
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def printed_conf() -> list[str]:
    """What `rockstate conf` prints for spark-submit."""
    command = [sys.executable, "-m", "rockstate", "conf", "--memory-budget", "64m"]
    return shlex.split(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def _wait_for(port: int, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while True:
        assert server.poll() is None and time.monotonic() < deadline, log.read_text(errors="replace")[-4000:]
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.2)
