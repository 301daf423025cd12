"""A query whose number of partitions is changed in place returns what it would have returned without."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from tests.conftest import IS_WHOLE
from tests.integration import cut_off
from tests.integration.logics import EveryOperation, Sessions
from tests.integration.minors import MINOR
from tests.integration.moves import PROVIDER, ROCKSDB_1, ROCKSDB_2, ROCKSTATE_1, ROCKSTATE_2, SetConf, Stop
from tests.integration.processors import Form
from tests.integration.state_model import Model
from tests.integration.streams import (
    TIMEOUT_SECONDS,
    EventFiles,
    Output,
    assert_same_rows,
    far_future_event,
    hours_of_events,
    run_to_end,
)
from tests.integration.test_join import STATE_FORMAT, STATE_FORMAT_4_ENABLED, Sides, hour, within_half_an_hour
from tests.integration.test_migrate import CHANGELOG, distinct, per_key, per_key_and_hour
from tests.integration.test_session import session_windows, sparse_hours
from tests.integration.test_transform_with_state import AVRO, ENCODING_KEY, PANDAS, ROWS, UNSAFE_ROW, by_key, operations
from tests.integration.verification import FORMAT, is_sound

from rockstate import Checkpoint
from rockstate.launch.versions import is_since
from rockstate.moving.move import PROVIDERS, Move

PARTITIONS = "spark.sql.shuffle.partitions"
NUMBERS = (4, 7, 2, 4)
"""Up, down, and up again: partitions 2 and 3 come back with files of their own of long ago."""
FEW = NUMBERS if IS_WHOLE else (2, 3, 2)
"""Where each partition takes a process of Python, or has many stores."""

pytestmark = pytest.mark.skipif(not is_since(MINOR, "4.2"), reason="Spark before 4.2 cannot write a store anew")

Write = Callable[[int], Any]


class InPlace:
    """A query whose checkpoint gets the next number of partitions before each of its runs but the first."""

    def __init__(self, spark: SparkSession, with_conf: SetConf, folder: Path) -> None:
        self.spark, self.with_conf, self.output = spark, with_conf, Output()
        self.checkpoint = folder / "checkpoint"

    def begin_on(self, stop: Stop) -> None:
        self.with_conf(PROVIDER, PROVIDERS[stop.provider])
        self.with_conf(FORMAT, str(stop.format))

    def run(
        self, write: Write, run: Callable[[Any, str], None] = run_to_end, numbers: tuple[int, ...] = NUMBERS
    ) -> list[Move]:
        """`write(n)` gives the query's writer for the n-th run."""
        self.with_conf(PARTITIONS, str(numbers[0]))
        moves = []
        for number, partitions in enumerate(numbers):
            if number > 0:
                moves.append(self.repartition(partitions))
            run(write(number), str(self.checkpoint))
            is_sound(self.checkpoint)
        return moves

    def repartition(self, partitions: int) -> Move:
        checkpoint = Checkpoint(self.checkpoint)
        before = last(self.checkpoint)
        its_format = str(self.spark.conf.get(FORMAT))
        self.with_conf(FORMAT, "2" if its_format == "1" else "1")  # the session's has no say
        moved = checkpoint.repartition_in_place(partitions)
        self.with_conf(FORMAT, its_format)
        assert moved.old == moved.new and moved.batch == before
        assert last(self.checkpoint) == before + 1
        assert {store.new_partitions for store in moved.stores} <= {1, partitions}
        assert not (self.checkpoint / "rockstate-repartition").exists()
        is_sound(self.checkpoint)
        return moved


def last(checkpoint: Path) -> int:
    """The last committed batch."""
    return max(int(path.name) for path in (checkpoint / "commits").iterdir() if path.name.isdecimal())


@pytest.fixture
def in_place(spark: SparkSession, with_conf: SetConf, tmp_path: Path) -> InPlace:
    with_conf(CHANGELOG, "true")
    return InPlace(spark, with_conf, tmp_path)


@pytest.fixture
def files(tmp_path: Path) -> EventFiles:
    return EventFiles(tmp_path / "events")


ON_EACH = [ROCKSTATE_1, ROCKSTATE_2, ROCKSDB_1, ROCKSDB_2]


