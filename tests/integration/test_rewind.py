"""A checkpoint that is forked or rolled back goes on as the query did from that batch on."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from tests.conftest import IS_WHOLE
from tests.integration.cut_off import contents
from tests.integration.minors import MINOR
from tests.integration.moves import PROVIDER, SetConf
from tests.integration.processors import Form
from tests.integration.rewinds import (
    HOURS,
    MIN_DELTAS,
    Joins,
    Operations,
    Query,
    Timers,
    Windows,
    emitted,
    finished,
    goes_on,
    run,
)
from tests.integration.streams import Output, assert_same_rows
from tests.integration.test_transform_with_state import AVRO, ENCODING_KEY, PANDAS, ROWS, UNSAFE_ROW
from tests.integration.verification import FORMAT, is_sound, is_sound_copy

from rockstate import Checkpoint, Misuse, NotFound, RockstateError, Unsupported
from rockstate.launch.versions import is_since
from rockstate.moving.move import PROVIDERS


@pytest.fixture(autouse=True)
def snapshots_come_soon(with_conf: SetConf) -> None:
    with_conf(MIN_DELTAS, "2")


@pytest.mark.parametrize(
    ("make", "form", "batches"),
    [
        *([(Windows, form, [0, 1, 2, HOURS]) for form in ("1", "2")] if IS_WHOLE else []),
        *((Windows, "1", [0]), (Windows, "2", [2, HOURS]), (Joins, "1", [2]), (Timers, "2", [3])),
    ],
)
def test_what_goes_on_after_any_batch_emits_what_the_query_did(
    spark: SparkSession,
    with_conf: SetConf,
    tmp_path: Path,
    make: Callable[[SparkSession, Path], Query],
    form: str,
    batches: list[int],
) -> None:
    with_conf(FORMAT, form)
    query, output = make(spark, tmp_path), Output()
    old = finished(query, tmp_path, output)
    before = contents(old)
    last = max(output.batches)
    assert_same_rows(emitted(output), query.table())
    for batch in batches:
        new = tmp_path / f"fork-{batch}"
        forked = Checkpoint(old).fork(new, batch=batch)
        assert contents(old) == before
        assert (forked.batch, forked.provider) == (batch, PROVIDERS["rockstate"])
        assert forked.query_id is not None and forked.query_id not in (old / "metadata").read_text()
        assert all(each.files > 0 and each.size > 0 for each in forked.operators)
        is_sound(new)
        goes_on(query, new, output, batch)
    for batch in batches:
        here = Path(shutil.copytree(old, tmp_path / f"back-{batch}"))
        rolled_back = Checkpoint(here).rollback(batch)
        assert (rolled_back.batch, rolled_back.last_committed) == (batch, last)
        is_sound_copy(here)
        goes_on(query, here, output, batch)


def test_the_first_batch_that_is_kept_is_one_to_go_back_to(
    spark: SparkSession, with_conf: SetConf, tmp_path: Path
) -> None:
    with_conf("spark.sql.streaming.minBatchesToRetain", "2")
    query, output = Windows(spark, tmp_path), Output()
    old = finished(query, tmp_path, output)  # to which no maintenance adds a snapshot
    kept = sorted(int(path.name) for path in (old / "commits").glob("[0-9]*"))
    first = kept[0]
    assert first > 0 and len(kept) > 1
    before = contents(old)
    with pytest.raises(Misuse, match=f"Batch {first - 1} is not kept any more; the first one that is, is {first}"):
        Checkpoint(old).fork(tmp_path / "none", batch=first - 1)
    with pytest.raises(Misuse, match=f"Batch {first - 1} is not kept any more"):
        Checkpoint(old).rollback(first - 1)
    assert contents(old) == before
    Checkpoint(old).fork(tmp_path / "new", batch=first)
    goes_on(query, tmp_path / "new", output, first)
    Checkpoint(old).rollback(first)
    goes_on(query, old, output, first)


@pytest.mark.parametrize(
    ("form", "confs", "batches"),
    [
        (PANDAS, {ENCODING_KEY: UNSAFE_ROW, FORMAT: "1"}, [0, 1, 2] if IS_WHOLE else [1]),
        *([(ROWS, {ENCODING_KEY: AVRO, FORMAT: "2"}, [0, 1, 2])] if IS_WHOLE else []),
    ],
    ids=["pandas, 1", *(["rows, Avro, 2"] if IS_WHOLE else [])],
)
def test_ttl_and_timers_after_any_batch(
    spark: SparkSession,
    with_conf: SetConf,
    tmp_path: Path,
    form: Form,
    confs: dict[str, str],
    batches: list[int],
) -> None:
    for key, value in confs.items():
        with_conf(key, value)
    query, old = Operations(spark, tmp_path, form), tmp_path / "old"
    query.begin(old)
    for batch in batches:
        if IS_WHOLE:
            Checkpoint(old).fork(tmp_path / f"fork-{batch}", batch=batch)
            query.goes_on(tmp_path / f"fork-{batch}", batch)
        if batch < query.BATCHES - 1:
            here = Path(shutil.copytree(old, tmp_path / f"back-{batch}"))
            Checkpoint(here).rollback(batch)
            is_sound_copy(here)
            query.goes_on(here, batch)


@pytest.mark.parametrize("provider", ["hdfs", "rocksdb"] if IS_WHOLE else ["rocksdb"])
def test_sparks_own_providers(spark: SparkSession, with_conf: SetConf, tmp_path: Path, provider: str) -> None:
    with_conf(PROVIDER, PROVIDERS[provider])
    with_conf(FORMAT, "1")
    query, old, output = Windows(spark, tmp_path), tmp_path / "old", Output()
    run(query, old, output)
    if is_since(MINOR, "4.2"):
        forked = Checkpoint(old).fork(tmp_path / "new", batch=2)
        assert sum(family.rows for family in forked.totals) > 0
        goes_on(query, tmp_path / "new", output, 2)
    else:
        with pytest.raises(Unsupported, match=r"Spark 4\.2 or 4\.3"):
            Checkpoint(old).fork(tmp_path / "new", batch=2)
    a_torn_file_is_refused(Path(shutil.copytree(old, tmp_path / "torn")))
    Checkpoint(old).rollback(2)
    goes_on(query, old, output, 2)
    for file in (old / "state/0/1").glob("2.*"):
        file.unlink()
    with pytest.raises(NotFound, match="version 2 cannot be loaded"):
        Checkpoint(old).rollback(1)


def a_torn_file_is_refused(checkpoint: Path) -> None:
    """Before anything moves: the names of files say nothing of what is in them."""
    for file in (checkpoint / "state/0/1").glob("[123].*"):
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
        file.with_name(f".{file.name}.crc").unlink(missing_ok=True)
    before = contents(checkpoint)
    with pytest.raises(RockstateError, match=r"cannot be read in partition 1"):
        Checkpoint(checkpoint).rollback(2)
    assert contents(checkpoint) == before


def test_a_query_that_runs_is_forked(spark: SparkSession, with_conf: SetConf, tmp_path: Path) -> None:
    with_conf("spark.sql.streaming.minBatchesToRetain", "3")
    old = tmp_path / "old"
    more = spark.readStream.format("rate").option("rowsPerSecond", 50).load().groupBy(F.col("value") % 7).count()
    running = more.writeStream.outputMode("complete").format("noop").option("checkpointLocation", str(old)).start()
    try:
        while not (running.lastProgress and running.lastProgress["batchId"] >= 3):
            assert running.isActive
        for number in range(5):
            new = tmp_path / f"new-{number}"
            forked = Checkpoint(old).fork(new)
            is_sound(new)
            assert forked.batch == max(int(path.name) for path in (new / "commits").iterdir() if path.name.isdecimal())
    finally:
        running.stop()
