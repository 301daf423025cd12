"""A Spark Connect server, asked by a client of its own whether new queries there keep their state in Rockstate."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from rockstate.base.errors import Misuse, NotFound, Unreachable, Unsupported
from rockstate.launch.versions import spark_minor
from rockstate.options.keys import PROVIDER_CLASS, PROVIDER_KEY, STATE_STORE

_DEFAULT_PORT = 15002
_SECONDS_TO_CONNECT = 10
_SECONDS_TO_ANSWER = 30
_SECONDS_OF_A_QUERY = 120
_METRIC_OF_OURS = "rockstateCommitLatencyMs"


@contextmanager
def server_at(url: str) -> Iterator[Server]:
    """The server at a URL such as `sc://host:15002`, until the end of the block.

    Raises:
        Misuse: the URL is not of that form.
        NotFound: PySpark's Connect client lacks its packages.
        Unreachable: nothing there answers as a Spark Connect server.
    """
    _require_listener(url)
    session, version = _opened(url)
    try:
        yield Server(session, version)
    finally:
        session.stop()


class Server:
    """A Connect server, asked in a session of its own."""

    def __init__(self, session: Any, version: str) -> None:
        self._session = session
        self._version = version

    def version(self) -> str:
        """Its Spark, such as `4.3.0`.

        Raises:
            UnsupportedSparkVersion: there is no jar for it.
        """
        spark_minor(self._version)
        return self._version

    def provider(self) -> str:
        """The class that keeps the state of new queries, and their checkpoint format.

        Raises:
            Unsupported: the class is not Rockstate's.
        """
        provider = self._session.conf.get(PROVIDER_KEY)
        if provider != PROVIDER_CLASS:
            raise Unsupported(f"New queries keep their state in {provider}", self._remedy())
        return f"{provider}, checkpoint format {self._session.conf.get(STATE_STORE + 'checkpointFormatVersion')}"

    def try_query(self) -> str:
        """Runs a small query there, with a temporary checkpoint, and says how long its batch took.

        Raises:
            Unsupported: it failed, or kept its state elsewhere.
        """
        try:
            progress = self._progress_of_a_query()
        except Exception as error:
            raise Unsupported(f"A query that removes duplicates fails: {_cause(error)}", self._remedy()) from error
        if _METRIC_OF_OURS not in progress["stateOperators"][0]["customMetrics"]:
            raise Unsupported("A query that removes duplicates kept its state elsewhere", self._remedy())
        return f"removed duplicates with its state in Rockstate ({progress['durationMs']['triggerExecution']} ms)"

    def _progress_of_a_query(self) -> Any:
        numbers = self._session.readStream.format("rate-micro-batch").option("rowsPerBatch", 10).load()
        writer = numbers.dropDuplicates(["value"]).writeStream.format("noop").outputMode("append")
        query = writer.trigger(once=True).start()
        try:
            if not query.awaitTermination(_SECONDS_OF_A_QUERY):
                raise TimeoutError(f"it still runs after {_SECONDS_OF_A_QUERY} s")
            return query.lastProgress
        finally:
            query.stop()

    def _remedy(self) -> str:
        return f"Start the server with what `rockstate conf --spark {spark_minor(self._version)}` prints"


def _opened(url: str) -> tuple[Any, str]:
    """A session, and the server's version."""
    try:
        _require_grpc(url)
        from pyspark.sql.connect.session import SparkSession

        session = SparkSession.builder.remote(url).create()
        return session, str(session.version)
    except ImportError as error:  # PySpark's own for a package that is missing or too old
        problem = f"PySpark's Connect client lacks a package: {_first_line(error)}"
        raise NotFound(problem, "Install them: pip install 'rockstate[connect]'") from error
    except Exception as error:
        problem = f"{url} does not answer as a Spark Connect server: {_first_line(error)}"
        raise Unreachable(problem, "Check the URL, and look at the server's log") from error


def _require_grpc(url: str) -> None:
    """Waits for a gRPC server to greet: the client itself would try for many minutes, and hold up the process's end."""
    import grpc
    from pyspark.sql.connect.client import DefaultChannelBuilder

    channel = DefaultChannelBuilder(url).toChannel()
    try:
        grpc.channel_ready_future(channel).result(timeout=_SECONDS_TO_ANSWER)
    except grpc.FutureTimeoutError:
        raise TimeoutError(f"no answer in {_SECONDS_TO_ANSWER} s") from None
    finally:
        channel.close()


def _require_listener(url: str) -> None:
    """Knocks at the port: the client itself would try for minutes."""
    try:
        parts = urlsplit(url.split(";", 1)[0])
        host, port = parts.hostname if parts.scheme == "sc" else None, parts.port or _DEFAULT_PORT
        (host or "").encode("idna")
    except ValueError:
        host, port = None, 0
    if not host:
        raise Misuse(f"{url} is no URL of a Spark Connect server", "Give it as sc://host:15002")
    try:
        socket.create_connection((host, port), _SECONDS_TO_CONNECT).close()
    except OSError as error:
        remedy = "Start the server, or check host and port"
        raise Unreachable(f"Nothing answers at {host}:{port} ({error.strerror or error})", remedy) from error


def _cause(error: Exception) -> str:
    """What of a query's failure tells most: the class that is missing, our own words, or else its first line."""
    missing = re.search(r"ClassNotFoundException: (\S+)", str(error))
    return f"the server has no class {missing[1]}" if missing else _first_line(error)


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__).rstrip(".")
