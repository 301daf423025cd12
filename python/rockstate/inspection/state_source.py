"""Spark's state data source, whose errors are explained by what the checkpoint holds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rockstate.base.errors import JarNotLoaded, Misuse, RockstateError
from rockstate.inspection.findings import DEFAULT_STORE
from rockstate.session import gateway

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_BATCHES = ("batchId", "changeStartBatchId", "changeEndBatchId")


def load(session: SparkSession, path: str, options: dict[str, Any]) -> DataFrame:
    """The rows that the data source returns with `options`, among them operatorId and storeName.

    Raises:
        Misuse: it refuses them.
        NotFound, Unreachable, Unsupported: the checkpoint cannot be read.
    """
    from pyspark.errors import PySparkException

    given = {name: value for name, value in options.items() if (name, value) != ("storeName", DEFAULT_STORE)}
    try:
        return session.read.format("statestore").options(**given).load(path)
    except PySparkException as error:
        raise _explained(path, options, error) from error


def reason(error: BaseException) -> str:
    """What an error of Spark's says in its first line, without its class and codes, and without a full stop."""
    lines = (line.strip() for line in str(error).splitlines())
    first = next((line for line in lines if line and not line.startswith("An error occurred while calling")), "")
    text = re.sub(r"^.*?Exception: (?=.)", "", re.sub(r"^.*most recent failure: ", "", first))
    text = re.sub(r"\[[A-Z_0-9.]{3,}\] ?| SQLSTATE: \w+|; line \d+ pos \d+;?$", "", text)
    return text.rstrip(".! ") or type(error).__name__


def _explained(path: str, options: dict[str, Any], error: BaseException) -> RockstateError:
    try:
        found = gateway.answer(gateway.checkpoint_reader().checkpoint(path, False))
    except JarNotLoaded:  # a session of another's making, which reads other providers' state
        found = None
    asked = ", ".join(f"{name}={value}" for name, value in options.items())
    return (found and _mistake(found, options)) or Misuse(
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
    return _wrong_batch(found.get("lastCommitted"), options) or _wrong_store(operator, options)


def _wrong_batch(committed: int | None, options: dict[str, Any]) -> Misuse | None:
    if committed is None:
        return Misuse("The query has not committed a batch yet", "Try again when it has")
    for name in _BATCHES:
        number = _number(options.get(name, 0))
        if number is None or not 0 <= number <= committed:
            return Misuse(
                f"There is no committed batch {options[name]}", f"The last one is {committed}, the first was 0"
            )
    first, last = (_number(options.get(name, committed)) for name in _BATCHES[1:])
    if "changeStartBatchId" in options and first is not None and last is not None and first > last:
        return Misuse(f"The first batch, {first}, comes after the last, {last}", "Give them in order")
    return None


def _wrong_store(operator: dict[str, Any], options: dict[str, Any]) -> Misuse | None:
    names = sorted({store["name"] for store in operator["stores"]})
    name = options["storeName"]
    if name in names or "joinSide" in options:
        return None
    hint = "; the rows of a side as a whole: option joinSide=left or joinSide=right" if len(names) > 1 else ""
    return Misuse(
        f"Operator {operator['operatorId']} ({operator.get('name', 'unknown')}) has no store {name}",
        f"Its stores are: {', '.join(names)}{hint}",
    )


def _number(text: Any) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None
