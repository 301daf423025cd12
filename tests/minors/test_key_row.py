"""A whole key's row is printed without a session, as Spark's state data source would print it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from tests.integration.minors import MINOR
from tests.integration.streams import Output, run_to_end
from tests.minors.golden_queries import GOLDEN
from tests.minors.test_key_lookup import IS_PLACED, THERE, copied, keys, rows_by_key

from rockstate import Checkpoint
from rockstate.cli import main, rows
from rockstate.inspection import key_row

pytestmark = pytest.mark.usefixtures("spark_logs")

#: Spark says where a key is, and the rows are those of the whole store.
PRINTED = {"aggregation-f1", "deduplication-by-columns-f2"}

KINDS = {
    "flag": "boolean",
    "tiny": "tinyint",
    "number": "int",
    "large": "bigint",
    "amount": "decimal(10,2)",
    "precise": "decimal(38,18)",
    "word": "string",
    "raw": "binary",
    "day": "date",
    "moment": "timestamp",
    "local": "timestamp_ntz",
    "both": "struct<a: int, b: struct<c: string>>",
}
VALUES = {
    "flag": "true",
    "tiny": "-7",
    "number": "7",
    "large": "9007199254740993",
    "amount": "5.00",
    "precise": "0.000000000000000001",
    "word": "naïve 数据\t|",
    "raw": "ab",
    "day": "2026-01-05",
    "moment": "2026-01-05 01:02:03.000004",
    "local": "2026-01-05 01:02:03.000004",
    "both.a": "1",
    "both.b.c": "x",
}


def by_session(path: str, key: dict[str, str], *flags: str, capsys: pytest.CaptureFixture[str]) -> str:
    asked = [word for column, value in key.items() for word in ("--key", f"{column}={value}")]
    assert main(["rows", path, *asked, "--where", "true", *flags]) == 0
    return capsys.readouterr().out


def without(path: str, key: dict[str, str], is_json: bool, store: str = "default") -> str | None:
    return key_row.printed(path, 0, store, None, key, rows._JSON_FORMATS if is_json else None)


@pytest.mark.parametrize("name", THERE)
def test_each_key_has_the_row_that_a_session_prints(
    spark: SparkSession, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    checkpoint = copied(name, tmp_path)
    if name not in PRINTED:
        assert without(checkpoint.path, {"key": "1"}, is_json=False) is None
        return
    everything = checkpoint.rows()
    for key in keys(everything, rows_by_key(everything)):
        asked = {column: str(value) for column, value in key.items()}
        for flags in ([], ["--json"]):
            printed = without(checkpoint.path, asked, is_json=bool(flags))
            assert printed == (by_session(checkpoint.path, asked, *flags, capsys=capsys) if IS_PLACED else None)


@pytest.fixture(scope="module")
def of_all_kinds(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The checkpoint of a deduplication whose key has a column of each kind."""
    folder = tmp_path_factory.mktemp("kinds")
    values = {**VALUES, "both": ""}
    texts = spark.range(1).select(*(F.lit(values[name]).alias(name) for name in KINDS if name != "both"))
    struct = F.expr("named_struct('a', 1, 'b', named_struct('c', 'x')) AS both")
    typed = texts.select(
        *(F.col(name).cast(kind).alias(name) for name, kind in KINDS.items() if name != "both"), struct
    )
    typed.withColumn("ratio", F.lit(0.5)).write.parquet(str(folder / "events"))
    stream = spark.readStream.schema(spark.read.parquet(str(folder / "events")).schema).parquet(str(folder / "events"))
    run_to_end(Output().writer(stream.dropDuplicates(list(KINDS)), "append"), str(folder / "checkpoint"))
    run_to_end(Output().writer(stream.dropDuplicates(["ratio"]), "append"), str(folder / "of-ratios"))
    return str(folder / "checkpoint")


@pytest.mark.parametrize("is_json", [False, True])
def test_a_key_of_all_kinds_is_found_and_printed_as_a_session_does(
    of_all_kinds: str, is_json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["--json"] if is_json else []
    printed = without(of_all_kinds, VALUES, is_json)
    assert printed == (by_session(of_all_kinds, VALUES, *flags, capsys=capsys) if IS_PLACED else None)
    other = {**VALUES, "number": "8"}
    printed = without(of_all_kinds, other, is_json)
    assert printed == (by_session(of_all_kinds, other, *flags, capsys=capsys) if IS_PLACED else None)


@pytest.mark.parametrize(
    "key",
    [
        {name: value for name, value in VALUES.items() if name != "tiny"},
        {**VALUES, "nosuch": "1"},
        {**VALUES, "number": "seven"},
        {**VALUES, "moment": "soon"},
    ],
)
def test_what_is_not_a_whole_key_is_for_a_session_to_say(of_all_kinds: str, key: dict[str, str]) -> None:
    assert without(of_all_kinds, key, is_json=False) is None


def test_numbers_that_are_equal_and_differ_in_their_bytes_are_for_a_session(of_all_kinds: str) -> None:
    assert without(str(Path(of_all_kinds).parent / "of-ratios"), {"ratio": "0.5"}, is_json=False) is None


def test_a_store_that_is_not_there_is_for_a_session_to_say(of_all_kinds: str) -> None:
    assert without(of_all_kinds, VALUES, is_json=False, store="nosuch") is None
    assert without(f"{of_all_kinds}/nowhere", VALUES, is_json=False) is None


@pytest.mark.skipif(not IS_PLACED, reason="Spark says since 4.2 where a key is")
def test_the_command_starts_no_session(spark: SparkSession) -> None:
    checkpoint = Checkpoint(GOLDEN / MINOR / "deduplication-f1")
    (one,) = checkpoint.rows().select("key.id").take(1)
    command = [sys.executable, "-m", "rockstate", "rows", checkpoint.path, "--json", "--key", f"id={one.id}"]
    command += ["--conf", "spark.plugins=no.such.Plugin"]  # at which every session fails
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["key"] == {"id": one.id}
    for flags in (["--where", "true"], ["--conf", "spark.sql.session.timeZone=Nowhere"]):
        done = subprocess.run([*command, *flags], capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert "no.such.Plugin" in done.stderr
