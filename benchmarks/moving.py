"""How long it takes to move a checkpoint, beside Spark's own repartition: docs/moving.md has what came of it.

    .venv/bin/python -m benchmarks.moving --rows 1000000 --rounds 3 --out target/benchmarks-moving

An aggregation's state (a key of ten characters, a count and a sum) is written once with each provider. Then each way of
moving it has a process, and so a JVM, of its own in each round, as a user's command has; ways take turns. What is timed
is the call, without Spark's start. Writes `moving.json` (seconds, and seconds of processor time of the JVM) and prints
the medians, with the ratio to Spark's repartition in the same round.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import machine
from benchmarks.process import Failed, logged
from benchmarks.pyspark._session import cpu_millis
from rockstate import Checkpoint
from rockstate.moving.move import PROVIDERS
from rockstate.options.keys import PROVIDER_KEY, STATE_STORE

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BEFORE, AFTER = 4, 7
SPARKS_OWN = "Spark's repartition of rocksdb"
_CORES = 2


@dataclass(frozen=True)
class Way:
    """One way to move the checkpoint of a provider; `move` is given the session, the checkpoint and a free folder."""

    provider: str
    move: Callable[[SparkSession, str, str], object]


def _by_spark(spark: SparkSession, old: str, new: str) -> None:
    _ = spark.streams  # with it comes the coordinator, without which Spark 4.2's own fails
    spark._streamingCheckpointManager.repartition(old, AFTER)


def _repartition(provider: str) -> Way:
    return Way(provider, lambda spark, old, new: Checkpoint(old).repartition(new, AFTER))


def _migrate(provider: str, to: str) -> Way:
    return Way(provider, lambda spark, old, new: Checkpoint(old).migrate(new, to))


WAYS: Mapping[str, Way] = {
    SPARKS_OWN: Way("rocksdb", _by_spark),
    "repartition of rocksdb": _repartition("rocksdb"),
    "repartition of rockstate": _repartition("rockstate"),
    "repartition of hdfs": _repartition("hdfs"),
    "migrate rocksdb to rockstate": _migrate("rocksdb", "rockstate"),
    "migrate rockstate to rocksdb": _migrate("rockstate", "rocksdb"),
    "migrate hdfs to rockstate": _migrate("hdfs", "rockstate"),
    "fork of rockstate": Way("rockstate", lambda spark, old, new: Checkpoint(old).fork(new)),
    "export of rockstate": Way("rockstate", lambda spark, old, new: Checkpoint(old).export(new)),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit codes: 0, 2 bad arguments, 5 a process failed."""
    parsed = _parser().parse_args(arguments)
    if parsed.step:
        _step(parsed)
        return 0
    try:
        _rounds(parsed)
    except Failed as failure:
        print(failure, file=sys.stderr)
        return 5
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="how long it takes to move a checkpoint")
    parser.add_argument("--rows", type=int, default=1_000_000, help="in the state")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--heap", default="4g", help="of each process")
    parser.add_argument("--ways", help=f"comma-separated, of: {', '.join(WAYS)}")
    parser.add_argument("--out", type=Path, default=Path("target/benchmarks-moving"))
    parser.add_argument("--step", help=argparse.SUPPRESS)
    return parser


def _rounds(parsed: argparse.Namespace) -> None:
    names = parsed.ways.split(",") if parsed.ways else list(WAYS)
    work = parsed.out / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    try:
        for provider in sorted({WAYS[name].provider for name in names}):
            _process(parsed, f"write:{provider}")
        measured: list[dict[str, Any]] = []
        for number in range(parsed.rounds):
            for name in names[number:] + names[:number]:
                measured.append({"round": number + 1, "way": name, **_process(parsed, f"move:{name}")})
                print(json.dumps(measured[-1]), flush=True)
        result = {
            "rows": parsed.rows,
            "partitions": [BEFORE, AFTER],
            "heap": parsed.heap,
            "machine": machine.describe(None),
        }
        (parsed.out / "moving.json").write_text(json.dumps({**result, "measured": measured}, indent=1) + "\n", "utf-8")
        print(table(measured))
    finally:
        shutil.rmtree(work, ignore_errors=True)


