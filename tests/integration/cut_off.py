"""Commands that end in the middle: by an error at some call to the file system, and by SIGKILL."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pyspark.errors import IllegalArgumentException
from pyspark.sql import SparkSession
from tests.integration.streams import EventFiles, Output, assert_same_rows, hours_of_events, run_to_end
from tests.integration.test_migrate import per_key_and_hour
from tests.quick_spark import quick_local_files, quick_spark

from rockstate.demo.processes import kill_tree

REPOSITORY = Path(__file__).parents[2]
TIMEOUT_SECONDS = 120
HOURS = 3


def contents(folder: Path) -> dict[str, bytes]:
    """Every file and what is in it."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def without_checksums(folder: Path) -> dict[str, bytes]:
    return {name: held for name, held in contents(folder).items() if not name.endswith(".crc")}


def names(folder: Path) -> set[str]:
    """Every file, with nothing in its name that is another in each run."""
    ids = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<=_)[0-9a-f]{16,}")
    return {ids.sub("ID", name) for name in contents(folder)}


class FinishedQuery:
    """A query that has stopped, its checkpoint, and one more file of events to go on with."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self._spark, self.checkpoint = spark, folder / "checkpoint"
        self._files, self._output = EventFiles(folder / "events"), Output()
        hours = hours_of_events(HOURS + 1, per_hour=50)
        for events in hours[:HOURS]:
            self._files.add(events)
        self.run(self.checkpoint, self._output)
        self._before = contents(self.checkpoint)
        self._files.add(hours[HOURS])

    def run(self, checkpoint: Path, output: Output) -> None:
        stream = self._files.stream(self._spark).withWatermark("time", "1 hour")
        run_to_end(output.writer(per_key_and_hour(stream), "update"), str(checkpoint))

    def goes_on(self, checkpoint: Path) -> None:
        """Fails unless it returns from there what it would have returned without the move."""
        output = Output()
        output.batches.update(self._output.batches)
        self.run(checkpoint, output)
        assert len(output.batches) > len(self._output.batches)
        assert_same_rows(output.upserted(2), per_key_and_hour(self._files.batch(self._spark)))

    def is_untouched(self) -> None:
        """Fails unless its checkpoint is byte for byte as it was."""
        assert contents(self.checkpoint) == self._before

    def does_not_start(self, checkpoint: Path) -> None:
        """Fails if Spark starts it there, unless nothing is there."""
        if without_checksums(checkpoint):
            with pytest.raises(IllegalArgumentException, match="The checkpoint is unfinished"):
                self.run(checkpoint, Output())


@contextmanager
def cut_off(spark: SparkSession, new: Path, calls: int) -> Iterator[list[str]]:
    """Within it, so many calls that change something below `new` are done, and none after them. Has the calls then."""
    _require_local_files()
    switch = spark._jvm.io.rockstate.localfiles.CutOff  # type: ignore[union-attr]
    done: list[str] = []
    switch.after(calls, str(new))
    try:
        yield done
    finally:
        done += switch.end().splitlines()


class Process:
    """The command in a process of its own, which stops when it is about to make the call `place`."""

    def __init__(self, place: str, command: list[str], new: Path) -> None:
        _require_local_files()
        folder = new.with_name("process")
        folder.mkdir()
        self._place, self._sign, self._log = place, folder / "sign", folder / "log"
        watch = {"folder": new, "sign": self._sign, "at": place}
        java = [f"-Drockstate.cutOff.{key}={value}" for key, value in watch.items()]
        confs = {
            "spark.master": "local[2]",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
        }
        path = os.pathsep.join([*filter(None, [os.environ.get("PYTHONPATH")]), str(REPOSITORY)])
        with self._log.open("wb") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "rockstate", *command],
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONPATH": path, **quick_spark(*java, **confs)},
            )

    def wait_for_place(self) -> None:
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while not self._sign.exists():
            assert self._process.poll() is None, f"ended before {self._place}:\n{self._log.read_text()[-3000:]}"
            assert time.monotonic() < deadline, f"not at {self._place} after {TIMEOUT_SECONDS} s"
            time.sleep(0.02)

    def interrupt(self) -> None:
        """As Ctrl-C does."""
        self._process.send_signal(signal.SIGINT)

    def go_on(self) -> None:
        self._sign.unlink()

    def ended(self) -> tuple[int, str]:
        """Its exit code, and the first sentences of what it said of itself."""
        code = self._process.wait(TIMEOUT_SECONDS)
        said = [line for line in self._log.read_text().splitlines() if line.startswith("rockstate: ")]
        return code, "".join(said).split(",")[0]

    def kill(self) -> None:
        """SIGKILL for it and its JVM."""
        if self._process.poll() is None:
            kill_tree(self._process.pid)
        self._process.wait()


@contextmanager
def stopped_at(place: str, command: list[str], folder: Path) -> Iterator[Process]:
    """The command, stopped there as it changes the folder; gone in the end."""
    process = Process(place, command, folder)
    try:
        process.wait_for_place()
        yield process
    finally:
        process.kill()


def _require_local_files() -> None:
    if not quick_local_files():
        pytest.skip("Hadoop's own local files do not stop at a call")