@pytest.mark.parametrize("stop", ON_EACH if IS_WHOLE else [ROCKSTATE_1, ROCKSDB_2], ids=str)
def test_there_and_back(in_place: InPlace, files: EventFiles, stop: Stop) -> None:
    in_place.begin_on(stop)
    hours = hours_of_events(len(NUMBERS), per_hour=100)
    kept: dict[int, set[tuple[Any, ...]]] = {}

    def write(number: int) -> Any:
        if number > 0:
            kept[last(in_place.checkpoint)] = state(in_place.checkpoint)
        files.add(hours[number])
        return in_place.output.writer(per_key(files.stream(in_place.spark)), "update")

    moves = in_place.run(write)
    assert_same_rows(in_place.output.upserted(1), per_key(files.batch(in_place.spark)))
    assert [moved.rows for moved in moves] == [20, 20, 20]
    # Of batches before and after, each with the partitions that it had.
    for batch, rows in kept.items():
        assert state(in_place.checkpoint, batchId=batch) == rows
        assert len(rows) == 20
        assert counts(state(in_place.checkpoint, batchId=batch - 1)) == counts(rows)
    operator = Checkpoint(in_place.checkpoint).inspect().operators[0]
    assert operator.rows == (20 if stop.provider == "rockstate" else None)
    assert {store.partition for store in operator.stores if store.former} == {4, 5, 6}
    with pytest.raises(Py4JJavaError, match=r"\.(delta|changelog) does not exist"):
        Checkpoint(in_place.checkpoint).changes(moves[0].batch, moves[0].batch + 1).collect()


def state(checkpoint: Path, **options: Any) -> set[tuple[Any, ...]]:
    rows = Checkpoint(checkpoint).rows(**options).collect()
    return {(row.partition_id, row.key["key"], row.value["count"]) for row in rows}


def counts(rows: set[tuple[Any, ...]]) -> set[tuple[Any, ...]]:
    return {row[1:] for row in rows}


@pytest.mark.parametrize("stop", [ROCKSDB_1, ROCKSDB_2], ids=str)
def test_what_is_written_is_what_sparks_own_repartition_writes(
    in_place: InPlace, files: EventFiles, tmp_path: Path, stop: Stop
) -> None:
    in_place.begin_on(stop)
    files.add(hours_of_events(1, per_hour=100)[0])
    stream = files.stream(in_place.spark).withWatermark("time", "1 hour")
    run_to_end(in_place.output.writer(per_key(stream), "update"), str(in_place.checkpoint))
    theirs = Path(shutil.copytree(in_place.checkpoint, tmp_path / "theirs"))
    in_place.spark._jsparkSession.streamingCheckpointManager().repartition(str(theirs), 3, True)
    batch = in_place.repartition(3).batch + 1
    for log in ("offsets", "commits"):
        assert entry(in_place.checkpoint / log / str(batch)) == entry(theirs / log / str(batch))
    assert state(in_place.checkpoint) == state(theirs)
    assert names(in_place.checkpoint) == names(theirs)
    assert is_sound(theirs).last_committed == batch


def entry(file: Path) -> tuple[str, Any, list[str]]:
    """A log's entry, of checkpoint ids only how many there are."""
    version, metadata, *more = file.read_text().splitlines()
    parsed = json.loads(metadata)
    ids = parsed.get("stateUniqueIds", {})
    parsed["stateUniqueIds"] = {operator: [len(stores) for stores in found] for operator, found in ids.items()}
    return version, parsed, more


def names(checkpoint: Path) -> set[str]:
    """All files but table files, which have numbers of RocksDB's own."""
    return {name for name in cut_off.names(checkpoint) if "SSTs" not in name and not name.endswith(".crc")}


@pytest.mark.parametrize(
    ("transform", "stop"),
    [(per_key_and_hour, ROCKSTATE_2), (distinct, ROCKSTATE_1), *([(per_key_and_hour, ROCKSDB_2)] if IS_WHOLE else [])],
    ids=str,
)
def test_with_a_watermark(
    in_place: InPlace, files: EventFiles, transform: Callable[[DataFrame], DataFrame], stop: Stop
) -> None:
    in_place.begin_on(stop)
    events = [*hours_of_events(len(NUMBERS) - 1, per_hour=100), [far_future_event()]]

    def write(number: int) -> Any:
        again = events[number - 1] if transform is distinct and number > 0 else []
        files.add([*again, *events[number]])
        stream = transform(files.stream(in_place.spark).withWatermark("time", "1 hour"))
        return in_place.output.writer(stream, "append")

    in_place.run(write)
    emitted = [row for row in in_place.output.rows() if "end" not in row]
    assert_same_rows(emitted, transform(files.batch(in_place.spark).where("id >= 0")))


def test_state_without_a_key_stays_in_one_partition(in_place: InPlace, files: EventFiles) -> None:
    in_place.begin_on(ROCKSTATE_1)
    hours = hours_of_events(len(NUMBERS), per_hour=50)

    def write(number: int) -> Any:
        files.add(hours[number])
        return in_place.output.writer(files.stream(in_place.spark).groupBy().agg(F.count("*")), "complete")

    moves = in_place.run(write)
    assert {store.new_partitions for moved in moves for store in moved.stores} == {1}
    batches = in_place.output.batches
    assert batches[max(batches)] == [(50 * len(NUMBERS),)]


