"""Damaged, missing and foreign files, wrong options: the query stops with an error that says what to look at."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from pyspark.errors import IllegalArgumentException, StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from tests.integration.streams import (
    TIMEOUT_SECONDS,
    EventFiles,
    Job,
    Output,
    assert_same_rows,
    hours_of_events,
    run_to_end,
    run_with_restarts,
)

BATCHES = 4
STATE_STORE = "spark.sql.streaming.stateStore."
PROVIDER_KEY = f"{STATE_STORE}providerClass"
ROCKSTATE = "io.rockstate.RockStateStoreProvider"
SPARK_PACKAGE = "org.apache.spark.sql.execution.streaming.state"
HDFS_PROVIDER = f"{SPARK_PACKAGE}.HDFSBackedStateStoreProvider"
ROCKSDB_PROVIDER = f"{SPARK_PACKAGE}.RocksDBStateStoreProvider"
SetConf = Callable[[str, str], None]
Damage = Callable[[bytes], bytes]


@dataclass(frozen=True)
class Query:
    """A query over `files`, complete mode, with its checkpoint."""

    spark: SparkSession
    files: EventFiles
    checkpoint: Path

    def run(self) -> Output:
        """Runs it over the files that are new."""
        output = Output()
        run_to_end(output.writer(per_key(self.files.stream(self.spark)), "complete"), str(self.checkpoint))
        return output

    def runs_to_the_right_result(self) -> None:
        """Fails unless a run succeeds and its last batch is what a batch computation returns."""
        batches = self.run().batches
        assert_same_rows(batches[max(batches)], per_key(self.files.batch(self.spark)))

    def failure(self) -> str:
        """The error's text; fails if the query does not."""
        with pytest.raises(StreamingQueryException) as failed:
            self.run()
        return str(failed.value)

    @property
    def store(self) -> Path:
        """The folder of the first partition's store."""
        return self.checkpoint / "state" / "0" / "0"

    def delta(self, version: int) -> Path:
        """The delta of that version in the first partition's store."""
        found = [file for file in self.store.iterdir() if re.fullmatch(rf"{version}(_.+)?\.delta", file.name)]
        assert len(found) == 1, f"one delta of version {version} in {sorted(self.store.iterdir())}"
        return found[0]


def per_key(events: DataFrame) -> DataFrame:
    return events.groupBy("key").agg(F.count("*"), F.sum("value"))