def table(measured: Sequence[Mapping[str, Any]]) -> str:
    """Of each way: least to most seconds, processor seconds, and the median ratio of these to Spark's of the round."""
    sparks = {each["round"]: each["cpu_s"] for each in measured if each["way"] == SPARKS_OWN}
    lines = ["| way | seconds | processor seconds | beside Spark's |", "|---|---|---|---|"]
    for way in dict.fromkeys(each["way"] for each in measured):
        of_way = [each for each in measured if each["way"] == way]
        ratios = [each["cpu_s"] / sparks[each["round"]] for each in of_way if each["round"] in sparks]
        beside = f"{statistics.median(ratios):.2f}" if ratios else "-"
        lines.append(f"| {way} | {_range(of_way, 'seconds')} | {_range(of_way, 'cpu_s')} | {beside} |")
    return "\n".join(lines)


def _range(measured: Sequence[Mapping[str, Any]], name: str) -> str:
    values = [each[name] for each in measured]
    return f"{min(values):.1f} to {max(values):.1f}"


def _process(parsed: argparse.Namespace, step: str) -> dict[str, Any]:
    """What a process of its own says of a step."""
    work = parsed.out / "work"
    command = [sys.executable, "-m", "benchmarks.moving", "--step", step, "--out", str(parsed.out)]
    command += ["--rows", str(parsed.rows), "--heap", parsed.heap]
    logged(step, command, work / "log")
    said: dict[str, Any] = json.loads((work / "said.json").read_text("utf-8"))
    return said


def _step(parsed: argparse.Namespace) -> None:
    what, _, name = parsed.step.partition(":")
    work = (parsed.out / "work").resolve()
    spark = _session(parsed, name if what == "write" else WAYS[name].provider, work)
    said = _write(spark, name, parsed.rows, work) if what == "write" else _move(spark, WAYS[name], work)
    spark.stop()
    (work / "said.json").write_text(json.dumps(said), "utf-8")


def _session(parsed: argparse.Namespace, provider: str, work: Path) -> SparkSession:
    from pyspark.sql import SparkSession

    import rockstate

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    confs = {
        "spark.driver.memory": parsed.heap,
        "spark.local.dir": str(work / "local"),
        "spark.sql.shuffle.partitions": str(BEFORE),
        "spark.sql.session.timeZone": "UTC",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        STATE_STORE + "rocksdb.changelogCheckpointing.enabled": "true",
    }
    builder = SparkSession.builder.master(f"local[{_CORES}]").appName(parsed.step).config(map=confs)
    spark = rockstate.configure(builder).getOrCreate()
    # Spark's own insists on the checkpoint's.
    spark.conf.set(PROVIDER_KEY, PROVIDERS[provider])
    spark.conf.set(STATE_STORE + "checkpointFormatVersion", "2" if provider == "rockstate" else "1")
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def _write(spark: SparkSession, provider: str, rows: int, work: Path) -> dict[str, Any]:
    """The checkpoint of a query that has counted every row once."""
    from pyspark.sql import functions as F

    source, schema = str(work / "rows"), "key string, amount long"
    if not Path(source).exists():
        key = F.format_string("k%09d", F.col("id") * 7919 % rows)
        spark.range(rows).select(key.alias("key"), (F.col("id") % 1000).alias("amount")).write.parquet(source)
    read = spark.readStream.schema(schema).parquet(source)
    counted = read.groupBy("key").agg(F.count("*").alias("n"), F.sum("amount").alias("amount"))
    writer = counted.writeStream.outputMode("update").format("noop").trigger(availableNow=True)
    writer.option("checkpointLocation", str(work / provider)).start().awaitTermination()
    return {}


def _move(spark: SparkSession, way: Way, work: Path) -> dict[str, Any]:
    old, new = work / "old", work / "new"
    for each in (old, new):
        shutil.rmtree(each, ignore_errors=True)
    shutil.copytree(work / way.provider, old)  # Spark's works in place
    read_bytes = sum(file.stat().st_size for file in (old / "state").rglob("*") if file.is_file())
    began, cpu = time.monotonic(), cpu_millis(spark)
    way.move(spark, str(old), str(new))
    said = {"seconds": time.monotonic() - began, "cpu_s": (cpu_millis(spark) - cpu) / 1000, "state_bytes": read_bytes}
    return {name: round(value, 2) for name, value in said.items()}


if __name__ == "__main__":
    sys.exit(main())
