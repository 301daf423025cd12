"""A driver without a JVM: stores are dictionaries, and some providers are broken."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rockstate.conformance import Check, DriverDied, Rule

GOOD, LOSES_PUTS, COMMITS_TWICE, DIES, HANGS = "Good", "LosesPuts", "CommitsTwice", "Dies", "Hangs"


class Thrown(Exception):
    """What a provider throws: class and message."""


@dataclass
class FakeStore:
    lab: str
    base: int
    rows: dict[str, Any]
    is_open: bool = True


@dataclass
class FakeDriver:
    """Performs the protocol on dictionaries; `asked` keeps all commands, `starts` counts JVMs."""

    spark: str = "4.2"

    asked: list[Mapping[str, Any]] = field(default_factory=list)
    starts: int = 1
    is_dead: bool = False
    classes: dict[str, str] = field(default_factory=dict)
    labs: dict[str, str] = field(default_factory=dict)
    stores: dict[str, FakeStore] = field(default_factory=dict)
    versions: dict[tuple[str, int], dict[str, Any]] = field(default_factory=dict)

    def run(self, commands: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        answers = []
        for command in commands:
            self.asked.append(command)
            if self.is_dead:
                raise DriverDied("killed")
            try:
                answers.append({"ok": json.loads(json.dumps(getattr(self, f"_{command['op']}", self._other)(command)))})
            except Thrown as thrown:
                answers.append({"error": {"class": thrown.args[0], "message": thrown.args[1]}})
        return answers

    def another(self) -> FakeDriver:
        return type(self)()

    def close(self) -> None: ...

    def restart(self) -> None:
        self.starts += 1
        self.is_dead = False

    def ops(self) -> list[str]:
        return [command["op"] for command in self.asked]

    def _other(self, command: Mapping[str, Any]) -> None:
        raise Thrown("java.lang.UnsupportedOperationException", f"{command['op']} is not supported")

    def _provider_open(self, command: Mapping[str, Any]) -> None:
        name = command["conf"]["spark.sql.streaming.stateStore.providerClass"]
        if name not in (GOOD, LOSES_PUTS, COMMITS_TWICE, DIES, HANGS):
            raise Thrown("java.lang.ClassNotFoundException", name)
        if command.get("multi") or command.get("families"):
            raise Thrown("org.example.Unsupported", "no")
        self.classes[command["provider"]] = name
        self.labs[command["provider"]] = command["lab"]

    def _provider_close(self, command: Mapping[str, Any]) -> None:
        if command["provider"] not in self.labs:
            raise Thrown("Usage", "no such provider")
        del self.labs[command["provider"]]

    def _begin(self, command: Mapping[str, Any]) -> None:
        lab, version = self.labs[command["provider"]], command["version"]
        if version and (lab, version) not in self.versions:
            raise Thrown("java.io.FileNotFoundException", f"version {version}")
        kind = self.classes[command["provider"]]
        if kind == HANGS:
            raise Thrown("Timeout", "No answer within 60 s")
        self.is_dead = kind == DIES
        self.stores[command["store"]] = FakeStore(lab, version, dict(self.versions.get((lab, version), {})))
        self.classes[command["store"]] = kind

    def _put(self, command: Mapping[str, Any]) -> None:
        self._writable(command["store"])
        if self.classes[command["store"]] != LOSES_PUTS:
            self.stores[command["store"]].rows[json.dumps(command["key"])] = command["value"]

    def _get(self, command: Mapping[str, Any]) -> Any:
        return self.stores[command["store"]].rows.get(json.dumps(command["key"]))

    def _scan(self, command: Mapping[str, Any]) -> list[Any]:
        return [[json.loads(key), value] for key, value in self.stores[command["store"]].rows.items()]

    def _commit(self, command: Mapping[str, Any]) -> dict[str, Any]:
        self._writable(command["store"])
        store = self.stores[command["store"]]
        store.is_open = False
        self.versions[store.lab, store.base + 1] = store.rows
        return {"version": store.base + 1, "id": None, "base_id": None}

    def _abort(self, command: Mapping[str, Any]) -> None:
        self.stores[command["store"]].is_open = False

    def _writable(self, store: str) -> None:
        if not self.stores[store].is_open and self.classes[store] != COMMITS_TWICE:
            raise Thrown("java.lang.IllegalStateException", "not open")

    def _files(self, command: Mapping[str, Any]) -> list[list[Any]]:
        return [[f"{version}.delta", 4] for lab, version in self.versions if lab == command["lab"]]

    def _read(self, command: Mapping[str, Any]) -> str:
        return base64.b64encode(b"1234").decode()

    def _nothing(self, command: Mapping[str, Any]) -> None:
        return None

    _write = _delete = _drop = _nothing


def made_check(name: str, run: Any, rule: str = "R15", needs: frozenset[str] = frozenset()) -> Check:
    """A check that is in no registry."""
    run.__name__ = name
    return Check(Rule(rule, "reading", "a <title>", "a meaning & more", "it matters", needs), run, needs)
