"""State variables that a program does without: their rows come along, and are there for a program that has them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from pyspark.sql.streaming.readwriter import DataStreamWriter
from tests.conftest import IS_WHOLE
from tests.integration.logics import Former
from tests.integration.minors import MINOR
from tests.integration.moves import ROCKSDB_1, ROCKSDB_2, ROCKSTATE_1, ROCKSTATE_2, SetConf, Stop, Travelling
from tests.integration.processors import Form
from tests.integration.streams import TIMEOUT_SECONDS, EventFiles, Output, hours_of_events
from tests.integration.test_in_place import InPlace
from tests.integration.test_migrate import CHANGELOG
from tests.integration.test_transform_with_state import AVRO, ENCODING_KEY, PANDAS, ROWS, UNSAFE_ROW

from rockstate import Checkpoint, Unsupported
from rockstate.launch.versions import is_since

pytestmark = pytest.mark.skipif(not is_since(MINOR, "4.2"), reason="Spark before 4.2 cannot write a store anew")

FORMS = [(PANDAS, UNSAFE_ROW), (ROWS, AVRO)]
STOPS: Sequence[Stop | int] = (ROCKSTATE_2, ROCKSDB_1, 3, ROCKSTATE_1, 4)
VARIABLES = ("value", "list", "map", "ttl_value", "ttl_list", "ttl_map")
"""Those that only the first program has, and the last."""


class Programs:
    """A query that has all variables in its first run and in its last, and one of them in between."""

    def __init__(self, spark: SparkSession, form: Form, folder: Path, runs: int) -> None:
        self.spark, self.form, self.runs = spark, form, runs
        self.files = EventFiles(folder / "events")
        self.hours = hours_of_events(runs, per_hour=40)
        self.output = Output()

    def write(self, number: int) -> DataStreamWriter:
        self.files.add(self.hours[number])
        grouped = self.files.stream(self.spark).select("key", "id").groupBy("key")
        logic = Former(has_all=number in (0, self.runs - 1))
        return self.output.writer(self.form.run(grouped, logic, "processingTime"), "append")

    @property
    def emitted(self) -> dict[str | None, tuple[int, str]]:
        """By the last run, by key."""
        return {key: (n, others) for key, n, others in self.output.batches[max(self.output.batches)]}

    @property
    def expected(self) -> dict[str | None, tuple[int, str]]:
        counts = [Counter(event["key"] for event in events) for events in self.hours]
        found = {}
        for key in counts[-1]:
            n = sum(each[key] for each in counts)
            seen = [counts[0][key], n] if counts[0][key] else [n]
            pairs = [(each, each * each) for each in seen]
            found[key] = (n, str([(sum(seen),), (sum(seen),), seen, seen, pairs, pairs]))
        return found


def once(writer: DataStreamWriter, checkpoint: str) -> None:
    """With time of processing a query never runs out of batches by itself."""
    query = writer.option("checkpointLocation", checkpoint).trigger(once=True).start()
    assert query.awaitTermination(TIMEOUT_SECONDS)


@pytest.mark.parametrize(("form", "encoding"), FORMS if IS_WHOLE else FORMS[1:], ids=lambda each: str(each))
def test_come_along(spark: SparkSession, with_conf: SetConf, tmp_path: Path, form: Form, encoding: str) -> None:
    with_conf(CHANGELOG, "true")
    with_conf(ENCODING_KEY, encoding)
    programs = Programs(spark, form, tmp_path, len(STOPS))
    moves = Travelling(spark, with_conf, tmp_path).run(STOPS, programs.write, once)
    assert programs.emitted == programs.expected
    first = len({event["key"] for event in programs.hours[0]})
    for moved in moves:
        rows = {each.family: each.rows for each in moved.totals}
        assert {rows[variable] for variable in VARIABLES} == {first}


@pytest.mark.parametrize("stop", [ROCKSTATE_2, ROCKSDB_2] if IS_WHOLE else [ROCKSTATE_2], ids=str)
def test_stay_where_partitions_change_in_place(
    spark: SparkSession, with_conf: SetConf, tmp_path: Path, stop: Stop
) -> None:
    with_conf(CHANGELOG, "true")
    numbers = (2, 5, 3)
    programs = Programs(spark, ROWS, tmp_path, len(numbers))
    in_place = InPlace(spark, with_conf, tmp_path)
    in_place.begin_on(stop)
    in_place.run(programs.write, once, numbers)
    assert programs.emitted == programs.expected


def test_are_exported(spark: SparkSession, tmp_path: Path) -> None:
    programs = Programs(spark, ROWS, tmp_path, runs=3)
    checkpoint = tmp_path / "checkpoint"
    for number in (0, 1):
        once(programs.write(number), str(checkpoint))
    exported = Checkpoint(checkpoint).export(tmp_path / "tables")
    first = len({event["key"] for event in programs.hours[0]})
    paths = {table.family: table.path for table in exported.tables}
    for variable in VARIABLES:
        assert spark.read.parquet(str(tmp_path / "tables" / paths[variable])).count() == first


def test_without_their_schema_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    programs = Programs(spark, ROWS, tmp_path, runs=3)
    checkpoint = tmp_path / "checkpoint"
    for number in (0, 1):
        once(programs.write(number), str(checkpoint))
    forget_earlier_schemas(checkpoint)
    said = r"none of its schemas names: .*ttl_map, .*whose init\(\) calls deleteIfExists with their names"
    with pytest.raises(Unsupported, match=said):
        Checkpoint(checkpoint).migrate(tmp_path / "new", "rocksdb")
    with pytest.raises(Unsupported, match=rf"{said}.* go back with rockstate rollback {checkpoint} --batch 1\.$"):
        Checkpoint(checkpoint).repartition_in_place(3)
    Checkpoint(checkpoint).rollback(1)
    assert Checkpoint(checkpoint).verify().is_sound


def forget_earlier_schemas(checkpoint: Path) -> None:
    """The operator's metadata names no file but the last: as nobody leaves it but by hand."""
    newest = max((checkpoint / "state/0/_metadata/v2").glob("[0-9]*"), key=lambda path: int(path.name))
    version, content = newest.read_text(encoding="utf-8").split("\n", 1)
    metadata = json.loads(content)
    for store in metadata["stateStoreInfo"]:
        assert len(store["stateSchemaFilePaths"]) == 2
        del store["stateSchemaFilePaths"][0]
    newest.write_text(f"{version}\n{json.dumps(metadata)}", encoding="utf-8")
    newest.with_name(f".{newest.name}.crc").unlink()
