"""Spark's state data source, whose errors are explained by what the checkpoint holds."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import reduce
from typing import TYPE_CHECKING, Any

from rockstate.base.errors import JarNotLoaded, Misuse, RockstateError, Unsupported
from rockstate.inspection import key_row
from rockstate.inspection.findings import DEFAULT_STORE
from rockstate.launch.versions import SPARK_MINORS, SparkMinor
from rockstate.session import gateway
from rockstate.session.reason import reason

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

_FORMAT = "spark.sql.streaming.stateStore.checkpointFormatVersion"
_ESCAPED = re.compile(r"""[\s%"<>\\^`{|}#?\[\]]""")  # in the path of a java.net.URI

_BATCHES = ("batchId", "changeStartBatchId", "changeEndBatchId")


_one_at_a_time = threading.RLock()
"""Of two that change a session's conf for a while the second would put back what the first has set."""


def load(session: SparkSession, path: str, options: dict[str, Any]) -> DataFrame:
    """The rows that the data source returns with `options`, among them operatorId and storeName.

    Raises:
        Misuse: it refuses them.
        NotFound, Unreachable: the checkpoint cannot be read.
        Unsupported: not with this Spark.
    """
    given = {name: value for name, value in options.items() if (name, value) != ("storeName", DEFAULT_STORE)}
    with _explaining(path, options), _in_format_of(session, path):
        _ = session.streams  # makes the coordinator that Spark's own providers report to while they load, from 4.1 on
        rows = session.read.format("statestore").options(**given).load(path)
        return _with_own_columns(rows) if "joinSide" in options else rows


def _with_own_columns(rows: DataFrame) -> DataFrame:
    """A join's rows without what they have beyond their schema, at which Spark's JSON writer fails.

    `StreamStreamJoinStatePartitionReader` leaves the flag `matched` in the value, which the schema does not have.
    """
    from pyspark.sql import functions as F

    columns = [F.col("value").getField(column).alias(column) for column in rows.select("value.*").columns]
    return rows.withColumn("value", F.struct(*columns))


def of_key(rows: DataFrame, path: str, options: dict[str, Any], key: Mapping[str, int | str]) -> DataFrame:
    """Those of `rows`, as `load` returns them for these options, whose key has these values in its columns.

    Reads no more than the key's partition where the values say which one that is.

    Raises:
        Misuse: the key has no such column, or one of another type, or the data source cannot read it.
    """
    from pyspark.errors import AnalysisException
    from pyspark.sql import DataFrame

    values = {column: str(value).lower() if isinstance(value, bool) else str(value) for column, value in key.items()}
    session = rows.sparkSession
    try:
        reader = gateway.checkpoint_reader()
    except JarNotLoaded:  # as in `_explained`
        found = rows
    else:
        operator, batch = options["operatorId"], options.get("batchId", options.get("changeEndBatchId"))
        request = key_row.request(path, _number(operator), options["storeName"], _number(batch), values)
        with _explaining(path, options):
            narrowed = reader.partitionOfKey(session._jsparkSession, request, rows._jdf)
        found = DataFrame(narrowed, session)
    try:
        for column, value in values.items():
            found = found.where(_has_value(rows, column, value))
    except AnalysisException as error:
        raise Misuse(f"The rows cannot be filtered: {reason(error)}", columns_text(rows)) from error
    return found


def columns_text(rows: DataFrame) -> str:
    """A remedy for a column that is not there: those that are."""
    return f"The rows' columns are {rows.schema.simpleString()}"


def _has_value(rows: DataFrame, column: str, text: str) -> Column:
    """Whether the key has the value that Spark makes of the text in this column. Raises Misuse if it makes none."""
    from pyspark.sql import functions as F
    from pyspark.sql.types import AtomicType

    in_key = _in_key(rows, column)
    kind = rows.select(in_key).schema[0].dataType
    if not isinstance(kind, AtomicType):
        return in_key.cast("string") == text
    value = F.lit(text).try_cast(kind)
    if rows.sparkSession.sql("SELECT 1").select(value.isNull()).head()[0]:  # type: ignore[index]
        problem = f"The key's column {column} is of type {kind.simpleString()}, and {text!r} is not"
        raise Misuse(problem, f"Give a value of that type. {columns_text(rows)}")
    # Where a clock is put back, two times have one text.
    return (in_key == value) | (in_key.cast("string") == value.cast("string"))


def _in_key(rows: DataFrame, name: str) -> Column:
    """A column of the key, or one within it, such as `window.start`."""
    from pyspark.sql import functions as F

    parts = [name] if name in rows.select("key.*").columns else name.split(".")
    return reduce(lambda column, part: column.getField(part), parts, F.col("key"))


@contextmanager
def _in_format_of(session: SparkSession, path: str) -> Iterator[None]:
    """The session has the checkpoint's format.

    Spark 4.0 and 4.1 read no other commit log (CommitLog.deserialize), and the provider that is Spark's default refuses
    state of its own where the session has format 2.
    """
    row = SPARK_MINORS.get(".".join(session.version.split(".")[:2]))
    found = None if row is None else _format_of(path)
    with _one_at_a_time:
        before = session.conf.get(_FORMAT, None)
        if row is not None and found is not None:
            _require_readable(path, found, row)
            session.conf.set(_FORMAT, found)
        try:
            yield
        finally:
            if found is not None:
                _put_back(session, before)


