"""What transformWithState must do, in plain Python: state variables in dicts, one key's at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tests.integration.processors import Logic

One = tuple[Any, ...]
#: What is kept under a name and a key: in a list one entry per element, by position; in a map one per map key.
Entries = dict[Any, tuple[One, float]]


class Model:
    """Runs a processor's logic batch by batch, and is the handle that it works with."""

    def __init__(self, logic: Logic) -> None:
        self.now_millis = 0
        self.key: Any = None
        self._logic = logic
        self._variables: dict[str, Variable] = {}
        self._timers: dict[Any, set[int]] = defaultdict(set)
        logic.init(self)

    def start_with(self, rows: Mapping[Any, Iterable[One]], now_millis: int) -> None:
        """Hands the logic its initial state."""
        self.now_millis = now_millis
        for self.key, some in rows.items():
            for row in some:
                self._logic.on_initial_state(self.key, row)

    def run(self, rows: Mapping[Any, Iterable[One]], now_millis: int) -> list[One]:
        """One batch at `now_millis`: the rows that it must emit. Timers expire after the data, earliest first."""
        self.now_millis = now_millis
        emitted: list[One] = []
        for self.key, some in rows.items():
            emitted += self._logic.on_rows(self.key, some, now_millis)
        due = sorted((at, str(key), key) for key, timers in self._timers.items() for at in timers if at <= now_millis)
        for at, _, self.key in due:
            emitted += self._logic.on_timer(self.key, at)
            self.deleteTimer(at)
        return emitted

    def state(self, name: str) -> dict[Any, list[One]]:
        """What the variable `name` holds for each key that has anything."""
        return self._variables[name].all()

    def entries(self, name: str) -> list[tuple[Any, Any, One, float]]:
        """Key, place, value and end of all that the variable `name` holds: in a list the place is the position."""
        return self._variables[name].entries()

    def timers(self) -> dict[Any, set[int]]:
        """Each key's timers."""
        return {key: set(timers) for key, timers in self._timers.items()}

    def getValueState(self, name: str, schema: str, ttl_millis: int | None = None) -> Variable:
        return self._variables.setdefault(name, Variable(self, ttl_millis))

    def getListState(self, name: str, schema: str, ttl_millis: int | None = None) -> ListVariable:
        return self._variables.setdefault(name, ListVariable(self, ttl_millis))  # type: ignore[return-value]

    def getMapState(self, name: str, key_schema: str, schema: str, ttl_millis: int | None = None) -> MapVariable:
        return self._variables.setdefault(name, MapVariable(self, ttl_millis))  # type: ignore[return-value]

    def registerTimer(self, at_millis: int) -> None:
        self._timers[self.key].add(at_millis)

    def deleteTimer(self, at_millis: int) -> None:
        self._timers[self.key].discard(at_millis)

    def listTimers(self) -> Iterator[int]:
        return iter(sorted(self._timers[self.key]))


class Variable:
    """A value: its one entry is under None. An entry is forgotten `ttl_millis` after it was written."""

    def __init__(self, model: Model, ttl_millis: int | None) -> None:
        self._model = model
        self._ttl_millis = float("inf") if ttl_millis is None else ttl_millis
        self._of_keys: dict[Any, Entries] = defaultdict(dict)

    def exists(self) -> bool:
        return bool(self._alive())

    def clear(self) -> None:
        self._of_keys[self._model.key].clear()

    def get(self) -> Any:
        return self._alive().get(None)

    def update(self, value: One) -> None:
        self._set(None, value)

    def all(self) -> dict[Any, list[One]]:
        return {key: [value for value, _ in entries.values()] for key, entries in self._of_keys.items() if entries}

    def entries(self) -> list[tuple[Any, Any, One, float]]:
        return [
            (key, part, value, until)
            for key, entries in self._of_keys.items()
            for part, (value, until) in entries.items()
        ]

    def _set(self, part: Any, value: One) -> None:
        self._of_keys[self._model.key][part] = (value, self._model.now_millis + self._ttl_millis)

    def _alive(self) -> dict[Any, One]:
        entries = self._of_keys[self._model.key].items()
        return {part: value for part, (value, until) in entries if until > self._model.now_millis}


class ListVariable(Variable):
    """A list."""

    def entries(self) -> list[tuple[Any, Any, One, float]]:
        return [
            (key, position, *entry)
            for key, entries in self._of_keys.items()
            for position, entry in enumerate(entries.values())
        ]

    def get(self) -> Iterator[One]:
        return iter(self._alive().values())

    def put(self, values: list[One]) -> None:
        self.clear()
        self.appendList(values)

    def appendValue(self, value: One) -> None:
        self._set(1 + max(self._of_keys[self._model.key], default=0), value)

    def appendList(self, values: list[One]) -> None:
        for value in values:
            self.appendValue(value)


class MapVariable(Variable):
    """A map."""

    def containsKey(self, part: One) -> bool:
        return part in self._alive()

    def updateValue(self, part: One, value: One) -> None:
        self._set(part, value)

    def removeKey(self, part: One) -> None:
        self._of_keys[self._model.key].pop(part, None)

    def iterator(self) -> Iterator[tuple[One, One]]:
        return iter(self._alive().items())
