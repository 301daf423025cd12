"""What cannot be exported is refused; what was cut off has no manifest and is started over."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import StructType
from tests.integration.cut_off import contents
from tests.integration.moves import PROVIDER, SetConf
from tests.integration.streams import EventFiles, Output, hours_of_events, run_to_end
from tests.integration.test_export import export
from tests.integration.test_migrate import per_key_and_hour
from tests.integration.test_migrate_refusals import LAST
from tests.integration.verification import FORMAT, remove

from rockstate import Checkpoint, Damaged, Misuse, NotFound, Unreachable, Unsupported
from rockstate.cli import main
from rockstate.moving.move import PROVIDERS


@pytest.fixture(scope="module")
def finished(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkpoint of a finished query."""
    folder = tmp_path_factory.mktemp("finished")
    run(spark, folder)
    return folder / "checkpoint"


def run(spark: SparkSession, folder: Path) -> Path:
    files = EventFiles(folder / "events")
    for events in hours_of_events(LAST, per_hour=50):
        files.add(events)
    stream = files.stream(spark).withWatermark("time", "1 hour")
    run_to_end(Output().writer(per_key_and_hour(stream), "update"), str(folder / "checkpoint"))
    return folder / "checkpoint"


@pytest.fixture
def checkpoint_to_damage(finished: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(finished, tmp_path / "checkpoint"))


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def damage(file: Path) -> None:
    file.write_bytes(b"not this")
    file.with_name(f".{file.name}.crc").unlink(missing_ok=True)


def test_the_checkpoint_stays_as_it_is(spark: SparkSession, finished: Path, out: Path) -> None:
    before = contents(finished)
    export(spark, str(finished), out)
    assert contents(finished) == before


def test_an_earlier_batch(spark: SparkSession, finished: Path, out: Path) -> None:
    rows = export(spark, str(finished), out, batch=0).rows("to_json(key)", "to_json(value)")
    wanted = Checkpoint(finished).rows(batchId=0).selectExpr("to_json(key)", "to_json(value)").collect()
    assert rows and sorted(rows) == sorted(map(tuple, wanted))


EVERY_TYPE = {
    "seconds": "timestamp_micros(value * 1234567890123L + 7)",
    "before": "timestamp'0001-03-01 00:00:00.000001' + make_dt_interval(value)",
    "after": "timestamp'12024-01-01 12:34:56.000009'",
    "no_zone": "timestamp_ntz'1883-11-18 12:03:57.000005' + make_dt_interval(value)",
    "day": "date'1582-10-01' + int(value)",
    "months": "make_ym_interval(1, int(value))",
    "days": "make_dt_interval(1, 2, 3, value)",
    "numbers": "array(float(value / 3), NULL, float('NaN'), float('-Infinity'), -0.0F)",
    "doubles": "array(value / 3, NULL, double('NaN'), double('Infinity'), -0.0D)",
    "small": "struct(tinyint(value % 100) t, smallint(value) s, int(value) i)",
    "decimals": "struct(decimal(value / 7) d, cast(value / 7 AS decimal(38, 18)) large)",
    "bytes": "encode(key, 'utf-8')",
    "text": "concat(key, '\u2028 \\n \\t \" \\\\ \U0001f600')",
    "empty": "struct('' e, cast(NULL AS string) n, value % 2 = 0 b)",
    "nothing": "struct(cast(NULL AS bigint) a, array(cast(NULL AS bigint)) b, cast(array() AS array<bigint>) c)",
    "map": "map('z', struct(value AS v), 'a', NULL, '', struct(-value AS v))",
    "deep": "array(map('k', array(struct(value, array(map('z', 1, 'y', 2))))))",
}


