"""What Spark throws while it looks for rows becomes one error of ours, of whatever class it is."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors import AnalysisException

from rockstate import Misuse, Unsupported
from rockstate.cli import main
from rockstate.inspection import state_source
from rockstate.session import gateway

OPTIONS = {"operatorId": 0, "storeName": "default"}
FOUND = {"lastCommitted": 5, "operators": [{"operatorId": 0, "stores": [{"name": "default"}]}]}


class JavaError(Py4JJavaError):  # type: ignore[misc]
    """One whose text is here, not in a JVM."""

    def __init__(self) -> None:
        """There is no Java object."""

    def __str__(self) -> str:
        return "An error occurred while calling o1.load.\n: java.io.IOException: The disk is gone\n\tat java.io.File"


def fail(*_: Any) -> None:
    raise JavaError


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A Spark that reads nothing."""
    reader = SimpleNamespace(checkpoint=lambda *_: json.dumps({"answer": FOUND}), partitionOfKey=fail)
    monkeypatch.setattr(gateway, "checkpoint_reader", lambda: reader)
    source = SimpleNamespace(load=fail)
    source.options = lambda **_: source
    read = SimpleNamespace(format=lambda _: source)
    return SimpleNamespace(version="4.2.1", conf={}, read=read, _jsparkSession=None)


def test_rows_that_java_cannot_load(session: Any) -> None:
    with pytest.raises(Misuse, match=r"cannot read /checkpoint with .*: The disk is gone\. Give other options"):
        state_source.load(session, "/checkpoint", OPTIONS)


def test_a_place_that_spark_does_not_find(session: Any) -> None:
    with pytest.raises(Unsupported, match=r"whose path has ' ' in it: /my dir\. Name a symbolic link"):
        state_source.load(session, "/my dir", OPTIONS)


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
