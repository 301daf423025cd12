"""A query moves to a provider that neither Spark nor we have made, and back; one that loses rows is found out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from tests.integration.minors import MINOR
from tests.integration.moves import PROVIDER, ROCKSDB_1, ROCKSTATE_2, SetConf, Stop, Travelling
from tests.integration.streams import EventFiles, assert_same_rows, far_future_event, hours_of_events, run_to_end
from tests.integration.test_migrate import per_key_and_hour
from tests.integration.verification import FORMAT

from rockstate import Checkpoint, Damaged
from rockstate.launch.versions import is_since
from rockstate.moving.move import PROVIDERS

JAR = Path(__file__).parents[2] / "jvm/mutants/target/scala-2.13/rockstate-mutants.jar"
THEIRS = "io.rockstate.reference.ReferenceStoreProvider"

pytestmark = [
    pytest.mark.skipif(not is_since(MINOR, "4.2"), reason="Spark before 4.2 cannot write a store anew"),
    pytest.mark.skipif(MINOR == "4.3", reason="the providers for tests are built for Spark 4.2"),
    pytest.mark.skipif(not JAR.is_file(), reason="`make` has not built the providers for tests"),
]


@pytest.fixture(scope="module", autouse=True)
def jar(spark: SparkSession) -> None:
    spark.sql(f"ADD JAR '{JAR}'")


@pytest.fixture
def files(tmp_path: Path) -> EventFiles:
    return EventFiles(tmp_path / "events")


def test_there_and_back(spark: SparkSession, with_conf: SetConf, files: EventFiles, tmp_path: Path) -> None:
    with_conf("spark.sql.streaming.stateStore.commitValidation.enabled", "false")  # it reports none to Spark
    stops = (ROCKSDB_1, Stop(THEIRS, 1), 3, ROCKSTATE_2, Stop(THEIRS, 2), Stop("rocksdb", 2))
    travelling = Travelling(spark, with_conf, tmp_path)
    events = [*hours_of_events(len(stops) - 1, per_hour=100), [far_future_event()]]

    def write(number: int) -> Any:
        files.add(events[number])
        stream = per_key_and_hour(files.stream(spark).withWatermark("time", "1 hour"))
        return travelling.output.writer(stream, "append")

    moves = travelling.run(stops, write)
    emitted = [row for row in travelling.output.rows() if "end" not in row]
    assert_same_rows(emitted, per_key_and_hour(files.batch(spark).where("id >= 0")))
    assert all(moved.rows > 0 for moved in moves)


def test_one_that_loses_rows(spark: SparkSession, with_conf: SetConf, files: EventFiles, tmp_path: Path) -> None:
    with_conf(PROVIDER, PROVIDERS["rocksdb"])
    with_conf(FORMAT, "1")
    files.add(next(iter(hours_of_events(1, per_hour=100))))
    old, new = tmp_path / "old", tmp_path / "new"
    stream = per_key_and_hour(files.stream(spark).withWatermark("time", "1 hour"))
    run_to_end(stream.writeStream.outputMode("update").format("noop"), str(old))
    with pytest.raises(Damaged, match="has other rows in store default, column family default, than before"):
        Checkpoint(old).migrate(new, "io.rockstate.mutants.LosesLastChangeInDelta")
    assert (new / "rockstate-unfinished").is_file()
    assert not (new / "metadata").exists()
