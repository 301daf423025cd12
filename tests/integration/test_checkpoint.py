"""Checkpoints looked into from outside: what is there, whether it is sound, its rows and changes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from tests.integration.minors import MINOR, needs_checkpoint_ids
from tests.integration.streams import EventFiles, Job, Output, hours_of_events, run_to_end, run_with_restarts
from tests.integration.verification import found

import rockstate
from rockstate import Checkpoint
from rockstate.cli import doctor

HOURS = 4
HDFS_PROVIDER = "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider"
ROCKSDB_PROVIDER = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"


def per_key(events: DataFrame) -> DataFrame:
    return events.groupBy("key").agg(F.count("*").alias("n"))


@pytest.fixture
def files(tmp_path: Path) -> EventFiles:
    return EventFiles(tmp_path / "events")


@pytest.fixture
def counted(spark: SparkSession, files: EventFiles, checkpoint: str) -> str:
    """The checkpoint of a query that counted events per key over four batches."""
    run_with_restarts(spark, files, hours_of_events(HOURS), Job(per_key, "update", checkpoint), files_per_run=HOURS)
    return checkpoint


def test_a_sound_checkpoint(spark: SparkSession, files: EventFiles, counted: str, tmp_path: Path) -> None:
    keys = files.batch(spark).select("key").distinct().count()
    checkpoint = Checkpoint(counted)
    for summary in (checkpoint.inspect(), checkpoint.verify()):
        assert summary.provider == "io.rockstate.RockStateStoreProvider"
        assert summary.last_committed == summary.last_planned == HOURS - 1
        assert summary.is_sound
        (operator,) = summary.operators
        assert operator.name == "stateStoreSave"
        assert operator.rows == keys
        assert operator.skew is not None
        assert operator.skew >= 1
        assert [store.partition for store in operator.stores] == [0, 1]
        for store in operator.stores:
            assert store.loadable == ((1, HOURS),)
            assert store.deltas.files == HOURS
            assert store.bytes > 0
            assert store.snapshot_lag is not None
    assert all(store.verified for store in summary.stores)
    assert json.loads(json.dumps(summary.to_dict()))["operators"][0]["rows"] == keys
    summary.plot(tmp_path / "plot.png")
    summary.to_html(tmp_path / "page.html")
    assert f"{keys} rows" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_damage_is_named_with_its_remedy(counted: str) -> None:
    newest = max(Path(counted, "state/0/1").glob(f"{HOURS}[._]*delta"))
    newest.write_bytes(newest.read_bytes()[:-7])
    for crc in newest.parent.glob(f".{newest.name}.crc"):
        crc.unlink()
    summary = Checkpoint(counted).verify()
    assert not summary.is_sound
    assert {problem.file for problem in summary.problems} >= {f"file:{newest}"}
    assert all(problem.remedy for problem in summary.problems)
    assert not any(store.problems for store in summary.stores if store.partition == 0)


def test_a_committed_version_that_is_gone_is_missed(counted: str) -> None:
    for file in Path(counted, "state/0/0").glob(f"{HOURS}[._]*"):
        file.unlink()
    summary = Checkpoint(counted).inspect()
    (found,) = summary.problems
    assert f"version {HOURS} cannot be loaded" in found.problem


@needs_checkpoint_ids
def test_an_attempt_that_lost_does_not_stand_in_for_the_committed_one(
    spark: SparkSession, files: EventFiles, counted: str
) -> None:
    state = Path(counted, "state/0/0")
    (lost,) = (file.name for file in state.glob(f"{HOURS}_*.delta"))
    for file in (Path(counted, "commits", str(HOURS - 1)), Path(counted, "commits", f".{HOURS - 1}.crc")):
        file.unlink(missing_ok=True)
    run_to_end(Output().writer(per_key(files.stream(spark)), "update"), counted)
    (committed,) = (file for file in state.glob(f"{HOURS}_*.delta") if file.name != lost)
    assert Checkpoint(counted).verify().is_sound
    committed.unlink()
    for summary in (Checkpoint(counted).inspect(), Checkpoint(counted).verify()):
        (problem,) = summary.problems
        assert problem.file == f"file:{committed}"
        assert committed.stem.partition("_")[2] in problem.problem


def test_a_join_has_named_stores(spark: SparkSession, files: EventFiles, checkpoint: str) -> None:
    def self_join(events: DataFrame) -> DataFrame:
        left = events.withWatermark("time", "1 hour").select("id", F.col("time").alias("t1"))
        right = events.withWatermark("time", "1 hour").select(F.col("id").alias("other"), F.col("time").alias("t2"))
        return left.join(right, F.expr("id = other and t1 = t2")).select("id")

    run_with_restarts(spark, files, hours_of_events(1), Job(self_join, "append", checkpoint), files_per_run=1)
    summary = Checkpoint(checkpoint).verify()
    assert summary.is_sound
    (operator,) = summary.operators
    assert operator.name == "symmetricHashJoin"
    names = {store.name for store in operator.stores}
    assert names == {
        f"{side}-{store}" for side in ("left", "right") for store in ("keyToNumValues", "keyWithIndexToValue")
    }


@pytest.mark.parametrize(
    ("provider", "format"), [(HDFS_PROVIDER, "1"), (ROCKSDB_PROVIDER, "1"), (ROCKSDB_PROVIDER, "2")]
)
def test_other_providers_checkpoints_as_far_as_names_tell(
    spark: SparkSession,
    files: EventFiles,
    checkpoint: str,
    provider: str,
    format: str,
    with_conf: Callable[[str, str], None],
) -> None:
    with_conf("spark.sql.streaming.stateStore.providerClass", provider)
    with_conf("spark.sql.streaming.stateStore.checkpointFormatVersion", format)
    run_with_restarts(spark, files, hours_of_events(2), Job(per_key, "update", checkpoint), files_per_run=2)
    summary = Checkpoint(checkpoint).verify()
    assert summary.provider == provider
    assert summary.is_sound
    for store in summary.stores:
        assert store.newest == 2
        assert store.rows is None
        assert not store.verified
    if (MINOR, format) != ("4.0", "2"):
        with_conf("spark.sql.streaming.stateStore.checkpointFormatVersion", "2" if format == "1" else "1")
        assert Checkpoint(checkpoint).rows().count() > 0, "whatever format the session has"
    last = next(
        file for file in Path(checkpoint, "state/0/0").iterdir() if file.suffix in (".delta", ".changelog", ".zip")
    )
    last.with_name(f".{last.name}.crc").unlink(missing_ok=True)
    last.write_bytes(b"")
    assert "The file is empty" in found(Checkpoint(checkpoint).inspect())[f"state/0/0/{last.name}"].problem


def test_rows_and_changes(spark: SparkSession, files: EventFiles, counted: str) -> None:
    checkpoint = Checkpoint(counted)
    wanted = {(row["key"], row["n"]) for row in per_key(files.batch(spark)).collect()}
    assert {(row["key"]["key"], row["value"]["count"]) for row in checkpoint.rows().collect()} == wanted
    before = {row["key"]["key"]: row["value"]["count"] for row in checkpoint.rows(batchId=HOURS - 2).collect()}
    changes = checkpoint.changes(HOURS - 1).collect()
    after = {**before, **{row["key"]["key"]: row["value"]["count"] for row in changes}}
    assert set(after.items()) == wanted
    assert {row["change_type"] for row in changes} == {"update"}


@pytest.mark.parametrize("name", ["nowhere", "empty"])
def test_a_folder_without_state_is_an_error_that_says_so(spark: SparkSession, tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(rockstate.NotFound, match="checkpointLocation"):
        Checkpoint(tmp_path / name).inspect()


@pytest.mark.parametrize("entry", [f"commits/{HOURS - 1}", f"offsets/{HOURS - 1}", "state/0/_metadata/metadata"])
def test_a_checkpoint_of_another_spark_release_is_an_error_that_says_so(counted: str, entry: str) -> None:
    file = Path(counted, entry)
    if not file.is_file():  # the operator's metadata of a later format has the batch in its name
        file = max(Path(counted, "state/0/_metadata").rglob("[0-9]*"))
    file.with_name(f".{file.name}.crc").unlink(missing_ok=True)
    _, rest = file.read_text(encoding="utf-8").split("\n", 1)
    file.write_text(f"v9\n{rest}", encoding="utf-8")
    with pytest.raises(rockstate.Unsupported, match=r"Another Spark release.* v9.*Look at it with"):
        Checkpoint(counted).verify()


def test_a_file_system_that_is_not_there_is_an_error_without_a_trace(spark: SparkSession) -> None:
    with pytest.raises(rockstate.Unreachable, match="nosuchscheme"):
        Checkpoint("nosuchscheme://host/checkpoint").verify()
    with pytest.raises(rockstate.NotFound, match="is a file, not a checkpoint's folder"):
        Checkpoint(__file__).verify()


def test_a_place_that_is_tried_is_left_as_it_was(spark: SparkSession, tmp_path: Path) -> None:
    new = tmp_path / "not" / "there yet"
    assert "there yet, which is not there yet (a file was written" in doctor._probe(str(new))
    assert not list(tmp_path.iterdir())
    new.mkdir(parents=True)
    assert "there yet (a file was written" in doctor._probe(str(new))
    assert not list(new.iterdir())


@pytest.mark.slow
def test_the_command_says_the_same_in_a_jvm_of_its_own(counted: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rockstate", "verify", counted]
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads(json.dumps(Checkpoint(counted).verify().to_dict()))
    next(Path(counted, "state/0/0").glob("1[._]*delta")).write_bytes(b"torn")
    page = tmp_path / "page.html"
    key = ["--conf", "spark.hadoop.fs.s3a.secret.key=a-password"]
    debugged = [*command[:3], "--debug", *command[3:], "--html", str(page), *key]
    table = subprocess.run(debugged, capture_output=True, text=True, check=False)
    assert "a-password" not in table.stdout + table.stderr + page.read_text(encoding="utf-8")
    assert table.returncode == 1
    assert "problem" in table.stdout
    assert "Traceback" not in table.stderr
    assert "Problems" in page.read_text(encoding="utf-8")
