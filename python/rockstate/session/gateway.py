"""The one place that talks to Spark's JVM through py4j."""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from rockstate.base.errors import (
    Damaged,
    JarNotLoaded,
    Misuse,
    NotFound,
    OutOfMemory,
    RockstateError,
    Unreachable,
    Unsupported,
)
from rockstate.launch import jar_list, spark_home, submit
from rockstate.launch.jars import jar_path
from rockstate.session.first_words import FirstWords

_GATEWAY_CLASS = "io.rockstate.PythonGateway"
_SECONDS_TO_END = 10
_OUT_OF_HEAP = 52  # SparkExitCode.OOM
_KINDS: dict[str, type[RockstateError]] = {
    "Conflict": Misuse,
    "CorruptFile": Damaged,
    "Misuse": Misuse,
    "NotFound": NotFound,
    "OutOfMemory": OutOfMemory,
    "Unsupported": Unsupported,
}


def is_jvm_running() -> bool:
    """Whether PySpark has a JVM, or was started by one (spark-submit)."""
    from pyspark import SparkContext

    return SparkContext._gateway is not None or is_started_by_submit()


def is_started_by_submit() -> bool:
    """Whether spark-submit started this process."""
    return "PYSPARK_GATEWAY_PORT" in os.environ


def leave_submit() -> None:
    """Lets this process start a JVM of its own, although it is within what spark-submit started."""
    for name in ("PYSPARK_GATEWAY_PORT", "PYSPARK_GATEWAY_SECRET"):
        os.environ.pop(name, None)


def leave_connect() -> None:
    """Lets this process have a session of its own, although clients beside it have theirs on a Spark Connect server."""
    for name in ("SPARK_REMOTE", "SPARK_API_MODE", "SPARK_CONNECT_MODE_ENABLED"):
        os.environ.pop(name, None)


def show_log(shows: bool = True) -> None:
    """Whether what a JVM logs that is started to look into checkpoints reaches the terminal."""
    _Quiet.shows_log = shows


def quiet_py4j() -> None:
    """Keeps back what py4j logs, with a stack trace, of a call that is interrupted or whose JVM ends."""
    logging.getLogger().addFilter(_is_not_py4js)


def is_context_active() -> bool:
    """Whether there is a SparkContext that `getOrCreate` would take up."""
    from pyspark import SparkContext

    return SparkContext._active_spark_context is not None


def loads_class(name: str) -> bool:
    """Whether the running JVM's driver finds the class `name`."""
    from py4j.protocol import Py4JJavaError

    try:
        _call(_class_loader().loadClass, name)
    except Py4JJavaError as error:
        if error.java_exception.getClass().getName() == "java.lang.ClassNotFoundException":
            return False
        raise
    return True


def running_conf(key: str) -> str:
    """What the running JVM was started with for `key`, "" if nothing."""
    from pyspark import SparkConf

    return SparkConf(_jvm=_jvm()).get(key, "") or ""


def start_quietly() -> None:
    """Starts a JVM with the jar unless one is running; what it logs does not reach the terminal, but by `show_log`."""
    with _Quiet.lock:
        if _Quiet.gateway is not None and _Quiet.gateway.proc.poll() is not None:
            _forget_quiet_jvm()
        if not is_jvm_running():
            _start_jvm()


def _forget_quiet_jvm() -> None:
    """Lets go of the JVM that looks into checkpoints: it has ended, or is the parent's, whose answers go there."""
    from pyspark import SparkContext

    started, _Quiet.gateway = _Quiet.gateway, None
    if SparkContext._gateway is started:
        SparkContext._gateway = SparkContext._jvm = None


def _after_fork() -> None:
    _Quiet.lock = threading.Lock()
    if _Quiet.gateway is not None:
        _forget_quiet_jvm()


os.register_at_fork(after_in_child=_after_fork)


def end_quiet_jvm() -> None:
    """Ends the JVM that was started only to look into checkpoints, so that a session gets one with its own settings."""
    from pyspark import SparkContext

    started, _Quiet.gateway = _Quiet.gateway, None
    is_there = SparkContext._gateway is started
    if started and is_there and not is_context_active():
        SparkContext._gateway = SparkContext._jvm = None
        started.shutdown()
        started.proc.stdin.close()  # it lives as long as this
        try:
            started.proc.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            started.proc.kill()


class Reader:
    """The JVM's `io.rockstate.PythonGateway`. Raises OutOfMemory in a call during which the JVM ends, or after it."""

    def __init__(self, jvm: Any) -> None:
        self._jvm = jvm

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """One of its methods."""

        def call(*arguments: Any) -> Any:
            for word in filter(lambda argument: isinstance(argument, str), arguments):
                _require_utf8(word)
            with jvm_that_may_end():
                return _call(getattr(self._jvm, name), *arguments)

        return call


def _require_utf8(text: str) -> None:
    """Py4J cannot send anything else, and would say no more than that an error occurred."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise Misuse(f"{text!a} is not valid UTF-8", "Rename the file or folder, or go through a link to it") from error


@contextmanager
def jvm_that_may_end() -> Iterator[None]:
    """What py4j says when Spark's JVM has ended becomes OutOfMemory: that is why it ends, or why systems kill it."""
    try:
        yield
    except Exception as error:
        if not _says_that_it_ended(error):
            raise
        raise _ended() from error


