"""Starts Spark's JVM with the provider under test, and talks to the jar's ConformanceDriver there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class JvmDriver:
    """A JVM of its own with Rockstate's jar and `jars`; Spark runs in it on two cores, without a UI."""

    def __init__(self, jars: Sequence[str] = ()) -> None:
        raise NotImplementedError

    def run(self, commands: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        raise NotImplementedError


def shared_driver(jars: Sequence[str] = ()) -> JvmDriver:
    """The driver of this process, started at its first use."""
    raise NotImplementedError
