"""Whether `verify` says of a checkpoint what its query would find: damaged, healthy and half-way ones."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from tests.integration.minors import skip_before
from tests.integration.streams import EventFiles, Job, Output, hours_of_events, run_to_end, run_with_restarts
from tests.integration.verification import DOES_NOT_START, FORMAT, found, is_sound, remove, verified

from rockstate import Checkpoint, Misuse, NotFound
from rockstate.inspection.roots import roots_of

LAST = 3


def per_key(events: DataFrame) -> DataFrame:
    return events.groupBy("key").agg(F.count("*").alias("n"))


@pytest.fixture(scope="module")
def finished(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """By checkpoint format, the checkpoint of a query that has run four batches and has a file to go on with."""
    before = spark.conf.get(FORMAT)
    checkpoints = {}
    for version in (1, 2):
        folder = tmp_path_factory.mktemp(f"format-{version}")
        spark.conf.set(FORMAT, str(version))
        files = EventFiles(folder / "events")
        run_with_restarts(
            spark, files, hours_of_events(LAST + 1), Job(per_key, "update", str(folder / "checkpoint")), LAST + 1
        )
        files.add(hours_of_events(1)[0])
        checkpoints[version] = folder / "checkpoint"
    spark.conf.set(FORMAT, str(before))
    return checkpoints


@pytest.fixture(params=[1, 2], ids=["format 1", "format 2"])
def checkpoint_copy(request: pytest.FixtureRequest, finished: dict[int, Path], tmp_path: Path) -> Path:
    """A copy of one's own of a finished checkpoint."""
    return Path(shutil.copytree(finished[request.param], tmp_path / "checkpoint"))


@pytest.fixture(params=[1, 2], ids=["format 1", "format 2"])
def of_the_sessions_format(
    request: pytest.FixtureRequest, finished: dict[int, Path], with_conf: Callable[[str, str], None]
) -> Path:
    """A finished checkpoint, in a session of its format: before 4.2 Spark reads no other commit log."""
    with_conf(FORMAT, str(request.param))
    return finished[request.param]


def overwrite(checkpoint: Path, name: str, content: bytes) -> None:
    """Gives a file another content, and takes its checksum file away."""
    remove(checkpoint, name)
    (checkpoint / name).write_bytes(content)


NO_WAY_BACK = r"cannot go back to batch"
ROWS = r"cannot read"


@pytest.mark.parametrize(
    ("name", "file", "consequence", "version"),
    [
        pytest.param(f"offsets/{LAST}", f"offsets/{LAST}", "again", LAST + 1, id="last offsets"),
        pytest.param(f"offsets/{LAST - 1}", f"offsets/{LAST - 1}", DOES_NOT_START, LAST, id="offsets before the last"),
        pytest.param("offsets/1", "offsets/1", NO_WAY_BACK, 2, id="early offsets"),
        pytest.param("offsets", "offsets", DOES_NOT_START, None, id="all offsets"),
        pytest.param("commits/1", "commits/1", NO_WAY_BACK, 2, id="an early commit"),
        pytest.param("commits", f"commits/{LAST - 1}", f"version {LAST}", LAST, id="all commits"),
        pytest.param("metadata", "metadata", DOES_NOT_START, None, id="metadata"),
        pytest.param("state/0/_metadata", "state/0/_metadata/metadata", ROWS, None, id="operator metadata"),
        pytest.param("state/0/0/_metadata", "state/0/0/_metadata/schema", ROWS, None, id="schema"),
    ],
)
def test_what_is_gone_is_named(
    checkpoint_copy: Path, name: str, file: str, consequence: str, version: int | None
) -> None:
    remove(checkpoint_copy, name)
    problems = verified(checkpoint_copy)
    assert set(problems) == {file}
    assert re.search(consequence, problems[file].problem)
    assert problems[file].version == version
    if not name.startswith("state"):
        assert set(found(Checkpoint(checkpoint_copy).inspect())) == {file}, "the names of the logs tell"