@pytest.mark.parametrize("stop", [ROCKSTATE_1, *([ROCKSTATE_2] if IS_WHOLE else [])], ids=str)
def test_with_databases_that_stores_left_on_the_local_disk(
    in_place: InPlace, files: EventFiles, tmp_path: Path, stop: Stop
) -> None:
    in_place.begin_on(stop)
    rockstate = "spark.sql.streaming.stateStore.rockstate."
    in_place.with_conf(f"{rockstate}warmRestartDisk", "1g")
    in_place.with_conf(f"{rockstate}warmRestartFolder", str(tmp_path / "databases"))
    hours = hours_of_events(len(NUMBERS), per_hour=50)

    def write(number: int) -> Any:
        if number == 2:  # the same version twice, of which the first is taken back
            in_place.repartition(7)
            Checkpoint(in_place.checkpoint).rollback(last(in_place.checkpoint) - 1)
        files.add(hours[number])
        return in_place.output.writer(per_key(files.stream(in_place.spark)), "update")

    in_place.run(write)
    assert_same_rows(in_place.output.upserted(1), per_key(files.batch(in_place.spark)))


@pytest.mark.parametrize(
    ("how", "state_format", "stop"),
    [
        ("left_outer", "2", ROCKSTATE_1),
        *([("full_outer", "4", ROCKSTATE_2), ("inner", "3", ROCKSDB_1)] if IS_WHOLE else []),
    ],
)
def test_joins(in_place: InPlace, tmp_path: Path, how: str, state_format: str, stop: Stop) -> None:
    in_place.begin_on(stop)
    in_place.with_conf(STATE_FORMAT, state_format)
    in_place.with_conf(STATE_FORMAT_4_ENABLED, "true")
    sides, join = Sides(tmp_path / "events"), within_half_an_hour(how)

    def write(number: int) -> Any:
        if number < len(FEW) - 1:
            sides.add(hour(number, first_id=0), hour(number, first_id=10_000))
        else:
            sides.add([far_future_event()], [far_future_event()])
        return in_place.output.writer(join(*sides.streams(in_place.spark)), "append")

    in_place.run(write, numbers=FEW)
    emitted = [row for row in in_place.output.rows() if row[0] != -1]
    assert_same_rows(emitted, join(*sides.tables(in_place.spark)))


@pytest.mark.parametrize(
    ("form", "encoding", "stop"),
    [(PANDAS, UNSAFE_ROW, ROCKSTATE_2), *([(ROWS, AVRO, ROCKSDB_1), (ROWS, AVRO, ROCKSTATE_1)] if IS_WHOLE else [])],
)
def test_timers_fire_afterwards(in_place: InPlace, files: EventFiles, form: Form, encoding: str, stop: Stop) -> None:
    in_place.begin_on(stop)
    in_place.with_conf(ENCODING_KEY, encoding)
    events = [*sparse_hours(), [far_future_event()]]
    end = len(FEW) - 1

    def write(number: int) -> Any:
        for more in events[number : None if number == end else number + 1]:
            files.add(more)
        timed = files.stream(in_place.spark).withWatermark("time", "1 hour").withColumn("at", F.unix_millis("time"))
        grouped = timed.select("key", "time", "at", "value").groupBy("key")
        ended = form.run(grouped, Sessions(20 * 60 * 1000), "eventTime")
        columns = (F.timestamp_millis("start"), F.timestamp_millis("end"), "key", "count", "total")
        return in_place.output.writer(ended.select(*columns), "append")

    in_place.run(write, numbers=FEW)
    assert_same_rows(in_place.output.rows(), session_windows(files.batch(in_place.spark).where("id >= 0")))
    moved = in_place.repartition(3)
    assert '"numPartitions":3' in (in_place.checkpoint / f"state/0/_metadata/v2/{moved.batch + 1}").read_text()


@pytest.mark.parametrize("stop", [ROCKSTATE_1, *([ROCKSTATE_2, ROCKSDB_2] if IS_WHOLE else [])], ids=str)
def test_lists_and_maps_with_ttl_expire_afterwards(in_place: InPlace, files: EventFiles, stop: Stop) -> None:
    in_place.begin_on(stop)
    logic, spark, output = EveryOperation(2000), in_place.spark, in_place.output
    model, given = Model(logic), {}

    def write(number: int) -> Any:
        given[number] = operations(number, count=60, keys=6)
        files.add(given[number])
        start = spark.createDataFrame([("nobody", 7)], "key string, n bigint").groupBy("key")
        grouped = files.stream(spark).select("key", "id", "value").groupBy("key")
        return output.writer(PANDAS.run(grouped, logic, "processingTime", start), "append")

    def once(writer: Any, checkpoint: str) -> None:
        query = writer.option("checkpointLocation", checkpoint).trigger(once=True).start()
        assert query.awaitTermination(TIMEOUT_SECONDS)

    in_place.run(write, once, numbers=FEW)
    assert len(output.batches) == len(FEW)
    for number, (batch, emitted) in enumerate(sorted(output.batches.items())):
        now = max(row[0] for row in emitted if row[0] is not None)
        if number == 0:
            model.start_with({"nobody": [(7,)]}, now)
        assert Counter(emitted) == Counter(model.run(by_key(given[number]), now)), f"batch {batch}"
    assert any("expired" in row[2] for row in output.rows())
