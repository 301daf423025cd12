"""A program of streaming queries, run up to where it waits for them: of each the checkpoint is begun, and none runs."""

from __future__ import annotations

import inspect
import runpy
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from rockstate.base.errors import Misuse, NotFound
from rockstate.moving.bootstrap import begin, forget


@dataclass(frozen=True)
class Begun:
    """A query that keeps state, and the checkpoint that it has before it has read anything."""

    name: str
    location: str


class _Waits(BaseException):
    """The program waits for its queries. Not an `Exception`, which programs catch."""


@dataclass
class Program:
    """Runs it.

    Args:
        app, arguments: as Python would be given them.
        scratch: where checkpoints are begun, each in a folder with this name and a number.
        name: the one query to begin, by its name, or by its number in the order of their starts; all if None.
    """

    app: str
    arguments: Sequence[str]
    scratch: str
    name: str | None
    begun: list[Begun] = field(default_factory=list)
    _started: list[str] = field(default_factory=list)
    _locations: list[str] = field(default_factory=list)
    _seen: int = 0

    def run(self) -> Begun:
        """Raises Misuse unless the program starts one query with state, or one of this name."""
        if not Path(self.app).is_file():
            raise NotFound(f"There is no program {self.app}", "Give a Python file, or a checkpoint with --like")
        with self._in_place_of_starts():
            try:
                runpy.run_path(self.app, run_name="__main__")
            except _Waits:
                pass
            except SystemExit as ended:
                if not self.begun:
                    raise Misuse(f"{self.app} ended with {ended.code}", "Give it the arguments that it takes") from None
        return self._chosen()

    def forget(self) -> None:
        """Deletes the checkpoints that were begun."""
        for location in self._locations:
            forget(location)

    def _chosen(self) -> Begun:
        if len(self.begun) == 1:
            return self.begun[0]
        if self.begun:
            names = ", ".join(query.name for query in self.begun)
            raise Misuse(f"{self.app} starts several queries with state: {names}", "Name one with --query-name")
        if self.name and self._started:
            raise Misuse(f"{self.app} starts {', '.join(self._started)}", "Name one of them with --query-name")
        raise Misuse(f"{self.app} starts no query with state", "Give the program of the query, as `rockstate submit`")

    @contextmanager
    def _in_place_of_starts(self) -> Iterator[None]:
        """Within it Python's methods that start or await queries are ours."""
        from pyspark.sql.streaming.query import StreamingQueryManager
        from pyspark.sql.streaming.readwriter import DataStreamWriter

        program = self
        with_mode, with_name = DataStreamWriter.outputMode, DataStreamWriter.queryName

        # Programs give PySpark's arguments by name or by place, so these have its names.
        def outputMode(writer: Any, outputMode: str) -> Any:
            writer._rockstate_mode = outputMode
            return with_mode(writer, outputMode)

        def queryName(writer: Any, queryName: str) -> Any:
            writer._rockstate_name = queryName
            return with_name(writer, queryName)

        def starts(as_in: Callable[..., Any]) -> Callable[..., Any]:
            signature = inspect.signature(as_in)

            def start(writer: Any, *places: Any, **names: Any) -> Any:
                given = signature.bind(writer, *places, **names).arguments
                mode = given.get("outputMode") or str(getattr(writer, "_rockstate_mode", "append"))
                name = given.get("queryName") or getattr(writer, "_rockstate_name", None)
                return program._begin(writer._df, mode, name)

            return start

        ours = {name: starts(getattr(DataStreamWriter, name)) for name in ("start", "toTable")}
        ours |= {"outputMode": outputMode, "queryName": queryName}
        folder = str(Path(self.app).resolve().parent)
        with (
            _replaced(DataStreamWriter, ours),
            _replaced(StreamingQueryManager, {"awaitAnyTermination": lambda *_, **__: program._wait()}),
            _replaced(sys, {"argv": [self.app, *self.arguments], "path": [folder, *sys.path[1:]]}),
        ):
            yield

    def _begin(self, result: Any, mode: str, name: str | None) -> _Query:
        number = str(len(self._started) + 1)
        self._started.append(name or number)
        if self.name in (None, name, number):
            location = f"{self.scratch}-{number}"
            forget(location)  # what was cut off has left it
            self._locations.append(location)
            if begin(result, mode, location) > 0:
                self.begun.append(Begun(name or number, location))
        return _Query(self, name)

    def _wait(self) -> bool:
        """A query before the one that is asked for seems to have ended, unless there is none after it."""
        if self.name is None or self.begun or self._seen == len(self._started):
            raise _Waits
        self._seen = len(self._started)
        return True


class _Query:
    """What the program has of a query that it started."""

    isActive = False
    lastProgress = None

    def __init__(self, program: Program, name: str | None) -> None:
        self.name, self._program = name, program

    def awaitTermination(self, timeout: float | None = None) -> bool:
        return self._program._wait()

    def processAllAvailable(self) -> None:
        self._program._wait()

    def stop(self) -> None:
        """It does not run."""

    def __getattr__(self, name: str) -> NoReturn:
        """Whoever asks for more of it goes on with what it has done."""
        raise _Waits


@contextmanager
def _replaced(owner: Any, values: Mapping[str, Any]) -> Iterator[None]:
    """Within it these attributes have other values."""
    before = {name: getattr(owner, name) for name in values}
    for name, value in values.items():
        setattr(owner, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(owner, name, value)
