"""Makes the golden checkpoints of the Spark minor that is installed: `python -m tests.minors.make_golden`.

Once a release has written them, they stay as they are: it makes none that are there already.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import SparkSession
from tests.integration.minors import MINOR
from tests.integration.streams import run_to_end
from tests.minors.golden_queries import (
    AGGREGATION,
    BY_COLUMNS,
    BY_FOUR,
    CHECKSUMS,
    DEDUPLICATION,
    FORMAT,
    GOLDEN,
    GOLDEN_RUNS,
    IN_OLD_ORDER,
    JOIN,
    JOIN_3,
    JOIN_4,
    PLACE,
    TRANSFORMS,
    WITH_PATHS,
    Query,
)
from tests.quick_spark import quick_local_files

import rockstate
from rockstate.launch.versions import SPARK_MINORS, is_since

PAUSE_SECONDS, PATIENCE_SECONDS = 0.2, 60


def session(folder: str) -> SparkSession:
    """A session that makes a snapshot in a second when there are two deltas, and leaves no log of events."""
    builder = SparkSession.builder.master("local[2]").appName("golden checkpoints")
    builder = rockstate.configure(builder, memory_budget="64m", maintenance_interval="500ms")
    confs: dict[str, str | int | float | bool | None] = {
        "spark.sql.streaming.stateStore.minDeltasForSnapshot": 2,
        "spark.sql.shuffle.partitions": 2,
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",  # too short a life for the optimizing compiler
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.warehouse.dir": folder,
        **quick_local_files(),
    }
    return builder.config(map=confs).getOrCreate()


def make(spark: SparkSession, query: Query, checkpoint_format: int, folder: Path) -> None:
    """Runs the query three times; after the second run every store has a snapshot, to which the third adds deltas."""
    confs = {**query.confs, **query.run_confs}
    for key, value in {**confs, FORMAT: str(checkpoint_format)}.items():
        spark.conf.set(key, value)
    for run in range(GOLDEN_RUNS):
        run_to_end(query.of(spark).writeStream.outputMode("append").format("noop"), str(folder))
        if run == GOLDEN_RUNS - 2:
            wait_until(lambda: all(any(store.glob("*.snapshot")) for store in stores(folder)))
    for key in confs:
        spark.conf.unset(key)


def keep(checkpoint: Path, golden: Path) -> None:
    """Copies the checkpoint, without the hidden files of checksums and without its place."""
    shutil.copytree(checkpoint, golden, ignore=shutil.ignore_patterns(".*"))
    for file in golden.glob(WITH_PATHS):
        file.write_text(file.read_text(encoding="utf-8").replace(f"file:{checkpoint}", PLACE), encoding="utf-8")


def stores(checkpoint: Path) -> set[Path]:
    """The folders of a checkpoint's stores."""
    return {file.parent for file in checkpoint.rglob("*.delta")}


def wait_until(holds: Callable[[], bool]) -> None:
    """Returns when `holds` does."""
    until = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < until, "no snapshots"
        time.sleep(PAUSE_SECONDS)


def main() -> None:
    formats = (1,) if SPARK_MINORS[MINOR].checkpoint_format == 1 else (1, 2)
    wanted = [(query, number) for query in (AGGREGATION, DEDUPLICATION, JOIN) for number in formats]
    wanted += [(query, formats[-1]) for query in (BY_COLUMNS, *TRANSFORMS)]
    wanted += [(CHECKSUMS, 2)] if is_since(MINOR, "4.2") else []
    wanted += [(JOIN_3, 2), (JOIN_4, 2)] if MINOR == "4.2" else []  # 4.3 begins none in these formats
    wanted += [(BY_FOUR, 2), (IN_OLD_ORDER, 2)] if is_since(MINOR, "4.3") else []
    folders = {f"{query.name}-f{number}": (query, number) for query, number in wanted}
    made = {name: each for name, each in folders.items() if not (GOLDEN / MINOR / name).exists()}
    with tempfile.TemporaryDirectory() as folder:
        spark = session(f"{folder}/warehouse")
        for name, (query, number) in made.items():
            make(spark, query, number, Path(folder, name))
        spark.stop()  # maintenance ends, too: what is copied does not change
        for name in made:
            keep(Path(folder, name), GOLDEN / MINOR / name)
            print(GOLDEN / MINOR / name)


if __name__ == "__main__":
    main()
