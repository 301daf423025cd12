"""A Spark Connect server, asked through a client of its own whether new queries would keep their state in Rockstate."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from rockstate.base.errors import Misuse, NotFound, Unreachable, Unsupported
from rockstate.launch.jar_list import names_in
from rockstate.launch.versions import jar_name, spark_minor
from rockstate.options.keys import PROVIDER_CLASS, STATE_STORE

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

_DEFAULT_PORT = 15002
_SECONDS_TO_CONNECT = 10
_SECONDS_OF_A_QUERY = 120
_SIGN_OF_ROCKSTATE = "rockstateCommitLatencyMs"
_START_IT = "start it with what `rockstate conf --spark {minor}` prints"


class Server:
    """A session of the server's, for questions."""

    def __init__(self, session: SparkSession) -> None:
        self._session = session

    def version(self) -> str:
        """The server's Spark, such as `4.3.0`.

        Raises:
            UnsupportedSparkVersion: there is no jar for it.
        """
        version = str(self._session.version)
        spark_minor(version)
        return version

    def provider(self) -> str:
        """The class that new queries keep their state in.

        Raises:
            Unsupported: it is not Rockstate's.
        """
        found = self._conf("providerClass")
        if found != PROVIDER_CLASS:
            raise Unsupported(f"New queries keep their state in {found}", self._remedy())
        return found

    def checkpoint_format(self) -> str:
        """The checkpoint format of new queries."""
        return self._conf("checkpointFormatVersion")

    def try_query(self) -> str:
        """Runs a small stateful query on the server, with a checkpoint that Spark deletes, and says who kept its state.

        Raises:
            Unsupported: the query failed, or its state was not kept in Rockstate.
        """
        from pyspark.errors import PySparkException

        try:
            progress = self._progress()
        except PySparkException as error:
            first = next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)
            raise Unsupported(f"A query that removes duplicates failed: {_root(str(error)) or first}", self._remedy())
        (operator,) = progress["stateOperators"]
        if _SIGN_OF_ROCKSTATE not in operator["customMetrics"]:
            raise Unsupported("A query ran, but its state was not kept in Rockstate", self._remedy())
        return f"removed duplicates in {progress['batchDuration']} ms with its state in Rockstate"
