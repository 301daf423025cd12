"""Ctrl-C while the JVM does something says what has become of it."""

from __future__ import annotations

import _thread
import json
import time
from argparse import Namespace
from threading import Event
from typing import Any

import pytest
from py4j.protocol import Py4JError, Py4JNetworkError

from rockstate import OutOfMemory
from rockstate.cli import main
from rockstate.cli.watching import watched
from rockstate.moving import running
from rockstate.moving.running import FinishedFirst, Running
from rockstate.session import gateway

DONE = '{"answer": {}}'
CANCELLED = '{"error": {"kind": "Unavailable", "problem": "It was cancelled", "remedy": "Run it again."}}'


class Reader:
    """A JVM that answers some time after it was cancelled."""

    def __init__(self, answer: str, seconds: float = 0) -> None:
        self._answer, self._seconds, self._cancelled = answer, seconds, Event()
        self.has_ended = False

    def work(self) -> str:
        self._cancelled.wait(10)
        time.sleep(self._seconds)
        self.has_ended = True
        return self._answer

    def cancel(self) -> None:
        self._cancelled.set()

    def progress(self) -> str:
        return '{"answer": {"phase": "move", "done": 0, "of": 1}}'


def interrupted(phase: str, done: int, of: int) -> None:
    raise KeyboardInterrupt


def start(monkeypatch: pytest.MonkeyPatch, reader: Reader, moves_files: bool = True) -> Running:
    monkeypatch.setattr(gateway, "checkpoint_reader", lambda: gateway.Reader(reader))
    return Running(lambda it: str(it.work()), moves_files)


def test_what_was_done_when_ctrl_c_came_is_not_called_unfinished(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FinishedFirst):
        start(monkeypatch, Reader(DONE)).wait(interrupted)


def test_what_was_cancelled_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(KeyboardInterrupt) as found:
        start(monkeypatch, Reader(CANCELLED)).wait(interrupted)
    assert not isinstance(found.value, FinishedFirst)


@pytest.mark.parametrize("moves_files", [True, False])
def test_ctrl_c_waits_until_no_file_is_on_its_way(monkeypatch: pytest.MonkeyPatch, moves_files: bool) -> None:
    monkeypatch.setattr(running, "_CANCEL_SECONDS", 0)
    reader = Reader(CANCELLED, seconds=0.3)
    with pytest.raises(KeyboardInterrupt):
        start(monkeypatch, reader, moves_files).wait(interrupted)
    assert reader.has_ended == moves_files


class Killed(Reader):
    """A JVM that is killed while it works, for its memory."""

    def work(self) -> str:
        time.sleep(0.3)
        raise Py4JError("An error occurred while calling o1.move")

    def cancel(self) -> None:
        raise Py4JNetworkError("Connection refused")

    def progress(self) -> str:
        raise Py4JNetworkError("Connection refused")


def test_a_jvm_that_is_killed_is_told_with_a_remedy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(running, "_LOOK_SECONDS", 0.05)
    running_ = start(monkeypatch, Killed(DONE))
    with pytest.raises(OutOfMemory, match=r"JVM has ended\. .*spark\.driver\.memory") as found:
        running_.wait(lambda phase, done, of: None)
    assert "run the same command again" in found.value.remedy
    running_._watcher.join(10)
    assert capsys.readouterr().err == ""


def test_ctrl_c_after_the_jvm_was_killed_still_cancels(monkeypatch: pytest.MonkeyPatch) -> None:
    running_ = start(monkeypatch, Killed(DONE))
    running_._seen = {"phase": "move", "done": 0, "of": 1}
    with pytest.raises(KeyboardInterrupt):
        running_.wait(interrupted)


@pytest.mark.parametrize(
    ("error", "says"), [(FinishedFirst, "it was finished before"), (KeyboardInterrupt, "cancelled. Half of it.")]
)
def test_a_command_that_ctrl_c_ends_says_what_is_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: type[BaseException], says: str
) -> None:
    monkeypatch.setattr(gateway, "start_quietly", lambda: None)

    def ends(_: Any) -> None:
        raise error

    with pytest.raises(SystemExit) as ended:
        watched(Namespace(debug=False), ends, "Half of it.")
    assert ended.value.code == 130
    assert says in capsys.readouterr().err


class Stores:
    """A JVM that looks at stores, at each for as long as it runs."""

    def __init__(self) -> None:
        self.ended, self.asked = Event(), 0

    def checkpoint(self, path: str, verify: bool) -> str:
        stores = [{"partition": partition, "name": "default"} for partition in range(99)]
        return json.dumps({"answer": {"location": path, "operators": [{"operatorId": 0, "stores": stores}]}})

    def store(self, *_: object) -> str:
        self.asked += 1
        if self.asked == 3:
            _thread.interrupt_main()
        self.ended.wait(10)
        raise Py4JNetworkError("Answer from Java side is empty")


@pytest.mark.parametrize("command", ["inspect", "verify"])
def test_ctrl_c_does_not_wait_for_the_stores_that_are_looked_at(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    jvm = Stores()
    monkeypatch.setattr(gateway, "checkpoint_reader", lambda: gateway.Reader(jvm))
    monkeypatch.setattr(gateway, "end_quiet_jvm", jvm.ended.set)
    began = time.monotonic()
    assert main([command, "/checkpoint"]) == 130
    assert time.monotonic() - began < 5
    assert capsys.readouterr().err == "rockstate: cancelled\n"
    assert jvm.asked < 20


@pytest.mark.parametrize(
    ("argument", "converted"), [("text", False), (True, False), (7, False), ({"left": "/tables"}, True), ([1], True)]
)
def test_only_what_py4j_cannot_send_as_it_is_goes_through_pysparks_converters(
    argument: object, converted: bool
) -> None:
    class Member:
        """A method of py4j's, which has the converters that PySpark has registered."""

        converters = ("all of them",)

        def __call__(self, sent: object) -> bool:
            return bool(self.converters)

    class Jvm:
        called = Member()

    assert gateway.Reader(Jvm()).called(argument) is converted
