"""The checkpoint that a query has before it has read anything: by its DataFrame, and by its program."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from tests.integration.minors import MINOR
from tests.integration.moves import PROVIDER, SetConf
from tests.integration.streams import EventFiles, Output, assert_same_rows, hours_of_events, run_to_end
from tests.integration.test_bootstrap import AGGREGATION, Backfill, columns, per_key_and_hour
from tests.integration.test_join import Sides, hour, within_half_an_hour
from tests.integration.verification import FORMAT, is_sound

from rockstate import Checkpoint, Misuse, NotFound
from rockstate.cli import main
from rockstate.launch.versions import is_since
from rockstate.moving.move import PROVIDERS
from rockstate.moving.program import Begun, Program

since_42 = pytest.mark.skipif(not is_since(MINOR, "4.2"), reason="Spark before 4.2 cannot write a store anew")


@pytest.fixture
def files(tmp_path: Path) -> EventFiles:
    """Two hours of events."""
    files = EventFiles(tmp_path / "events")
    for events in hours_of_events(2, per_hour=40):
        files.add(events)
    return files


def counts(events: DataFrame) -> DataFrame:
    return events.groupBy("key").count()


@since_42
@pytest.mark.parametrize("provider", ["rockstate", "hdfs"])
def test_a_query_with_history_begins_to_read_where_its_program_says(
    spark: SparkSession, tmp_path: Path, with_conf: SetConf, provider: str
) -> None:
    with_conf(PROVIDER, PROVIDERS[provider])
    if provider == "hdfs":
        with_conf(FORMAT, "1")
    backfill, new = Backfill(spark, tmp_path), tmp_path / "new"
    result = columns(per_key_and_hour(backfill.events()))
    value = "struct(count(1) count, coalesce(sum(cast(value AS double)), 0D) sum, count(value) count_2)"
    counted = (
        backfill.history().groupBy(F.window("time", "1 hour").alias("window"), "key").agg(F.expr(value).alias("value"))
    )
    begun = Checkpoint.begin(tmp_path / "begun", result)
    made = begun.bootstrap(new, {AGGREGATION: counted.select(F.struct("key", "window").alias("key"), "value")})
    assert (made.new_provider, made.rows) == (PROVIDERS[provider], counted.count())
    if provider == "rockstate":
        is_sound(begun.path)
        is_sound(new)
    output = backfill.go_on(result, "append", new)
    emitted = [row for row in output.rows() if "end" not in row]
    assert_same_rows(emitted, columns(per_key_and_hour(backfill.everything())))


def test_a_query_goes_on_from_nothing_as_if_it_were_new(spark: SparkSession, files: EventFiles, tmp_path: Path) -> None:
    result, output = counts(files.stream(spark)), Output()
    begun = Checkpoint.begin(tmp_path / "begun", result, "update")
    assert [line for line in (tmp_path / "begun/offsets/0").read_text().splitlines()[2:]] == ["-"]
    run_to_end(output.writer(result, "update"), begun.path)
    assert_same_rows(output.upserted(1), counts(files.batch(spark)))


def test_streams_that_come_twice_and_joins(spark: SparkSession, tmp_path: Path) -> None:
    sides, join, output = Sides(tmp_path / "events"), within_half_an_hour("inner"), Output()
    sides.add(hour(0, first_id=0), hour(0, first_id=10_000))
    result = join(*sides.streams(spark))
    run_to_end(output.writer(result, "append"), Checkpoint.begin(tmp_path / "join", result).path)
    assert_same_rows(output.rows(), join(*sides.tables(spark)))
    rates = spark.readStream.format("rate").load()
    twice = rates.union(rates).groupBy("value").count()
    begun = Path(Checkpoint.begin(tmp_path / "twice", twice, "complete").path)
    entry = (begun / "offsets/0").read_text().splitlines()
    query = twice.writeStream.format("noop").outputMode("complete").option("checkpointLocation", str(begun)).start()
    query.processAllAvailable()
    query.stop()
    assert query.exception() is None
    assert len((begun / "offsets/1").read_text().splitlines()) == len(entry)


class TestRefusals:
    def refused(self, location: Path, result: DataFrame, mode: str, why: str) -> None:
        with pytest.raises(Misuse, match=why):
            Checkpoint.begin(location, result, mode)

    def test_what_has_no_state(self, spark: SparkSession, files: EventFiles, tmp_path: Path) -> None:
        new, events = tmp_path / "new", files.stream(spark)
        self.refused(new, events, "append", "keeps no state")
        self.refused(new, counts(files.batch(spark)), "update", "is no stream")
        self.refused(new, counts(events), "append", "does not start: .*[Aa]ppend")
        assert not new.exists()

    def test_a_folder_that_is_not_empty(self, spark: SparkSession, files: EventFiles, tmp_path: Path) -> None:
        self.refused(tmp_path, counts(files.stream(spark)), "update", "is not empty")
        assert (tmp_path / "events").is_dir()


TWO_QUERIES = """
import sys
from pyspark.sql import SparkSession
from other import SCHEMA
spark = SparkSession.builder.getOrCreate()
events = spark.readStream.schema(SCHEMA).json(sys.argv[1])
def never(batch, number):
    raise AssertionError("the sink was written")
