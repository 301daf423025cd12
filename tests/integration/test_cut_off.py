"""A move that is cut off anywhere leaves the old checkpoint as it was, and the same command brings it to its end."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.conftest import IS_WHOLE, LOCAL_FILES
from tests.integration.cut_off import (
    HOURS,
    MIGRATE,
    REPARTITION,
    TO_HDFS,
    TO_ROCKSDB,
    Asked,
    FinishedQuery,
    cut_off,
    ends_well,
    is_left_well,
    stopped_at,
)
from tests.integration.minors import MINOR
from tests.integration.moves import SetConf
from tests.integration.verification import FORMAT

from rockstate import RockstateError
from rockstate.launch.versions import is_since
from rockstate.moving.move import Move

SOME = 5
"""So many of all calls a move is cut off at, and at the last three, unless at each."""
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


def some(calls: int) -> list[int]:
    return list(range(calls)) if IS_WHOLE else sorted({*range(0, calls, calls // SOME), *range(calls - 3, calls)})


def whole_move(spark: SparkSession, asked: Asked, query: FinishedQuery, new: Path) -> tuple[Move, list[str]]:
    """A move that nothing cuts off, and its calls."""
    with cut_off(spark, new, calls=1_000_000) as calls:
        moved = asked.run(query.checkpoint, new)
    return moved, calls


@pytest.mark.parametrize("asked", [MIGRATE, REPARTITION, *([TO_ROCKSDB, TO_HDFS] if IS_WHOLE else [])], ids=str)
def test_wherever_a_move_is_cut_off(spark: SparkSession, query: FinishedQuery, asked: Asked, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    moved, calls = whole_move(spark, asked, query, whole)
    assert len(calls) > 40
    for call in some(len(calls)):
        new = tmp_path / f"cut-off-{call}"
        with cut_off(spark, new, call) as done, pytest.raises(RockstateError):
            asked.run(query.checkpoint, new)
        assert len(done) == call
        is_left_well(query, new)
        ends_well(asked, query, new, (moved, whole))


def test_what_was_cut_off_is_cut_off_again(spark: SparkSession, query: FinishedQuery, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    moved, calls = whole_move(spark, MIGRATE, query, whole)
    for call in some(FIRST_CALLS):
        new = tmp_path / f"cut-off-{call}"
        for let_through in (len(calls) - 10, call):
            with cut_off(spark, new, let_through), pytest.raises(RockstateError):
                MIGRATE.run(query.checkpoint, new)
        is_left_well(query, new)
        ends_well(MIGRATE, query, new, (moved, whole))


STORE = "state/0/[01]/(?!_metadata).*"
PLACES = {
    "before the mark": "create rockstate-unfinished",
    "before the first offsets": "mkdir offsets",
    "after the offsets": "mkdir state",
    "after the operator's metadata": "create state/0/0/_metadata/schema",
    "before the first store": f"create {STORE}",
    "in the middle of writing stores": f"rename {STORE}",
    "in the middle of a store's file": f"create {STORE} then write {STORE}",
    "after the rows": "mkdir sources",
    "before the commit": f"create commits/{HOURS}",
    "in the middle of the commit": f"write commits/{HOURS}",
    "before reading back": f"write commits/{HOURS} then open {STORE}",
    "in the middle of reading back": f"write commits/{HOURS} then open {STORE} then open {STORE}",
    "before the metadata": "create rockstate-last",
    "before the metadata are renamed": "rename metadata",
    "before the mark goes": "delete rockstate-unfinished",
}
KILLS = [
    (asked, name)
    for asked in (MIGRATE, REPARTITION)
    for name in PLACES
    if IS_WHOLE or (asked, name) in ((MIGRATE, "in the middle of reading back"), (REPARTITION, "before the commit"))
]


@pytest.mark.slow
@pytest.mark.parametrize(("asked", "place"), KILLS, ids=str)
def test_a_killed_process(query: FinishedQuery, asked: Asked, place: str, new: Path, tmp_path: Path) -> None:
    with stopped_at(PLACES[place], asked, query.checkpoint, new) as process:
        process.kill()
    is_left_well(query, new)
    whole = tmp_path / "whole"
    ends_well(asked, query, new, (asked.run(query.checkpoint, whole), whole))
    query.goes_on(new)


@pytest.mark.slow
def test_ctrl_c_cancels_the_job(query: FinishedQuery, new: Path, tmp_path: Path) -> None:
    with stopped_at(PLACES["in the middle of a store's file"], MIGRATE, query.checkpoint, new) as process:
        process.interrupt()
        assert process.ended() == (130, f"rockstate: cancelled. {new} is left unfinished")
    is_left_well(query, new)
    whole = tmp_path / "whole"
    ends_well(MIGRATE, query, new, (MIGRATE.run(query.checkpoint, whole), whole))


def test_the_query_goes_on_from_what_was_started_over(
    spark: SparkSession, query: FinishedQuery, with_conf: SetConf, new: Path
) -> None:
    with cut_off(spark, new, calls=40), pytest.raises(RockstateError):
        TO_ROCKSDB.run(query.checkpoint, new)
    TO_ROCKSDB.run(query.checkpoint, new)
    with_conf(FORMAT, "1")
    query.goes_on(new)
