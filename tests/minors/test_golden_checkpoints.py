"""A query that was begun on any Spark minor goes on with this one, or is refused; it never goes on wrongly.

The golden checkpoints are what Rockstate once wrote on each minor. Tests copy them; `make_golden` writes those of a new
minor, and never writes one anew.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import SparkSession
from tests.conftest import IS_WHOLE
from tests.integration.minors import MINOR
from tests.integration.streams import Output, run_to_end
from tests.integration.verification import is_sound, verified
from tests.minors.golden_queries import (
    BY_COLUMNS,
    CHECKSUMS,
    FORMAT,
    GOLDEN,
    GOLDEN_RUNS,
    JOIN_FORMAT,
    JOIN_FORMAT_4_ENABLED,
    KEY_ORDER,
    PLACE,
    QUERIES,
    ROW_CHECKSUMS,
    WITH_PATHS,
    Query,
    Row,
)

from rockstate.launch.versions import SUPPORTED_MINORS, is_since

SetConf = Callable[[str, str], None]

KNOWS_ROW_CHECKSUMS = is_since(MINOR, "4.2")
NEWEST_JOIN_FORMAT = 4 if is_since(MINOR, "4.2") else 3 if is_since(MINOR, "4.1") else 2


@dataclass(frozen=True)
class Golden:
    """A golden checkpoint: the minor that wrote it, its query and its checkpoint format."""

    folder: Path

    @property
    def minor(self) -> str:
        return self.folder.parent.name

    @property
    def query(self) -> Query:
        return QUERIES[self.folder.name.rpartition("-f")[0]]

    @property
    def format(self) -> str:
        return self.folder.name.rpartition("-f")[2]

    def __str__(self) -> str:
        return f"{self.minor} {self.folder.name}"

    def copy(self, parent: Path) -> Path:
        """A copy to go on with."""
        copied = Path(shutil.copytree(self.folder, parent / "checkpoint"))
        for file in copied.glob(WITH_PATHS):
            file.write_text(file.read_text(encoding="utf-8").replace(PLACE, f"file:{copied}"), encoding="utf-8")
        return copied


def has_other_keys(golden: Golden) -> bool:
    """Whether Spark looks for this checkpoint's keys under others, and would take known rows for new ones."""
    ordered_by_spark = golden.query is BY_COLUMNS and is_since(golden.minor, "4.3")
    return ordered_by_spark and not is_since(MINOR, "4.3")


def joins_in_later_format(golden: Golden) -> bool:
    """Whether this Spark does not know the state format of the checkpoint's join."""
    return int(golden.query.confs.get(JOIN_FORMAT, "2")) > NEWEST_JOIN_FORMAT


NEEDED = "*" if IS_WHOLE or MINOR == "4.1" else "4.[!1]"
"""Those of 4.1 are much like those of 4.2."""

ALL = [Golden(folder) for folder in sorted(GOLDEN.glob(f"{NEEDED}/*"))]
WITH_CHECKSUMS = [golden for golden in ALL if golden.query is CHECKSUMS]
WITHOUT = [golden for golden in ALL if golden.query is not CHECKSUMS]
OTHER_KEYS = [golden for golden in WITHOUT if has_other_keys(golden)]
LATER_JOINS = [golden for golden in WITHOUT if joins_in_later_format(golden)]
READ = [golden for golden in WITHOUT if golden not in OTHER_KEYS + LATER_JOINS]


def each(goldens: list[Golden]) -> pytest.MarkDecorator:
    """The test runs once for each of these."""
    return pytest.mark.parametrize("golden", goldens, ids=str)


def go_on(spark: SparkSession, query: Query, checkpoint: Path) -> Output:
    """Runs the query twice; each run takes a batch of rows, and one without if the watermark has moved."""
    output = Output()
    for _ in range(2):
        run_to_end(output.writer(query.of(spark), "append"), str(checkpoint))
    return output


def expected_of(golden: Golden) -> list[Row]:
    """What the two runs emit that follow on the golden checkpoint."""
    return golden.query.emitted(GOLDEN_RUNS) + golden.query.emitted(GOLDEN_RUNS + 1)


def assert_goes_on(spark: SparkSession, golden: Golden, checkpoint: Path) -> None:
    """Fails unless the query emits the rows that it would have emitted without a change of minor, and stays sound."""
    before = len(is_sound(checkpoint).stores)
    output = go_on(spark, golden.query, checkpoint)
    assert Counter(output.rows()) == Counter(expected_of(golden)) != Counter()
    assert len(is_sound(checkpoint).stores) == before


def refusal(spark: SparkSession, golden: Golden, checkpoint: Path) -> str:
    """The error with which the query ends; fails if it runs, or leaves a batch behind."""
    commits = sorted((checkpoint / "commits").iterdir())
    with pytest.raises(StreamingQueryException) as failure:
        go_on(spark, golden.query, checkpoint)
    assert sorted(file for file in (checkpoint / "commits").iterdir() if not file.name.startswith(".")) == commits
    return str(failure.value)


def test_every_minor_has_golden_checkpoints() -> None:
    assert {folder.name for folder in GOLDEN.iterdir()} == set(SUPPORTED_MINORS)
    assert WITH_CHECKSUMS