copied = events.writeStream.format("parquet").option("checkpointLocation", sys.argv[2]).start(sys.argv[2])
keys = events.groupBy("key").count().writeStream.foreachBatch(never).outputMode(outputMode="complete")
keys = keys.queryName(queryName="keys").option("checkpointLocation", sys.argv[2]).start()
if WAIT:
    keys.awaitTermination()
distinct = events.select("value").dropDuplicates().writeStream
distinct.toTable("distinct", "parquet", "append", queryName="distinct")
while True:
    try:
        spark.streams.awaitAnyTermination()
    except Exception:
        raise AssertionError("the program went on")
"""


class TestProgram:
    @pytest.fixture
    def program(self, spark: SparkSession, files: EventFiles, tmp_path: Path) -> Program:
        (tmp_path / "app.py").write_text(TWO_QUERIES.replace("WAIT", "False"))
        (tmp_path / "other.py").write_text("SCHEMA = 'id bigint, time timestamp, key string, value bigint'")
        out = tmp_path / "out"
        return Program(str(tmp_path / "app.py"), [str(tmp_path / "events"), str(out)], str(tmp_path / "new"), None)

    def test_only_the_query_that_is_named_is_begun(self, program: Program, tmp_path: Path) -> None:
        program.name = "keys"
        assert program.run() == Begun("keys", f"{tmp_path}/new-2")
        assert Checkpoint(tmp_path / "new-2").inspect().operators[0].name == "stateStoreSave"
        assert not (tmp_path / "out").exists()
        program.forget()
        assert not list(tmp_path.glob("new*"))

    def test_one_that_is_started_when_another_has_ended(self, program: Program, tmp_path: Path) -> None:
        app = Path(program.app)
        app.write_text(TWO_QUERIES.replace("WAIT", "True"))
        program.name = "3"
        assert program.run() == Begun("distinct", f"{tmp_path}/new-3")
        program.name, program.begun = None, []
        assert program.run().name == "keys"

    def test_a_mode_that_is_given_by_place_counts(self, program: Program) -> None:
        text = TWO_QUERIES.replace("WAIT", "False").replace('.outputMode(outputMode="complete")', "")
        Path(program.app).write_text(text.replace("sys.argv[2]).start()", 'sys.argv[2]).start(None, None, "complete")'))
        program.name = "keys"
        assert program.run().name == "keys"

    def test_several_queries_ask_for_a_name(self, program: Program) -> None:
        with pytest.raises(Misuse, match="several queries with state: keys, distinct"):
            program.run()
        program.name, program.begun = "words", []
        with pytest.raises(Misuse, match="starts 1, keys, distinct"):
            program.run()

    def test_programs_without_a_query(self, program: Program, tmp_path: Path) -> None:
        app = Path(program.app)
        for text, why in (
            ("print()", "no query with state"),
            ("import sys; sys.exit('wanted: a folder')", "wanted: a folder"),
        ):
            app.write_text(text)
            with pytest.raises(Misuse, match=why):
                program.run()
        app.unlink()
        with pytest.raises(NotFound, match="no program"):
            program.run()


def test_what_the_command_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for app in (["app.jar"], []):
        assert main(["bootstrap", str(tmp_path / "new"), "--query", *app]) == 2
        assert "There is no Python program" in capsys.readouterr().err
