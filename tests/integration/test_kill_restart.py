"""A query whose process is killed with SIGKILL, again and again, ends with the result of one that never was."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
from pyspark.sql import SparkSession
from tests.integration.killed_app import AGGREGATION, DEDUPLICATION, windows
from tests.integration.streams import EventFiles, assert_same_rows, far_future_event, hours_of_events
from tests.integration.test_dedup import with_duplicates

from rockstate.demo.processes import kill_tree

HOURS = 14
KILLS = 3
TIMEOUT_SECONDS = 240
REPOSITORY = Path(__file__).parents[2]


class App:
    """One start of the application in `killed_app`."""

    def __init__(self, folder: Path) -> None:
        self._log = folder / "app.log"
        self._checkpoints = folder / "checkpoints"
        path = os.pathsep.join(filter(None, [str(REPOSITORY), os.environ.get("PYTHONPATH")]))
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.integration.killed_app", str(folder / "events"), str(folder)],
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONPATH": path, "PYSPARK_PYTHON": sys.executable},
            )

    def commits(self) -> int:
        """Batches that both queries have committed, over all starts."""
        return sum(1 for entry in self._checkpoints.glob("*/commits/*") if entry.name.isdigit())

    def wait_for_commits(self, count: int) -> None:
        """Returns once so many batches are committed; fails if the application ends before that."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while self.commits() < count:
            assert self._process.poll() is None, f"ended by itself:\n{self._log.read_text()[-3000:]}"
            assert time.monotonic() < deadline, f"{self.commits()} of {count} batches after {TIMEOUT_SECONDS} s"
            time.sleep(0.02)

    def kill(self) -> None:
        """Kills it and all of its processes, which must be running."""
        assert self._process.poll() is None, "it has ended before it could be killed"
        kill_tree(self._process.pid)
        self._process.wait()

    def wait_for_end(self) -> None:
        """Returns when it has ended without an error."""
        code = self._process.wait(TIMEOUT_SECONDS)
        assert code == 0, f"ended with {code}:\n{self._log.read_text()[-3000:]}"

    def close(self) -> None:
        """Leaves nothing running."""
        if self._process.poll() is None:
            self.kill()


@pytest.mark.slow
def test_kills_at_random_moments_lose_and_double_nothing(spark: SparkSession, tmp_path: Path) -> None:
    seed = int(os.environ.get("ROCKSTATE_TEST_SEED", time.time_ns()))
    print(f"ROCKSTATE_TEST_SEED={seed}")  # pytest shows it when the test fails
    random = Random(seed)
    files = EventFiles(tmp_path / "events")
    for events in with_duplicates(hours_of_events(HOURS), lag=2):
        files.add(events)
    files.add([far_future_event()])

    for kill in range(KILLS):
        app = App(tmp_path)
        try:
            least = 2 * HOURS * kill // KILLS
            app.wait_for_commits(max(app.commits() + 1, least) + random.randint(0, 4))
            time.sleep(random.uniform(0, 0.8))
            app.kill()
        finally:
            app.close()
    last = App(tmp_path)
    try:
        last.wait_for_end()
    finally:
        last.close()

    table = files.batch(spark)
    aggregated, deduplicated = (
        [tuple(row) for row in spark.read.parquet(str(tmp_path / "results" / name)).collect()]
        for name in (AGGREGATION, DEDUPLICATION)
    )
    assert_same_rows(aggregated, windows(table.where("id >= 0")))
    assert_same_rows(deduplicated, table.distinct())