def test_every_format_has_the_same_rows_of_whatever_type(spark: SparkSession, tmp_path: Path) -> None:
    files = EventFiles(tmp_path / "events")
    files.add(hours_of_events(1, per_hour=30)[0])
    columns = [F.expr(f"first({each}, true)").alias(name) for name, each in EVERY_TYPE.items()]
    result = files.stream(spark).groupBy("key", F.expr("timestamp_micros(id)").alias("at")).agg(*columns)
    checkpoint = tmp_path / "checkpoint"
    run_to_end(result.writeStream.format("noop").outputMode("complete"), str(checkpoint))
    exports = {name: Checkpoint(checkpoint).export(tmp_path / name, format=name) for name in ("parquet", "orc", "json")}
    read = {}
    for name, exported in exports.items():
        (table,) = exported.tables
        assert table.without_digest is None and table.rows == 30
        schema = StructType.fromJson(table.schema)
        rows = spark.read.schema(schema).format(name).load(f"{exported.out}/{table.path}")
        read[name] = sorted(
            map(str, rows.select("key._groupingexpression", "value.first", "value.first_4", "value.first_13").collect())
        )
    assert len({exported.tables[0].digest for exported in exports.values()}) == 1
    assert read["parquet"] == read["orc"] == read["json"]


def test_what_has_no_digest_is_counted_and_says_why(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = EventFiles(tmp_path / "events")
    files.add(hours_of_events(1, per_hour=30)[0])
    maps = files.stream(spark).groupBy("id").agg(F.first(F.expr("map(id, value)")))
    checkpoint = tmp_path / "checkpoint"
    run_to_end(maps.writeStream.format("noop").outputMode("complete"), str(checkpoint))
    assert main(["export", str(checkpoint), str(tmp_path / "json"), "--format", "json"]) == 0
    assert "0-stateStoreSave/default has no digest: json has keys of maps as text only" in capsys.readouterr().out
    (table,) = json.loads((tmp_path / "json/manifest.json").read_text(encoding="utf-8"))["tables"]
    assert (table["rows"], table["digest"]) == (30, None)
    (table,) = Checkpoint(checkpoint).export(tmp_path / "parquet").tables
    assert table.digest and table.without_digest is None


def test_a_dry_run_writes_nothing(finished: Path, out: Path) -> None:
    planned = Checkpoint(finished).export(out, dry_run=True)
    assert [(table.path, table.partitions, table.rows) for table in planned.tables] == [
        ("0-stateStoreSave/default", 2, 0)
    ]
    assert planned.read_bytes and planned.seconds and planned.seconds > 2
    assert not out.exists()


def test_the_callers_group_of_jobs_comes_after_that_of_the_command(
    spark: SparkSession, finished: Path, out: Path
) -> None:
    context = spark.sparkContext
    context.setJobGroup("cell", "my cell", interruptOnCancel=True)
    Checkpoint(finished).export(out, dry_run=True)
    keys = ("spark.jobGroup.id", "spark.job.description", "spark.job.interruptOnCancel")
    kept = [context.getLocalProperty(key) for key in keys]
    context._jsc.clearJobGroup()
    assert kept == ["cell", "my cell", "true"]


def test_the_command_prints_the_tables(finished: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(finished), str(out), "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert f"would export the state after batch {LAST}" in said
    assert re.search(r"would read [\d.]+ KB of state, in about [\d.]+ s on this machine", said)
    assert main(["export", str(finished), str(out)]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    (table,) = manifest["tables"]
    assert table["rows"] > 0
    assert f"0-stateStoreSave/default │ {table['rows']} │ {table['digest'][:8]} │ 2 │ {table['bytes']:,}" in printed
    assert f"{table['rows']} rows, read again in the files" in printed
    assert main(["export", str(finished), str(out.with_name("again")), "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert {**manifest, "tables": [{**table, "bytes": again["bytes"]}]}.items() <= again.items()


def test_a_folder_that_is_in_use(finished: Path, out: Path) -> None:
    out.mkdir()
    (out / "mine").write_text("")
    with pytest.raises(Misuse, match="is not empty"):
        Checkpoint(finished).export(out)
    assert contents(out) == {"mine": b""}


def test_a_folder_within_the_checkpoint(finished: Path) -> None:
    with pytest.raises(Misuse, match="not two folders beside each other"):
        Checkpoint(finished).export(finished / "out")
    assert not (finished / "out").exists()


def test_a_batch_that_was_not_committed(finished: Path, out: Path) -> None:
    with pytest.raises(Misuse, match=f"the last one is {LAST}"):
        Checkpoint(finished).export(out, batch=LAST + 1)
    assert not out.exists()


def test_nothing_is_committed(checkpoint_to_damage: Path, out: Path) -> None:
    remove(checkpoint_to_damage, "commits")
    with pytest.raises(NotFound, match="was planned, and no batch's commit is there"):
        Checkpoint(checkpoint_to_damage).export(out)
    for entry in (checkpoint_to_damage / "offsets").glob("[1-9]*"):
        entry.unlink()
    with pytest.raises(Misuse, match="has committed no batch yet"):
        Checkpoint(checkpoint_to_damage).export(out)
    assert not out.exists()


def test_the_schema_is_gone(checkpoint_to_damage: Path, out: Path) -> None:
    remove(checkpoint_to_damage, "state/0/_metadata")
    with pytest.raises(Unsupported, match="no metadata"):
        Checkpoint(checkpoint_to_damage).export(out)
    assert not out.exists()


@pytest.mark.parametrize(
    ("format", "why"),
    [("csv", "cannot be written as csv"), ("kafka", "cannot write files as kafka"), ("nosuch", "as nosuch")],
)
def test_a_format_that_does_not_fit(finished: Path, out: Path, format: str, why: str) -> None:
    with pytest.raises(Misuse, match=f"{why}.*parquet, orc or json"):
        Checkpoint(finished).export(out, format=format)
    assert not out.exists()


@pytest.mark.parametrize("provider", ["rockstate", "rocksdb", "hdfs"])
def test_damaged_state_is_named_and_once_repaired_the_export_starts_over(
    spark: SparkSession, with_conf: SetConf, tmp_path: Path, out: Path, provider: str
) -> None:
    with_conf(PROVIDER, PROVIDERS[provider])
    if provider != "rockstate":
        with_conf(FORMAT, "1")
    checkpoint = run(spark, tmp_path)
    sound = Path(shutil.copytree(checkpoint, tmp_path / "sound"))
    for file in [file for file in (checkpoint / "state/0/1").iterdir() if not file.name.startswith(".")]:
        if file.is_file():
            damage(file)
    named = r"\d+(_.*)?\.delta" if provider == "rockstate" else "state/0/1.*rockstate verify"
    with pytest.raises((Damaged, NotFound, Unreachable), match=named):
        Checkpoint(checkpoint).export(out)
    assert (out / "rockstate-unfinished").exists() and not (out / "manifest.json").exists()
    shutil.rmtree(checkpoint)
    sound.rename(checkpoint)
    (out / "0-stateStoreSave" / "default").mkdir(parents=True, exist_ok=True)
    (out / "0-stateStoreSave" / "default" / "part-left-over.parquet").write_text("not this")
    whole = export(spark, str(checkpoint), out)
    assert sum(whole.rows("partition_id").values()) == Checkpoint(checkpoint).rows().count() > 0


@pytest.mark.parametrize(
    ("last", "why"),
    [
        ("metadata", "is finished, or a query uses it"),
        ("manifest.json", r"The export in .* is finished: .* delete the"),
    ],
)
def test_what_is_whole_is_not_started_over(finished: Path, out: Path, last: str, why: str) -> None:
    out.mkdir()
    (out / "rockstate-unfinished").write_text(f"file:{finished}", encoding="utf-8")
    (out / last).write_text("{}", encoding="utf-8")
    before = contents(out)
    with pytest.raises(Misuse, match=why):
        Checkpoint(finished).export(out)
    assert contents(out)[last] == before[last]