def _ended() -> OutOfMemory:
    """The error for a JVM that has ended, by its exit code if this process has started it."""
    from pyspark import SparkContext

    process, code = getattr(SparkContext._gateway, "proc", None), None
    if process is not None:
        with suppress(subprocess.TimeoutExpired):
            code = process.wait(_SECONDS_TO_END)
    lower = "for its memory, lower spark.driver.memory; run the same command again"
    if code == _OUT_OF_HEAP:
        remedy = "Give it more by spark.driver.memory; run the same command again"
        return OutOfMemory("Spark's JVM has run out of heap", remedy)
    if code == -signal.SIGKILL:
        return OutOfMemory("Spark's JVM was killed", f"If the system did it {lower}")
    with_code = "" if code is None else f" with {code}"
    remedy = f"If its heap was too small, raise spark.driver.memory; if the system killed it {lower}"
    return OutOfMemory(f"Spark's JVM has ended{with_code}", remedy)


def _says_that_it_ended(error: Exception) -> bool:
    """What the JVM has thrown or does not have comes with its stack trace."""
    if isinstance(error, ConnectionRefusedError | ConnectionResetError):  # where py4j tried once more
        return True
    if type(error).__module__ != "py4j.protocol":
        return False
    from py4j.protocol import Py4JError, Py4JJavaError

    return isinstance(error, Py4JError) and not isinstance(error, Py4JJavaError) and "Trace:" not in str(error)


def checkpoint_reader() -> Reader:
    """Reads checkpoints in the running JVM, or in one started for it without a SparkContext.

    Raises:
        JarNotLoaded: the running JVM does not have the jar.
    """
    start_quietly()
    if not loads_class(_GATEWAY_CLASS):
        raise JarNotLoaded(
            "Spark's JVM is running without Rockstate's jar",
            f"Call rockstate.configure before the first getOrCreate, run ADD JAR '{jar_path()}' in the session, or look"
            " into the checkpoint from another process",
        )
    return Reader(_call(_class_loader().loadClass, _GATEWAY_CLASS).newInstance())


def answer(text: str) -> dict[str, Any]:
    """What the JVM answered; its errors are raised as ours."""
    reply: dict[str, Any] = json.loads(text)
    if "error" not in reply:
        found: dict[str, Any] = reply["answer"]
        return found
    problem, remedy = (reply["error"][key].rstrip(".") for key in ("problem", "remedy"))
    raise _KINDS.get(reply["error"]["kind"], Unreachable)(problem, remedy)


def not_started(said: str = "") -> Unreachable:
    """The error for a JVM of Spark's that ended before it answered.

    Args:
        said: what it wrote to standard error, if that is not on the terminal already.
    """
    causes = re.findall(r"^(?:Exception in thread .*?Exception: |Error: )(.*)", said, re.MULTILINE)
    problem = "Spark's JVM does not start" + (f": {causes[0].strip().rstrip('.')}" if causes else "")
    remedy = "See what `rockstate doctor` finds, and check --jars, --packages, --conf and spark-defaults.conf"
    return Unreachable(problem, remedy)


def cannot_run(error: OSError) -> Unreachable:
    """The error for a spark-submit that does not run, or for what it needs and cannot have."""
    said = ": ".join(filter(None, (error.filename, error.strerror))) or type(error).__name__
    remedy = "Set SPARK_HOME to a Spark, or unset it for the installed PySpark"
    return Unreachable(f"Spark's JVM does not start: {said}", remedy)


def _is_not_py4js(record: logging.LogRecord) -> bool:
    return record.module != "java_gateway"


def _start_jvm() -> None:
    from pyspark import SparkContext
    from pyspark.errors import PySparkRuntimeError
    from pyspark.java_gateway import launch_gateway

    spark_home.forget_empty(os.environ)
    named = submit.submit_args_jars(os.environ)
    jars = jar_list.merge([submit.defaults_jars(os.environ) if named is None else named], jar_path())
    before = os.environ.get(submit.SUBMIT_ARGS)
    os.environ[submit.SUBMIT_ARGS] = submit.submit_args_with_jars(os.environ, jars)
    said = FirstWords()  # of no use to whoever looks into a checkpoint, unless the JVM does not start
    try:
        where = {} if _Quiet.shows_log else {"stderr": said.pipe}
        started = launch_gateway(popen_kwargs=where)  # type: ignore[no-untyped-call]
    except PySparkRuntimeError as error:
        raise not_started(said.text()) from error
    except OSError as error:
        raise cannot_run(error) from error
    finally:
        said.close()
        if before is None:
            os.environ.pop(submit.SUBMIT_ARGS, None)
        else:
            os.environ[submit.SUBMIT_ARGS] = before
    SparkContext._ensure_initialized(gateway=started)
    _Quiet.gateway = started


def _call(method: Any, *arguments: Any) -> Any:
    """Calls the JVM's method. Words and numbers need none of PySpark's converters, which import pandas for any."""
    if all(isinstance(each, (str, int)) for each in arguments) and hasattr(method, "converters"):
        method.converters = []
    return method(*arguments)


class _Quiet:
    """The JVM that this process has started to look into checkpoints, if any, and whether its log is shown."""

    gateway: Any = None
    shows_log = False
    lock = threading.Lock()


def _class_loader() -> Any:
    return _jvm().java.lang.Thread.currentThread().getContextClassLoader()


def _jvm() -> Any:
    from pyspark import SparkContext

    SparkContext._ensure_initialized()
    return SparkContext._jvm