def test_logs_that_are_all_gone_are_missed_where_there_is_state(checkpoint_copy: Path) -> None:
    remove(checkpoint_copy, "offsets")
    remove(checkpoint_copy, "commits")
    for look in (Checkpoint(checkpoint_copy).inspect, Checkpoint(checkpoint_copy).verify):
        summary = look()
        assert summary.can_restart is False
        assert DOES_NOT_START in found(summary)["offsets"].problem
    with pytest.raises(Misuse, match="has committed no batch"):
        Checkpoint(checkpoint_copy).rollback(1, dry_run=True)


def test_a_rollback_without_commits_says_that_they_are_gone(checkpoint_copy: Path) -> None:
    remove(checkpoint_copy, "commits")
    with pytest.raises(NotFound, match=f"Batch {LAST} was planned, and no batch's commit is there"):
        Checkpoint(checkpoint_copy).rollback(1, dry_run=True)


def test_what_only_going_back_needs_does_not_keep_the_query_from_starting(checkpoint_copy: Path) -> None:
    remove(checkpoint_copy, "commits/1")
    summary = Checkpoint(checkpoint_copy).verify()
    assert not summary.is_sound
    assert summary.can_restart is True


@pytest.mark.parametrize(
    ("name", "consequence", "version"),
    [
        (f"offsets/{LAST}", DOES_NOT_START, LAST + 1),
        (f"offsets/{LAST - 1}", DOES_NOT_START, LAST),
        ("offsets/1", NO_WAY_BACK, 2),
        (f"commits/{LAST}", DOES_NOT_START, LAST + 1),
        ("commits/1", NO_WAY_BACK, 2),
        ("metadata", DOES_NOT_START, None),
        ("state/0/_metadata/metadata", ROWS, None),
        ("state/0/0/_metadata/schema", DOES_NOT_START, None),
    ],
)
@pytest.mark.parametrize("content", [b"", b"\xff\x00garbage{", "half"], ids=["emptied", "garbled", "cut off"])
def test_what_is_damaged_is_named(
    checkpoint_copy: Path, name: str, consequence: str, version: int | None, content: bytes | str
) -> None:
    before = (checkpoint_copy / name).read_bytes()
    overwrite(checkpoint_copy, name, content if isinstance(content, bytes) else before[: len(before) // 2])
    problems = verified(checkpoint_copy)
    assert set(problems) == {name}
    assert re.search(consequence, problems[name].problem)
    assert problems[name].version == version


def test_a_log_entry_whose_checksum_is_wrong_is_damaged_and_not_out_of_reach(checkpoint_copy: Path) -> None:
    entry = checkpoint_copy / "commits" / str(LAST)
    if not entry.with_name(f".{LAST}.crc").exists():
        pytest.skip("the file system wrote no checksum files")
    entry.write_bytes(entry.read_bytes()[:-1] + b"?")
    assert set(verified(checkpoint_copy)) == {f"commits/{LAST}"}


@pytest.mark.parametrize(
    ("name", "starts"),
    [
        (f"offsets/{LAST - 1}", False),
        ("offsets/1", True),
        ("offsets", False),
        ("commits/1", True),
        ("metadata", False),
        ("state/0/_metadata", True),
        ("state/0/0/_metadata", True),
    ],
)
def test_a_query_starts_or_not_as_the_problem_says(
    spark: SparkSession, of_the_sessions_format: Path, tmp_path: Path, name: str, starts: bool
) -> None:
    if name == "metadata":
        skip_before("4.2", "StreamExecution gives a query whose metadata are gone a new id, and goes on")
    checkpoint = Path(shutil.copytree(of_the_sessions_format, tmp_path / "checkpoint"))
    remove(checkpoint, name)
    assert any(DOES_NOT_START in problem.problem for problem in verified(checkpoint).values()) != starts
    events = EventFiles(of_the_sessions_format.with_name("events"))
    query = Output().writer(per_key(events.stream(spark)), "update")
    if starts:
        run_to_end(query, str(checkpoint))
    else:
        with pytest.raises(PySparkException):
            run_to_end(query, str(checkpoint))


def test_a_checksum_file_whose_log_entry_is_gone_is_in_the_way(
    spark: SparkSession, finished: dict[int, Path], tmp_path: Path, with_conf: Callable[[str, str], None]
) -> None:
    with_conf(FORMAT, "1")
    checkpoint = Path(shutil.copytree(finished[1], tmp_path / "checkpoint"))
    (checkpoint / "commits" / str(LAST)).unlink()
    checksum = f"commits/.{LAST}.crc"
    if not (checkpoint / checksum).exists():
        pytest.skip("the file system wrote no checksum files")
    assert set(verified(checkpoint)) == {checksum}
    query = Output().writer(per_key(EventFiles(finished[1].with_name("events")).stream(spark)), "update")
    with pytest.raises(PySparkException, match="Multiple streaming queries"):
        run_to_end(query, str(checkpoint))
    (checkpoint / checksum).unlink()
    assert is_sound(checkpoint)
    run_to_end(query, str(checkpoint))


@pytest.mark.parametrize("partition", [0, 1])
def test_a_partition_that_is_gone_is_missed(checkpoint_copy: Path, partition: int) -> None:
    remove(checkpoint_copy, f"state/0/{partition}")
    problems = verified(checkpoint_copy)
    (delta,) = (file for file in problems if file.startswith(f"state/0/{partition}/{LAST + 1}"))
    assert f"version {LAST + 1} cannot be loaded" in problems[delta].problem
    assert problems[delta].version == LAST + 1
    assert any(NO_WAY_BACK in problem.problem for problem in problems.values())
    assert ("state/0/0/_metadata/schema" in problems) == (partition == 0)


def test_a_promised_version_that_is_gone_is_missed(checkpoint_copy: Path) -> None:
    for file in (checkpoint_copy / "state/0/1").glob("[12][._]*"):
        file.unlink()
    problems = verified(checkpoint_copy)
    (first,) = (problem for problem in problems.values() if problem.version == 1)
    assert "cannot go back to batch 0-1" in first.problem


def test_the_whole_state_that_is_gone_is_missed_where_the_commits_tell_of_it(finished: dict[int, Path]) -> None:
    checkpoint = finished[2].with_name("without-state")
    shutil.copytree(finished[2], checkpoint)
    remove(checkpoint, "state")
    problems = verified(checkpoint)
    assert {file.split("/")[2] for file in problems if re.match(rf"state/0/\d/{LAST + 1}_", file)} == {"0", "1"}


def test_a_finished_query_is_sound(checkpoint_copy: Path) -> None:
    is_sound(checkpoint_copy)


def test_a_query_whose_last_batch_is_not_committed_is_sound(checkpoint_copy: Path) -> None:
    remove(checkpoint_copy, f"commits/{LAST}")
    assert is_sound(checkpoint_copy).last_committed == LAST - 1


def test_a_query_that_never_committed_a_batch_is_sound(checkpoint_copy: Path) -> None:
    for entry in range(1, LAST + 1):
        remove(checkpoint_copy, f"offsets/{entry}")
    remove(checkpoint_copy, "commits")
    assert is_sound(checkpoint_copy).last_committed is None


def test_a_query_whose_old_log_entries_are_cleaned_up_is_sound(checkpoint_copy: Path) -> None:
    for entry in range(LAST - 1):
        remove(checkpoint_copy, f"offsets/{entry}")
        remove(checkpoint_copy, f"commits/{entry}")
    is_sound(checkpoint_copy)


@pytest.mark.parametrize("is_deleted", [True, False], ids=["deleted", "damaged"])
def test_one_file_that_is_wrong_is_one_problem_with_its_consequences(checkpoint_copy: Path, is_deleted: bool) -> None:
    wrong = next((checkpoint_copy / "state/0/0").glob("2[._]*delta"))
    name = str(wrong.relative_to(checkpoint_copy))
    if is_deleted:
        remove(checkpoint_copy, name)
    else:
        overwrite(checkpoint_copy, name, b"\x00" * wrong.stat().st_size)
    (root,) = roots_of(Checkpoint(checkpoint_copy).verify())
    assert root.uri.endswith(name)
    assert root.consequences.startswith("Therefore 2 files after it cannot be loaded either, ")
    assert "the query cannot restart" in root.consequences
