"""What Spark throws while it looks for rows becomes one error of ours, of whatever class it is."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from py4j.protocol import Py4JJavaError, Py4JNetworkError
from pyspark import SparkContext
from pyspark.errors import AnalysisException

from rockstate import Checkpoint, Misuse, OutOfMemory, Unsupported
from rockstate.cli import main
from rockstate.inspection import state_source
from rockstate.session import gateway

OPTIONS = {"operatorId": 0, "storeName": "default"}
FOUND = {
    "location": "file:/checkpoint",
    "firstCommitted": 3,
    "lastCommitted": 5,
    "operators": [{"operatorId": 0, "stores": [{"name": "default"}], "variables": [], "families": []}],
}


class JavaError(Py4JJavaError):  # type: ignore[misc]
    """One whose text is here, not in a JVM."""

    def __init__(self, said: str = "java.io.IOException: The disk is gone") -> None:
        """There is no Java object."""
        self._said = said

    def __str__(self) -> str:
        return f"An error occurred while calling o1.load.\n: {self._said}\n\tat java.io.File"


def fail(*_: Any) -> None:
    raise JavaError


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A Spark that reads nothing."""
    reader = SimpleNamespace(
        checkpoint=lambda *_: json.dumps({"answer": FOUND}),
        checkpointFormat=lambda _: json.dumps({"answer": {}}),
        partitionOfKey=fail,
    )
    monkeypatch.setattr(gateway, "checkpoint_reader", lambda: reader)
    source = SimpleNamespace(load=fail)
    source.options = lambda **_: source
    read = SimpleNamespace(format=lambda _: source)
    return SimpleNamespace(version="4.2.1", conf={}, read=read, streams=None, _jsparkSession=None)


@pytest.mark.parametrize("name", ["batchId", "changeStartBatchId"])
def test_a_batch_that_is_not_kept_any_more(session: Any, name: str) -> None:
    with pytest.raises(Misuse, match=r"Batch 2 is not kept any more; the first one that is, is 3\. Give a later"):
        state_source.load(session, "/checkpoint", {**OPTIONS, name: 2})


def test_rows_that_java_cannot_load(session: Any) -> None:
    with pytest.raises(Misuse, match=r"cannot read /checkpoint with .*: The disk is gone\. Give other options"):
        state_source.load(session, "/checkpoint", OPTIONS)


@pytest.mark.parametrize("path", ["/my dir/checkpoint", "checkpoint"])
def test_a_place_that_spark_does_not_find(session: Any, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setitem(FOUND, "location", "file:/my dir/checkpoint")
    said = r"whose path has ' ' in it: file:/my dir/checkpoint\. Name a symbolic link"
    with pytest.raises(Unsupported, match=said):
        state_source.load(session, path, OPTIONS)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "has state variables, which are read one by one"),
        ({"stateVarName": "cuont"}, "has no state variable cuont"),
    ],
)
def test_state_variables_are_named(
    session: Any, monkeypatch: pytest.MonkeyPatch, given: dict[str, str], said: str
) -> None:
    operator = {
        "operatorId": 0,
        "name": "tws",
        "stores": [{"name": "default"}],
        "variables": ["count", "seen"],
        "families": [],
    }
    monkeypatch.setitem(FOUND, "operators", [operator])
    with pytest.raises(Misuse, match=rf"Operator 0 \(tws\) {said}\. Name one with .*: count, seen; for the timers"):
        state_source.load(session, "/checkpoint", OPTIONS | given)


def test_a_key_whose_partition_java_cannot_look_for(session: Any) -> None:
    rows: Any = SimpleNamespace(sparkSession=session, _jdf=None)
    with pytest.raises(Misuse, match=r"The disk is gone"):
        state_source.of_key(rows, "/checkpoint", OPTIONS, {"word": "be"})


@pytest.mark.parametrize(
    "error", [JavaError(), AnalysisException("[PATH_NOT_FOUND] The disk is gone. SQLSTATE: 42K03")]
)
def test_a_table_that_cannot_be_read_is_told_in_one_line(
    session: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception
) -> None:
    def load(_: str) -> None:
        raise error

    session.read = SimpleNamespace(format=lambda _: SimpleNamespace(load=load))
    monkeypatch.setattr("rockstate.session.gateway.start_quietly", lambda: None)
    monkeypatch.setattr("rockstate.moving.moves.reading_session", lambda: session)
    assert main(["bootstrap", "NEW", "--like", "OLD", "--table", "t=/files", "--format", "odd"]) == 1
    said = "rockstate: Table t cannot be read from /files as odd: The disk is gone. Give the folder"
    assert said in capsys.readouterr().err.splitlines()[-1]


class TooManyRows:
    """Rows for which the driver has no room."""

    sparkSession = SimpleNamespace(sparkContext=SimpleNamespace(setLogLevel=lambda _: None))

    def __init__(self, error: Exception) -> None:
        self._error = error

    def limit(self, _: int) -> Any:
        raise self._error

    def show(self, *_: Any, **__: Any) -> None:
        raise self._error


@pytest.mark.parametrize("flags", [[], ["--json"]], ids=str)
@pytest.mark.parametrize(
    "said",
    [
        "java.lang.OutOfMemoryError: Java heap space",
        "org.apache.spark.SparkException: Job aborted: Total size of serialized results of 9 tasks (1.1 GiB) is bigger"
        " than spark.driver.maxResultSize (1024.0 MiB)",
    ],
)
def test_more_rows_than_there_is_memory_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], said: str, flags: list[str]
) -> None:
    rows = TooManyRows(JavaError(said))
    monkeypatch.setattr("rockstate.cli.rows.start_quietly", lambda: None)
    monkeypatch.setattr(Checkpoint, "rows", lambda *_, **__: rows)
    assert main(["rows", "/checkpoint", *flags]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("rockstate: Spark has no memory for so many rows. Ask for fewer by --limit, or")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (52, r"run out of heap\. Give it more by spark\.driver\.memory"),
        (-9, r"was killed\. If the system did it for its memory, lower spark\.driver\.memory"),
        (1, r"has ended with 1\. "),
        (None, r"has ended\. If its heap was too small, raise spark\.driver\.memory; if the system killed it for its"),
    ],
)
def test_a_jvm_that_ended_is_told_with_the_remedy_for_its_end(
    monkeypatch: pytest.MonkeyPatch, code: int | None, said: str
) -> None:
    process = SimpleNamespace(wait=lambda _: code)
    monkeypatch.setattr(SparkContext, "_gateway", None if code is None else SimpleNamespace(proc=process))
    with pytest.raises(OutOfMemory, match=said), gateway.jvm_that_may_end():
        raise Py4JNetworkError("Answer from Java side is empty")