@pytest.fixture(scope="module")
def checkpoint_of_four_batches(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> tuple[EventFiles, Path]:
    folder = tmp_path_factory.mktemp("four-batches")
    files = EventFiles(folder / "events")
    checkpoint = folder / "checkpoint"
    run_with_restarts(spark, files, hours_of_events(BATCHES), Job(per_key, "complete", str(checkpoint)), BATCHES)
    return files, checkpoint


@pytest.fixture
def query(spark: SparkSession, checkpoint_of_four_batches: tuple[EventFiles, Path], tmp_path: Path) -> Query:
    """A query that has run four batches, and has a file to go on with."""
    files, checkpoint = checkpoint_of_four_batches
    files.add(hours_of_events(1)[0])
    own_copy = tmp_path / "checkpoint"
    shutil.copytree(checkpoint, own_copy)
    return Query(spark, files, own_copy)


@pytest.fixture
def new_query(spark: SparkSession, tmp_path: Path) -> Query:
    """A query that has never run, with one file to read."""
    files = EventFiles(tmp_path / "events")
    files.add(hours_of_events(1)[0])
    return Query(spark, files, tmp_path / "checkpoint")


def flipped(position: Callable[[int], int]) -> Damage:
    def damage(content: bytes) -> bytes:
        at = position(len(content))
        return content[:at] + bytes([content[at] ^ 0x10]) + content[at + 1 :]

    return damage


damages = pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda content: content[: len(content) // 2], id="truncated"),
        pytest.param(lambda content: content[:-1], id="without its last byte"),
        pytest.param(lambda content: b"", id="emptied"),
        pytest.param(flipped(lambda size: 3), id="bit flipped in the magic"),
        pytest.param(flipped(lambda size: size // 2), id="bit flipped in the middle"),
        pytest.param(flipped(lambda size: size - 2), id="bit flipped in the footer"),
    ],
)


@contextmanager
def replaced(file: Path, content: bytes) -> Iterator[None]:
    """The file with another content, and afterwards as it was."""
    before = file.read_bytes()
    file.write_bytes(content)
    yield
    file.write_bytes(before)


@damages
def test_a_damaged_delta_stops_the_query_until_it_is_restored(query: Query, damage: Damage) -> None:
    delta = query.delta(3)
    with replaced(delta, damage(delta.read_bytes())):
        assert delta.name in query.failure()
    query.runs_to_the_right_result()


@pytest.mark.parametrize("version", [1, 3, 4])
def test_a_missing_delta_stops_the_query_until_it_is_back(query: Query, version: int) -> None:
    delta = query.delta(version)
    aside = query.checkpoint / "aside"
    delta.rename(aside)
    assert delta.name in query.failure()
    aside.rename(delta)
    query.runs_to_the_right_result()


def test_a_lost_state_folder_is_an_error_and_not_an_empty_state(query: Query) -> None:
    aside = query.checkpoint / "aside"
    query.store.rename(aside)
    assert re.search(r"4(_\S+)?\.delta", query.failure())
    shutil.rmtree(query.store, ignore_errors=True)
    aside.rename(query.store)
    query.runs_to_the_right_result()


def test_the_delta_of_another_partition_is_refused(query: Query) -> None:
    delta = query.delta(3)
    (other,) = (query.store.parent / "1").glob("3[._]*delta")
    with replaced(delta, other.read_bytes()):
        assert delta.name in query.failure()
    query.runs_to_the_right_result()


@damages
def test_a_damaged_snapshot_is_rebuilt_from_deltas(new_query: Query, with_conf: SetConf, damage: Damage) -> None:
    with_conf(f"{STATE_STORE}minDeltasForSnapshot", "1")
    snapshot = snapshot_of(new_query)
    snapshot.write_bytes(damage(snapshot.read_bytes()))
    new_query.files.add(hours_of_events(2)[1])
    new_query.runs_to_the_right_result()


def test_a_snapshot_without_its_table_files_is_rebuilt_from_deltas(new_query: Query, with_conf: SetConf) -> None:
    with_conf(f"{STATE_STORE}minDeltasForSnapshot", "1")
    shutil.rmtree(snapshot_of(new_query).parent / "sst")
    new_query.files.add(hours_of_events(2)[1])
    new_query.runs_to_the_right_result()


def snapshot_of(query: Query) -> Path:
    """Runs the query until maintenance has made a snapshot, and stops it."""
    running = (
        Output()
        .writer(per_key(query.files.stream(query.spark)), "complete")
        .option("checkpointLocation", str(query.checkpoint))
        .start()
    )
    try:
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while not (found := sorted(query.store.glob("*.snapshot"))):
            assert time.monotonic() < deadline, f"no snapshot after {TIMEOUT_SECONDS} s"
            assert running.isActive, running.exception()
            time.sleep(0.1)
    finally:
        running.stop()
    return found[-1]


def test_the_checkpoints_provider_wins_over_the_sessions(query: Query, with_conf: SetConf) -> None:
    with_conf(PROVIDER_KEY, HDFS_PROVIDER)
    query.runs_to_the_right_result()
    assert query.delta(BATCHES + 1).exists()


@pytest.mark.parametrize("provider", [HDFS_PROVIDER, ROCKSDB_PROVIDER])
def test_another_providers_checkpoint_stays_with_that_provider(
    new_query: Query, with_conf: SetConf, provider: str
) -> None:
    with_conf(f"{STATE_STORE}checkpointFormatVersion", "1")
    with_conf(PROVIDER_KEY, provider)
    new_query.run()
    with_conf(PROVIDER_KEY, ROCKSTATE)
    new_query.files.add(hours_of_events(2)[1])
    new_query.runs_to_the_right_result()


@pytest.mark.parametrize("provider", [HDFS_PROVIDER, ROCKSDB_PROVIDER])
def test_another_providers_files_are_refused(new_query: Query, with_conf: SetConf, provider: str) -> None:
    with_conf(f"{STATE_STORE}checkpointFormatVersion", "1")
    with_conf(PROVIDER_KEY, provider)
    new_query.run()
    before = contents(new_query.checkpoint / "state")
    with_conf(PROVIDER_KEY, ROCKSTATE)
    for entry in (new_query.checkpoint / "offsets").iterdir():
        if entry.suffix == ".crc":
            entry.unlink()
        else:
            entry.write_text(entry.read_text().replace(provider, ROCKSTATE))
    new_query.files.add(hours_of_events(2)[1])
    failure = new_query.failure()
    assert provider.rpartition(".")[2] in failure
    assert str(new_query.checkpoint / "state" / "0") in failure
    assert contents(new_query.checkpoint / "state") == before, "the other provider's files are untouched"


def contents(folder: Path) -> dict[Path, bytes]:
    """Every file below the folder, Hadoop's checksum files left out."""
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file() and file.suffix != ".crc"}


def test_an_unknown_option_is_refused_with_the_known_ones(new_query: Query, with_conf: SetConf) -> None:
    with_conf(f"{STATE_STORE}rockstate.memoryBudgett", "64m")
    with pytest.raises(IllegalArgumentException) as refused:
        new_query.run()
    assert "rockstate.memoryBudgett" in str(refused.value)
    assert re.search(r"rockstate\.memoryBudget\b", str(refused.value)), "the right name is listed"


def test_an_invalid_value_of_an_option_is_refused(new_query: Query, with_conf: SetConf) -> None:
    with_conf(f"{STATE_STORE}rockstate.fetchThreads", "many")
    with pytest.raises(IllegalArgumentException, match="fetchThreads is 'many'"):
        new_query.run()


def test_a_state_folder_that_cannot_be_written_is_named(new_query: Query, with_conf: SetConf) -> None:
    with_conf("spark.sql.streaming.verifyCheckpointDirectoryEmptyOnStart", "false")
    # Permissions do not stop root, which tests may run as: a file stands where the folder should.
    new_query.store.parent.mkdir(parents=True)
    new_query.store.write_text("in the way")
    assert str(new_query.store) in new_query.failure()
    new_query.store.unlink()
    new_query.runs_to_the_right_result()
