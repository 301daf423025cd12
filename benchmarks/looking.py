"""How long it takes to look into a checkpoint while its query runs: docs/inspecting.md has what came of it.

    .venv/bin/python -m benchmarks.looking --keys 1000000 --partitions 200 --rounds 3 --out target/benchmarks-looking

A query counts keys (a state row of some 40 bytes each) in a process of its own on two cores, batch after batch. When
every key is in the state, the commands take turns beside it, each in a process of its own, as a user's: what is timed
is all of it, the JVM's start too. Then once more with the query stopped. Writes `looking.json` and prints least to most
of each.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import machine
from benchmarks.process import Failed, end_of, logged

ROWS_OF_A_BATCH = 20_000
_CORES = 2

#: What is timed, without the checkpoint at its end.
COMMANDS: Mapping[str, Sequence[str]] = {
    "inspect": ("inspect",),
    "verify": ("verify",),
    "rows --key": ("rows", "--key", "key=7919"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit codes: 0, 2 bad arguments, 5 a process failed."""
    parsed = _parser().parse_args(arguments)
    if parsed.run:
        _run(parsed)
        return 0
    try:
        result = _measured(parsed)
    except Failed as failure:
        print(failure, file=sys.stderr)
        return 5
    (parsed.out / "looking.json").write_text(json.dumps(result, indent=1) + "\n", "utf-8")
    print(table(result["measured"]))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="how long it takes to look into a checkpoint while its query runs")
    parser.add_argument("--keys", type=int, default=1_000_000, help="in the state")
    parser.add_argument("--partitions", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", type=Path, default=Path("target/benchmarks-looking"))
    parser.add_argument("--run", action="store_true", help=argparse.SUPPRESS)
    return parser


def _measured(parsed: argparse.Namespace) -> dict[str, Any]:
    work = parsed.out / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    command = [sys.executable, "-m", "benchmarks.looking", "--run", "--out", str(parsed.out)]
    command += ["--keys", str(parsed.keys), "--partitions", str(parsed.partitions)]
    try:
        with (
            (work / "log").open("wb") as log,
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log) as query,
        ):
            try:
                _await(work, query, -(-parsed.keys // ROWS_OF_A_BATCH))
                before = _batches(work)
                measured = _rounds(parsed, work, "running")
                batches = _batches(work) - before
                if query.poll() is not None or batches <= 0:
                    raise Failed(f"the query has not run meanwhile:\n{end_of(work / 'log')}")
            finally:
                query.communicate()  # it ends with its input
        measured += _rounds(parsed, work, "stopped")
        return {
            "keys": parsed.keys,
            "partitions": parsed.partitions,
            "batches": batches,
            "machine": machine.describe(None),
            "measured": measured,
        }
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _await(work: Path, query: subprocess.Popen[bytes], batches: int) -> None:
    while _batches(work) < batches:
        if query.poll() is not None:
            raise Failed(f"the query has ended:\n{end_of(work / 'log')}")
        time.sleep(1)


def _batches(work: Path) -> int:
    commits = work / "checkpoint" / "commits"
    return max((int(file.name) + 1 for file in commits.glob("[0-9]*")), default=0)


def _rounds(parsed: argparse.Namespace, work: Path, query: str) -> list[dict[str, Any]]:
    measured = []
    for number in range(parsed.rounds):
        for name, command in COMMANDS.items():
            began = time.monotonic()
            logged(name, [sys.executable, "-m", "rockstate", *command, str(work / "checkpoint")], work / "said")
            seconds = round(time.monotonic() - began, 2)
            measured.append({"command": name, "query": query, "round": number + 1, "seconds": seconds})
            print(json.dumps(measured[-1]), flush=True)
    return measured


def table(measured: Sequence[Mapping[str, Any]]) -> str:
    """Of each command: least to most seconds, beside the running query and without it."""
    lines = ["| command | query | seconds |", "|---|---|---|"]
    for command, query in dict.fromkeys((each["command"], each["query"]) for each in measured):
        of_it = [each["seconds"] for each in measured if (each["command"], each["query"]) == (command, query)]
        lines.append(f"| {command} | {query} | {min(of_it):.1f} to {max(of_it):.1f} |")
    return "\n".join(lines)


def _run(parsed: argparse.Namespace) -> None:
    """The query, until standard input ends."""
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as F

    import rockstate

    work = (parsed.out / "work").resolve()
    confs: dict[str, bool | float | int | str | None] = {
        "spark.driver.memory": "2g",
        "spark.local.dir": str(work / "local"),
        "spark.sql.shuffle.partitions": str(parsed.partitions),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
    }
    builder = SparkSession.builder.master(f"local[{_CORES}]").appName("looking").config(map=confs)
    spark = rockstate.configure(builder).getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    source = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", ROWS_OF_A_BATCH).load()
    keyed = source.withColumn("key", F.col("value") * 7919 % parsed.keys)
    counted = keyed.groupBy("key").agg(F.count("*").alias("n"))
    writer = counted.writeStream.outputMode("update").format("noop")
    query = writer.option("checkpointLocation", str(work / "checkpoint")).start()
    sys.stdin.read()
    query.stop()
    if failure := query.exception():
        raise failure
    spark.stop()


if __name__ == "__main__":
    sys.exit(main())
