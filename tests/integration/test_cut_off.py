"""What is cut off anywhere leaves the old checkpoint as it was, and the same command brings it to its end."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.conftest import IS_WHOLE
from tests.integration.cut_off import FinishedQuery, cut_off, stopped_at
from tests.integration.making import (
    BOOTSTRAP,
    EXPORT,
    FORK,
    MIGRATE,
    REPARTITION,
    TO_HDFS,
    TO_ROCKSDB,
    Asked,
)
from tests.integration.minors import MINOR
from tests.integration.moves import ROCKSDB_2, SetConf, Travelling
from tests.integration.streams import Output
from tests.integration.test_join import STATE_FORMAT, STATE_FORMAT_4_ENABLED, Sides, hour, within_half_an_hour
from tests.integration.verification import FORMAT
from tests.quick_spark import LOCAL_FILES

from rockstate import Checkpoint, RockstateError
from rockstate.launch.versions import is_since

SOME = 5
"""At so many of all calls it is cut off, and at the last three, unless at each."""
FIRST_CALLS = 10
"""Enough to have cleared what an earlier run left."""

pytestmark = [
    pytest.mark.skipif(not is_since(MINOR, "4.2"), reason="Spark before 4.2 cannot write a store anew"),
    pytest.mark.skipif(not LOCAL_FILES.is_file(), reason="`make` has not built the local files that stop at a call"),
]


@pytest.fixture(scope="module")
def query(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> FinishedQuery:
    return FinishedQuery(spark, tmp_path_factory.mktemp("finished"))


@pytest.fixture
def new(tmp_path: Path) -> Path:
    return tmp_path / "new"


def some(calls: int, count: int = SOME) -> list[int]:
    return list(range(calls)) if IS_WHOLE else sorted({*range(0, calls, calls // count), *range(calls - 3, calls)})


def whole_run(spark: SparkSession, asked: Asked, query: FinishedQuery, new: Path) -> tuple[object, list[str]]:
    """What nothing cuts off, and its calls."""
    with cut_off(spark, new, calls=1_000_000) as calls:
        made = asked.run(query.checkpoint, new)
    return made, calls


ALL = [MIGRATE, REPARTITION, FORK, BOOTSTRAP, EXPORT, *([TO_ROCKSDB, TO_HDFS] if IS_WHOLE else [])]


@pytest.mark.parametrize("asked", ALL, ids=str)
def test_wherever_it_is_cut_off(spark: SparkSession, query: FinishedQuery, asked: Asked, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    asked.run(query.checkpoint, tmp_path / "first")  # what is made once is made by now
    made, calls = whole_run(spark, asked, query, whole)
    assert len(calls) > 30
    for call in some(len(calls), SOME if asked in (MIGRATE, REPARTITION) else 3):
        new = tmp_path / f"cut-off-{call}"
        with cut_off(spark, new, call) as done, pytest.raises(RockstateError):
            asked.run(query.checkpoint, new)
        assert len(done) == call
        asked.is_left_well(query, new)
        asked.ends_well(query, new, (made, whole))


def test_what_was_cut_off_is_cut_off_again(spark: SparkSession, query: FinishedQuery, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    made, calls = whole_run(spark, MIGRATE, query, whole)
    for call in some(FIRST_CALLS):
        new = tmp_path / f"cut-off-{call}"
        for let_through in (len(calls) - 10, call):
            with cut_off(spark, new, let_through), pytest.raises(RockstateError):
                MIGRATE.run(query.checkpoint, new)
        MIGRATE.is_left_well(query, new)
        MIGRATE.ends_well(query, new, (made, whole))


BY_DEFAULT = [
    (MIGRATE, "in the middle of reading back"),
    (EXPORT, "in the middle of the job's commit"),
]
EVERY = [(asked, place) for asked in (MIGRATE, REPARTITION, FORK, BOOTSTRAP, EXPORT) for place in asked.places]


@pytest.mark.slow
@pytest.mark.parametrize(("asked", "place"), EVERY if IS_WHOLE else BY_DEFAULT, ids=str)
def test_a_killed_process(query: FinishedQuery, asked: Asked, place: str, new: Path, tmp_path: Path) -> None:
    with stopped_at(asked.places[place], asked.command(query.checkpoint, new), new) as process:
        process.kill()
    asked.is_left_well(query, new)
    whole = tmp_path / "whole"
    asked.ends_well(query, new, (asked.run(query.checkpoint, whole), whole))
    if asked is not EXPORT:
        query.goes_on(new)


@pytest.mark.slow
def test_ctrl_c_cancels_the_job(query: FinishedQuery, new: Path, tmp_path: Path) -> None:
    place = MIGRATE.places["in the middle of a store's file"]
    with stopped_at(place, MIGRATE.command(query.checkpoint, new), new) as process:
        process.interrupt()
        said = f"rockstate: cancelled. What it has written to {new} is unfinished: no query starts on that"
        assert process.ended() == (130, said)
    MIGRATE.is_left_well(query, new)
    whole = tmp_path / "whole"
    MIGRATE.ends_well(query, new, (MIGRATE.run(query.checkpoint, whole), whole))


def test_the_query_goes_on_from_what_was_started_over(
    spark: SparkSession, query: FinishedQuery, with_conf: SetConf, new: Path
) -> None:
    with cut_off(spark, new, calls=40), pytest.raises(RockstateError):
        TO_ROCKSDB.run(query.checkpoint, new)
    TO_ROCKSDB.run(query.checkpoint, new)
    with_conf(FORMAT, "1")
    query.goes_on(new)


@pytest.mark.slow
def test_a_batch_that_is_committed_while_a_move_begins_is_not_left_behind(
    query: FinishedQuery, new: Path, tmp_path: Path
) -> None:
    old = Path(shutil.copytree(query.checkpoint, tmp_path / "old"))
    with stopped_at("open state/0/0/_metadata/schema", MIGRATE.command(old, new), old) as process:
        query.run(old, Output())
        process.go_on()
        code, said = process.ended()
    assert code == 1 and "The query went on while its checkpoint was moved" in said, said
    assert not (new / "metadata").exists()


def test_reading_what_spark_begins_to_write_as_it_opens_it_changes_nothing(
    spark: SparkSession, with_conf: SetConf, tmp_path: Path
) -> None:
    """Its RocksDB provider begins the next version's file with every store with families that it opens to write."""
    for conf in (STATE_FORMAT_4_ENABLED, "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled"):
        with_conf(conf, "true")
    with_conf(STATE_FORMAT, "3")
    travelling = Travelling(spark, with_conf, tmp_path)
    sides, join = Sides(tmp_path / "events"), within_half_an_hour("left_outer")
    sides.add(hour(0, first_id=0), hour(0, first_id=10_000))
    travelling.run([ROCKSDB_2], lambda _: travelling.output.writer(join(*sides.streams(spark)), "append"))
    old = travelling.at(0)
    with cut_off(spark, old, calls=1_000_000) as calls:
        assert Checkpoint(old).export(tmp_path / "rows").rows > 0
        assert Checkpoint(old).migrate(tmp_path / "new", "rockstate").rows > 0
    assert calls == []
