"""Starts a JVM of Spark's with the provider under test, and talks to the ConformanceDriver in it."""

from __future__ import annotations

import atexit
import copy
import functools
import json
import logging
import os
import shlex
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from rockstate.conformance.calls.outcomes import DriverDied, HarnessError
from rockstate.launch import jar_list, spark_home, submit
from rockstate.launch.jars import conformance_jar_path, jar_path
from rockstate.launch.versions import spark_minor

DRIVER_CLASS = "io.rockstate.ConformanceDriver"
_JAVA_OPTIONS = "spark.driver.extraJavaOptions"
_CONFS = {
    "spark.master": "local[2]",
    "spark.app.name": "rockstate conformance",
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.log.level": "ERROR",
    _JAVA_OPTIONS: "-XX:TieredStopAtLevel=1",  # too short a life for the optimizing compiler
}
_ASCII = "-Dfile.encoding=US-ASCII"  # as in a container without a locale: no verdict depends on that of this machine
PATIENCE = 300.0  # seconds, for a list of commands: the driver itself gives up on a command much earlier


class JvmDriver:
    """A JVM of its own with Rockstate's jars and `jars`, started at the first command; `conf` is the session's.

    A list of commands may take `patience` seconds.

    `spark` is the minor of the Spark in it. When the JVM dies, `run` raises DriverDied from then on, until `restart`.
    """

    def __init__(
        self, jars: Sequence[str] = (), conf: Mapping[str, str] | None = None, patience: float = PATIENCE
    ) -> None:
        self.spark = spark_minor()
        self._jars = jar_list.merge([*jars, str(conformance_jar_path())], jar_path())
        self._conf = {**_CONFS, **(conf or {})}
        self._patience = patience
        self._jvm: _Jvm | None = None

    def run(self, commands: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Performs the commands in the JVM.

        Raises:
            DriverDied: the JVM is gone, or was killed because it no longer answered.
            HarnessError: it could not be started, or answered what is no answer.
        """
        if self._jvm is None:
            self._jvm = _Jvm(self._jars, self._conf)
        answers: list[dict[str, Any]] = json.loads(self._jvm.ask(json.dumps(commands), self._patience))
        return answers

    def another(self) -> JvmDriver:
        """One like this with a JVM of its own."""
        other = copy.copy(self)
        other._jvm = None
        return other

    @property
    def pid(self) -> int | None:
        """The JVM's process, None if none is running."""
        return None if self._jvm is None else self._jvm.pid

    def restart(self) -> None:
        """Ends the JVM; the next command starts another."""
        self.close()

    def close(self) -> None:
        """Ends the JVM."""
        if self._jvm is not None:
            self._jvm.close()
            self._jvm = None


@functools.cache
def _shared(jars: tuple[str, ...], conf: tuple[tuple[str, str], ...]) -> JvmDriver:
    driver = JvmDriver(jars, dict(conf))
    atexit.register(driver.close)
    return driver


def shared_driver(jars: Sequence[str] = (), conf: Mapping[str, str] | None = None) -> JvmDriver:
    """The driver with `jars`, its session with `conf`, that all labs of this process share that want the same."""
    return _shared(tuple(jars), tuple(sorted((conf or {}).items())))


class _Jvm:
    """One JVM process; what it prints goes to a file."""

    def __init__(self, jars: str, conf: Mapping[str, str]) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="rockstate-conformance-"))
        self._log = self._folder / "log"
        try:
            temporary = self._folder / "tmp"
            temporary.mkdir()
            options = [conf[_JAVA_OPTIONS], _ASCII, shlex.quote(f"-Djava.io.tmpdir={temporary}")]
            own = {"spark.local.dir": str(self._folder / "spark"), _JAVA_OPTIONS: " ".join(options)}
            self._gateway = _launch(jars, {**conf, **own}, self._log)
            self._driver = self._make_driver()
        except BaseException as error:
            log = self._end_of_log()
            self.close()
            if not isinstance(error, Exception):
                raise
            raise HarnessError(f"Spark's JVM does not start: {error}\n{log}") from error

    def ask(self, commands: str, patience: float) -> str:
        from py4j.protocol import Py4JError, Py4JJavaError

        watchdog = threading.Timer(patience, self._process.kill)
        watchdog.start()
        try:
            with _quiet_logging():  # py4j logs that the JVM is gone, which DriverDied says
                return str(self._driver.run(commands))
        except Py4JJavaError as error:  # out of memory, for instance
            raise DriverDied(f"{error}\n{self._end_of_log()}") from error
        except (Py4JError, OSError) as error:
            raise DriverDied(self._end_of_log()) from error
        finally:
            watchdog.cancel()

    def close(self) -> None:
        """Kills the process; there is nothing in it to keep."""
        if hasattr(self, "_gateway"):
            with suppress(Exception):
                self._gateway.shutdown()
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def _process(self) -> subprocess.Popen[bytes]:
        process: subprocess.Popen[bytes] = self._gateway.proc
        return process

    def _make_driver(self) -> Any:
        jvm = self._gateway.jvm
        session = jvm.org.apache.spark.sql.SparkSession.builder().getOrCreate()
        session.sparkContext().setLogLevel("ERROR")
        session.streams()  # makes the coordinator that executors' stores report to
        loader = jvm.java.lang.Thread.currentThread().getContextClassLoader()
        return loader.loadClass(DRIVER_CLASS).newInstance()

    def _end_of_log(self) -> str:
        lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines() if self._log.is_file() else []
        return "\n".join(lines[-40:])


def _launch(jars: str, conf: Mapping[str, str], log: Path) -> Any:
    from pyspark.java_gateway import launch_gateway

    spark_home.forget_empty(os.environ)
    words = ["--jars", jars, *(word for key, value in conf.items() for word in ("--conf", f"{key}={value}"))]
    with _environment(shlex.join([*words, submit.NO_SUBMIT_ARGS])), log.open("wb") as output:
        return launch_gateway(popen_kwargs={"stdout": output, "stderr": subprocess.STDOUT})  # type: ignore[no-untyped-call]


@contextmanager
def _environment(submit_args: str) -> Iterator[None]:
    """An environment in which PySpark starts a JVM of its own with `submit_args`."""
    before = dict(os.environ)
    os.environ[submit.SUBMIT_ARGS] = submit_args
    os.environ.pop("PYSPARK_GATEWAY_PORT", None)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextmanager
def _quiet_logging() -> Iterator[None]:
    before = logging.root.manager.disable
    logging.disable(logging.ERROR)
    try:
        yield
    finally:
        logging.disable(before)
