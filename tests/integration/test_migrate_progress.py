"""What a move tells before it is made, and while it is."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.integration.cut_off import FinishedQuery
from tests.integration.making import MARK
from tests.integration.minors import MINOR
from tests.integration.streams import TIMEOUT_SECONDS

from rockstate import Checkpoint
from rockstate.cli import main
from rockstate.launch.versions import is_since
from rockstate.moving.running import MoveProgress

pytestmark = pytest.mark.skipif(not is_since(MINOR, "4.2"), reason="Spark before 4.2 cannot write a store anew")

MANY = 40


@pytest.fixture(scope="module")
def query(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> FinishedQuery:
    return FinishedQuery(spark, tmp_path_factory.mktemp("finished"))


def state_bytes(checkpoint: Path) -> int:
    """The size of all files of rows."""
    stores = (checkpoint / "state").glob("*/[0-9]*")
    files = [path for store in stores for path in store.rglob("*") if path.is_file()]
    return sum(path.stat().st_size for path in files if path.parent.name != "_metadata" and path.suffix != ".crc")


@pytest.mark.parametrize("provider", ["rockstate", "rocksdb", "hdfs"])
def test_a_dry_run_tells_the_size_of_what_it_would_read(query: FinishedQuery, tmp_path: Path, provider: str) -> None:
    moved = Checkpoint(query.checkpoint).migrate(tmp_path / "moved", provider)  # it has one version and no other files
    planned = Checkpoint(tmp_path / "moved").migrate(tmp_path / "new", "rockstate", dry_run=True)
    assert planned.bytes == state_bytes(tmp_path / "moved") > 0
    assert [store.rows for store in planned.stores] == [moved.rows if provider == "rockstate" else None]
    assert planned.seconds is not None and 0 < planned.seconds < 60


def test_a_dry_run_tells_of_the_batch_that_was_asked_for(query: FinishedQuery, tmp_path: Path) -> None:
    first, last = (
        Checkpoint(query.checkpoint).migrate(tmp_path / "new", "hdfs", batch=batch, dry_run=True) for batch in (0, None)
    )
    assert first.stores[0].rows is not None and last.stores[0].rows is not None
    assert 0 < first.stores[0].rows < last.stores[0].rows
    assert 0 < first.bytes < last.bytes


def test_the_command_prints_size_and_time(
    query: FinishedQuery, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["migrate", str(query.checkpoint), str(tmp_path / "new"), "--to", "hdfs", "--dry-run"]
    assert main(asked) == 0
    told = capsys.readouterr().out
    assert "and write about as much, in about 2 s on this machine" in told
    assert re.search(r"holds whole partitions in the heap: of about [0-9.]+ \w+ of\s+files each", told), told
    assert main([*asked[:-2], "rocksdb", "--dry-run"]) == 0
    assert "heap" not in capsys.readouterr().out
    assert main([*asked, "--json"]) == 0
    planned = json.loads(capsys.readouterr().out)
    assert planned["bytes"] == planned["stores"][0]["bytes"] > 0
    assert planned["stores"][0]["rows"] > 0
    assert planned["seconds"] >= 2


def test_progress_counts_tasks_by_phase(query: FinishedQuery, tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    Checkpoint(query.checkpoint).repartition(tmp_path / "new", MANY, progress=lambda *seen: told.append(seen))
    phases = [phase for phase, _, _ in told]
    assert phases == sorted(phases, key=["write", "read back"].index)
    for phase, of in (("write", MANY + 2), ("read back", MANY)):
        done = [count for name, count, all_tasks in told if name == phase and all_tasks == of]
        assert done and done == sorted(done)
        assert phases.count(phase) == len(done)
        assert max(done) <= of
    assert any(done > 0 for _, done, _ in told)


@pytest.mark.parametrize(
    ("what", "phases"),
    [
        (lambda old, new, progress: old.fork(new, progress=progress), ["copy"]),
        (lambda old, new, progress: old.export(new, progress=progress), ["write", "count again"]),
        (lambda old, new, progress: old.rollback(1, progress=progress), ["read", "move", "look at files"]),
    ],
    ids=["fork", "export", "rollback"],
)
def test_others_tell_their_progress(
    query: FinishedQuery, tmp_path: Path, what: Callable[[Checkpoint, Path, MoveProgress], object], phases: list[str]
) -> None:
    told: list[tuple[str, int, int]] = []
    old = Path(shutil.copytree(query.checkpoint, tmp_path / "old"))
    what(Checkpoint(old), tmp_path / "new", lambda *seen: told.append(seen))
    phase, done, of = told[-1]
    assert phase == phases[-1] and done == of > 0
    assert {phase for phase, _, _ in told} <= set(phases)


def test_what_interrupts_it_cancels_it(spark: SparkSession, query: FinishedQuery, tmp_path: Path) -> None:
    def interrupt(phase: str, done: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Checkpoint(query.checkpoint).repartition(tmp_path / "new", MANY, progress=interrupt)
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while spark.sparkContext.statusTracker().getActiveJobsIds():
        assert time.monotonic() < deadline, "the job goes on"
        time.sleep(0.05)
    assert (tmp_path / "new" / MARK).exists()
    assert not (tmp_path / "new" / "metadata").exists()
    Checkpoint(query.checkpoint).repartition(tmp_path / "new", 3)
    query.goes_on(tmp_path / "new")