@each(ALL)
def test_a_golden_checkpoint_has_snapshots_and_deltas_and_no_paths(golden: Golden) -> None:
    snapshots = {file.parent for file in golden.folder.rglob("*.snapshot")}
    assert snapshots == {file.parent for file in golden.folder.rglob("*.delta")} != set()
    assert not [file for file in golden.folder.rglob("*") if file.is_file() and b"file:/" in file.read_bytes()]


@each(READ)
def test_a_query_goes_on(spark: SparkSession, tmp_path: Path, with_conf: SetConf, golden: Golden) -> None:
    enabled = {JOIN_FORMAT_4_ENABLED: golden.query.confs.get(JOIN_FORMAT_4_ENABLED, "false")}
    for key, value in {**golden.query.run_confs, **enabled, FORMAT: golden.format}.items():
        with_conf(key, value)
    assert_goes_on(spark, golden, golden.copy(tmp_path))


@each(LATER_JOINS)
def test_a_join_in_a_later_format_is_refused(
    spark: SparkSession, tmp_path: Path, with_conf: SetConf, golden: Golden
) -> None:
    with_conf(FORMAT, golden.format)
    error = refusal(spark, golden, golden.copy(tmp_path))
    assert JOIN_FORMAT in error, error


@each(OTHER_KEYS)
def test_deduplication_by_many_columns_does_not_go_back_before_4_3(
    spark: SparkSession, tmp_path: Path, with_conf: SetConf, golden: Golden
) -> None:
    checkpoint = golden.copy(tmp_path)
    with_conf(FORMAT, golden.format)
    error = refusal(spark, golden, checkpoint)
    assert KEY_ORDER in error and "(c0, c1, c2, c3, c4, c5)" in error, error
    assert f"{checkpoint}/state/0/0/_metadata/schema" in error, error


@pytest.mark.skipif(MINOR == "4.0", reason="Spark 4.0 cannot read state in format 2: StatePartitionReader")
@each(OTHER_KEYS)
def test_its_state_can_be_read(spark: SparkSession, tmp_path: Path, with_conf: SetConf, golden: Golden) -> None:
    with_conf(FORMAT, golden.format)
    state = spark.read.format("statestore").load(str(golden.copy(tmp_path)))
    assert {row.key.c5 - row.key.c0 for row in state.collect()} == {5}


@each([golden for golden in WITHOUT if golden.query.name == "aggregation"])
def test_a_session_in_another_format_goes_on_in_the_querys(
    spark: SparkSession, tmp_path: Path, with_conf: SetConf, golden: Golden
) -> None:
    checkpoint = golden.copy(tmp_path)
    with_conf(FORMAT, "1" if golden.format == "2" else "2")
    assert_goes_on(spark, golden, checkpoint)
    commits = [file for file in (checkpoint / "commits").iterdir() if file.name.isdigit()]
    assert {file.read_text().splitlines()[0] for file in commits} == {f"v{golden.format}"}


@each([golden for golden in ALL if golden.query.name == "transform-with-timers"])
def test_a_copy_that_names_files_in_another_place_is_found_out(tmp_path: Path, golden: Golden) -> None:
    copied = golden.copy(tmp_path)
    is_sound(copied)
    moved = copied.rename(tmp_path / "moved")
    ((file, problem),) = verified(moved).items()
    assert file.startswith("state/0/_metadata/v2/")
    assert f"{copied}/state/0/_stateSchema/" in problem.problem


@pytest.mark.skipif(not KNOWS_ROW_CHECKSUMS, reason=f"Spark {MINOR} has no row checksums")
@each(WITH_CHECKSUMS)
def test_rows_with_checksums_go_on(spark: SparkSession, tmp_path: Path, with_conf: SetConf, golden: Golden) -> None:
    with_conf(FORMAT, golden.format)  # the offset log has the conf of the checksums
    assert_goes_on(spark, golden, golden.copy(tmp_path))


@pytest.mark.skipif(KNOWS_ROW_CHECKSUMS, reason=f"Spark {MINOR} has row checksums")
@each(WITH_CHECKSUMS)
def test_rows_with_checksums_are_refused_by_a_spark_without(
    spark: SparkSession, tmp_path: Path, with_conf: SetConf, golden: Golden
) -> None:
    with_conf(FORMAT, golden.format)
    with_conf(ROW_CHECKSUMS, "true")
    assert_names_row_checksums(refusal(spark, golden, golden.copy(tmp_path)))


@pytest.mark.skipif(not KNOWS_ROW_CHECKSUMS, reason=f"Spark {MINOR} has no row checksums")
@each(WITH_CHECKSUMS)
def test_rows_with_checksums_are_refused_where_the_log_says_there_are_none(
    spark: SparkSession, tmp_path: Path, with_conf: SetConf, golden: Golden
) -> None:
    checkpoint = golden.copy(tmp_path)
    with_conf(FORMAT, golden.format)
    for log in (checkpoint / "offsets").iterdir():
        version, metadata, *offsets = log.read_text(encoding="utf-8").splitlines()
        changed = json.loads(metadata)
        changed["conf"][ROW_CHECKSUMS] = "false"
        log.write_text("\n".join((version, json.dumps(changed), *offsets)), encoding="utf-8")
    assert_names_row_checksums(refusal(spark, golden, checkpoint))


def assert_names_row_checksums(error: str) -> None:
    """Fails unless the error names the conf, and a file of a store."""
    assert f"{ROW_CHECKSUMS}=true" in error and "plain rows" in error, error
    assert ".snapshot" in error or ".delta" in error, error
