"""The JVM that looks into checkpoints: one for all threads, none of a parent's, and another when it has ended."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest
from pyspark import SparkContext

from rockstate import OutOfMemory
from rockstate.session import gateway


class Launched:
    """Gateways instead of JVMs, which take a while to start."""

    def __init__(self) -> None:
        self.gateways: list[Any] = []

    def __call__(self, **_: Any) -> Any:
        time.sleep(0.05)
        process = SimpleNamespace(code=None)
        process.poll = lambda: process.code
        started = SimpleNamespace(proc=process)
        self.gateways.append(started)
        return started


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> Iterator[Launched]:
    """No JVM runs, and one that is started is no JVM."""

    def initialize(gateway: Any) -> None:
        SparkContext._gateway = gateway

    launched = Launched()
    for name in ("PYSPARK_GATEWAY_PORT", "PYSPARK_SUBMIT_ARGS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(SparkContext, "_gateway", None)
    monkeypatch.setattr(SparkContext, "_jvm", None)
    monkeypatch.setattr(SparkContext, "_ensure_initialized", initialize)
    monkeypatch.setattr(gateway._Quiet, "gateway", None)
    monkeypatch.setattr("pyspark.java_gateway.launch_gateway", launched)
    yield launched


def test_threads_that_look_at_once_share_a_jvm(launched: Launched) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: gateway.start_quietly(), range(8)))
    assert launched.gateways == [SparkContext._gateway]
    assert "PYSPARK_SUBMIT_ARGS" not in os.environ


def test_after_one_that_has_ended_there_is_another(launched: Launched) -> None:
    gateway.start_quietly()
    gateway.start_quietly()
    assert len(launched.gateways) == 1
    launched.gateways[0].proc.code = -9
    gateway.start_quietly()
    assert len(launched.gateways) == 2 and SparkContext._gateway is launched.gateways[1]


def test_a_forked_process_has_none_of_its_parents(launched: Launched) -> None:
    gateway.start_quietly()
    child = os.fork()
    if child == 0:
        os._exit(1 if gateway.is_jvm_running() or gateway._Quiet.gateway is not None else 0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert gateway.is_jvm_running()


def test_a_connection_that_is_refused_or_reset_says_that_it_has_ended(launched: Launched) -> None:
    for error in (ConnectionRefusedError(111, "Connection refused"), ConnectionResetError()):
        with pytest.raises(OutOfMemory, match="has ended"), gateway.jvm_that_may_end():
            raise error
    with pytest.raises(BrokenPipeError), gateway.jvm_that_may_end():
        raise BrokenPipeError
