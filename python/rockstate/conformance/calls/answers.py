"""What calls answer beside rows: metrics, changes, calls on the storage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from rockstate.conformance.calls.outcomes import Version
from rockstate.conformance.calls.rows import DEFAULT_FAMILY, Row


@dataclass(frozen=True)
class Metrics:
    """A store's metrics: `rows` is numKeys, `memory` is bytes; those of `custom` and `instance` are by name."""

    rows: int
    memory: int
    custom: dict[str, float]
    instance: dict[str, float]


class Change(NamedTuple):
    """One record of the change feed; `type` is RecordType's name in lower case, such as `put_record`."""

    type: str
    key: Row
    value: Row | None
    version: int


@dataclass(frozen=True)
class Calls:
    """Storage calls since the last `fault`, `heal` or `calls`, and how many files are open to be read."""

    mutations: int
    opens: int
    looks: int
    open_inputs: int
    transcript: list[str]


def version_of(answer: dict[str, Any]) -> Version:
    """The version that a commit answers."""
    return Version(answer["version"], answer.get("id"), answer.get("base_id"))


def metrics_of(answer: dict[str, Any]) -> Metrics:
    """A store's metrics, as the driver has them."""
    return Metrics(answer["rows"], answer["memory"], answer["custom"], answer["instance"])


def changes_of(answer: list[list[Any]]) -> list[Change]:
    """A change feed, as the driver has it."""
    return [Change(*change) for change in answer]


def named_families(answer: list[str]) -> list[str]:
    """The names of families but that of the default one."""
    return [name for name in answer if name != DEFAULT_FAMILY]