def _format_of(path: str) -> int | None:
    """The checkpoint's format as its last commit has it; None if there is none, or the session reads others' state."""
    try:
        reader = gateway.checkpoint_reader()
    except JarNotLoaded:
        return None
    found: int | None = gateway.answer(reader.checkpointFormat(path)).get("checkpointFormat")
    return found


def _require_readable(path: str, found: int, row: SparkMinor) -> None:
    if found > row.checkpoint_format:
        able = next(each.minor for each in SPARK_MINORS.values() if each.checkpoint_format >= found)
        raise Unsupported(
            f"{path} is in checkpoint format {found}, and {row.checkpoint_format_reason}",
            f"Read it with Spark {able} or later, which also goes on with the query",
        )


def _put_back(session: SparkSession, before: str | None) -> None:
    if before is None:
        session.conf.unset(_FORMAT)
    else:
        session.conf.set(_FORMAT, before)


@contextmanager
def _explaining(path: str, options: dict[str, Any]) -> Iterator[None]:
    """What Spark throws in it becomes an error of ours."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JJavaError) as error:
        raise _explained(path, options, error) from error


def _explained(path: str, options: dict[str, Any], error: BaseException) -> RockstateError:
    try:
        found = gateway.answer(gateway.checkpoint_reader().checkpoint(path, False))
    except JarNotLoaded:  # a session of another's making, which reads other providers' state
        found = None
    asked = ", ".join(f"{name}={value}" for name, value in options.items())
    return (found and (_mistake(found, options) or _unreadable_place(found["location"]))) or Misuse(
        f"Spark's state data source cannot read {path} with {asked}: {reason(error)}",
        "Give other options, or see whether `rockstate verify` calls the checkpoint sound",
    )


def _mistake(found: dict[str, Any], options: dict[str, Any]) -> Misuse | None:
    """What was asked for and is not in the checkpoint, with what is."""
    operators = {operator["operatorId"]: operator for operator in found["operators"]}
    operator = operators.get(_number(options["operatorId"]))
    if operator is None:
        known = ", ".join(f"{id} ({known.get('name', 'unknown')})" for id, known in operators.items()) or "none"
        return Misuse(f"There is no operator {options['operatorId']}", f"The query's stateful operators are: {known}")
    return (
        _wrong_batch(found.get("firstCommitted"), found.get("lastCommitted"), options)
        or _wrong_store(operator, options)
        or _wrong_variable(operator, options)
    )


def _unreadable_place(location: str) -> Unsupported | None:
    """Spark makes a URI of the path, and a path of that, in which `my dir` is `my%20dir` (StateSourceOptions)."""
    character = _ESCAPED.search(location)
    return character and Unsupported(
        f"Spark's state data source reads no checkpoint whose path has {character[0]!r} in it: {location}",
        "Name a symbolic link to it, or a copy by `rockstate fork`; all but `rows` and `changes` read it as it is",
    )


def _wrong_batch(kept: int | None, committed: int | None, options: dict[str, Any]) -> Misuse | None:
    if kept is None or committed is None:
        return Misuse("The query has not committed a batch yet", "Try again when it has")
    for name in _BATCHES:
        number = _number(options.get(name, 0))
        if number is None or not 0 <= number <= committed:
            problem = f"There is no committed batch {options[name]}"
            return Misuse(problem, f"The last one is {committed}, the first that is kept is {kept}")
        if name in options and number < kept:
            return Misuse(
                f"Batch {number} is not kept any more; the first one that is, is {kept}",
                "Give a later batch. How many a query keeps, spark.sql.streaming.minBatchesToRetain says",
            )
    first, last = (_number(options.get(name, committed)) for name in _BATCHES[1:])
    if "changeStartBatchId" in options and first is not None and last is not None and first > last:
        return Misuse(f"The first batch, {first}, comes after the last, {last}", "Give them in order")
    return None


def _wrong_store(operator: dict[str, Any], options: dict[str, Any]) -> Misuse | None:
    names = operator["families"] or sorted({store["name"] for store in operator["stores"]})
    name, of_changes = options["storeName"], "readChangeFeed" in options
    its_names = f"Its stores are: {', '.join(names)}"
    which = f"Operator {operator['operatorId']} ({operator.get('name', 'unknown')})"
    if of_changes and "joinSide" in options:
        return Misuse(f"{which}: Spark tells what batches changed by store, not by side of a join", its_names)
    if name in names or "joinSide" in options:
        return None
    hint = "; the rows of a side as a whole: option joinSide=left or joinSide=right"
    return Misuse(f"{which} has no store {name}", its_names + (hint if len(names) > 1 and not of_changes else ""))


def _wrong_variable(operator: dict[str, Any], options: dict[str, Any]) -> Misuse | None:
    """Of an operator with state variables Spark reads one at a time, or the timers."""
    names: list[str] = operator["variables"]
    given = options.get("stateVarName")
    if not names or given in names or "readRegisteredTimers" in options:
        return None
    which = f"Operator {operator['operatorId']} ({operator.get('name', 'unknown')})"
    problem = (
        f"{which} has no state variable {given}" if given else f"{which} has state variables, which are read one by one"
    )
    return Misuse(
        problem,
        f"Name one with --option stateVarName=NAME, or stateVarName=NAME in Python: {', '.join(names)}; for the timers"
        " it is readRegisteredTimers=true",
    )


def _number(text: Any) -> int | None:
    try:
        return int(text)
    except (TypeError, ValueError):
        return None
