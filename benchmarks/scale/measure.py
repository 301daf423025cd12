"""The requests of one provider through one checkpoint file manager: a process, and so a JVM, of its own.

Maintenance is asked for by hand, between batches, so that its requests are told from those of batches.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rockstate
from benchmarks import contenders
from benchmarks.scale import tools
from benchmarks.scale.queries import QUERIES, Query, write_batch
from benchmarks.scale.requests import Request
from benchmarks.scale.split import Maintenance, mean, parts
from rockstate.options.keys import PROVIDER_KEY, STATE_STORE

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PARTITIONS = 2
#: Few versions are kept, so that clean-up and the logs' purges begin soon; what each costs does not depend on it.
RETAINED = 3
WARMUP, ROUNDS, BATCHES = 4, 3, 3
CONTENDERS: Mapping[str, Mapping[str, str]] = {
    "rockstate": {},
    "changelog": contenders.named(contenders.CHANGELOG).confs(0),
    "changelog_2": {**contenders.named(contenders.CHANGELOG).confs(0), STATE_STORE + "checkpointFormatVersion": "2"},
}
_FILE_SYSTEM = "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager"
#: How files are written, by the confs that say so; `rename` is what Spark takes for s3a unless told otherwise.
MANAGERS: Mapping[str, Mapping[str, str]] = {
    "rename": {},
    "direct": {tools.MANAGER: _FILE_SYSTEM},
    "abortable": tools.ABORTABLE,
    "flags": {**tools.ABORTABLE, "spark.hadoop.fs.s3a.performance.flags": "create,delete,mkdir"},
}
_BUCKET = "scale-bucket"
_QUIET = 0.3  # seconds without a request, after which none is under way


class Log:
    """What the server has written so far, by portions."""

    def __init__(self, path: Path) -> None:
        self._lines = path.open(encoding="utf-8")

    def since(self) -> list[Request]:
        """The requests since the last call, once there are no more for a while."""
        found: list[Request] = []
        quiet_since = time.monotonic()
        while time.monotonic() - quiet_since < _QUIET:
            fresh = [Request.parse(line) for line in self._lines]
            if fresh:
                found, quiet_since = found + fresh, time.monotonic()
            time.sleep(0.02)
        return found


def start(contender: str, manager: str, port: int, jars: Sequence[str]) -> SparkSession:
    """A session with two cores whose s3a leads to the server."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[2]").appName(f"requests of {contender}")
    builder = builder.config(map=dict(_confs(manager, port, jars))).config(map=dict(CONTENDERS[contender]))
    if contender == "rockstate":
        builder = rockstate.configure(builder, memory_budget="256m", warm_restart_disk=0)
    else:
        builder = builder.config(PROVIDER_KEY, contenders.named(contenders.CHANGELOG).provider)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def _confs(manager: str, port: int, jars: Sequence[str]) -> Mapping[str, str]:
    return {
        "spark.driver.memory": "1g",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",  # nothing is timed
        "spark.jars": ",".join(jars),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": str(PARTITIONS),
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.streaming.minBatchesToRetain": str(RETAINED),
        "spark.sql.streaming.noDataMicroBatches.enabled": "false",
        STATE_STORE + "maintenanceInterval": "10h",
        STATE_STORE + "minDeltasForSnapshot": str(BATCHES),
        **tools.s3a_confs(port),
        # The usual one keeps small files that it has read; an executor that takes a store over has read none.
        "spark.hadoop.fs.s3a.input.stream.type": "classic",
        **MANAGERS[manager],
    }


def measure(spark: SparkSession, query: Query, work: Path, log: Log) -> dict[str, Any]:
    """Mean requests of a batch, and of a snapshot and a clean-up of one store, by area and kind."""
    for key, value in query.confs.items():
        spark.conf.set(key, value)
    checkpoint = f"s3a://{_BUCKET}/{query.name}/checkpoint"
    log.since()
    write_batch(work / query.name, 0)
    writer = query.build(spark, work / query.name).writeStream.format("noop").outputMode(query.output_mode)
    stream = writer.option("checkpointLocation", checkpoint).start()
    stream.processAllAvailable()
    first = log.since()
    for number in range(1, WARMUP):
        _batch(stream, query, work, number, log)
    begun = _last_batch(stream)
    portions, maintained, ends = [], [], []
    for number in range(WARMUP, WARMUP + ROUNDS * BATCHES):
        portions.append(_batch(stream, query, work, number, log))
        if (number - WARMUP) % BATCHES == BATCHES - 1:
            ends.append(_last_batch(stream))
            maintained += _maintain(spark, query, log)
    stream.stop()
    log.since()
    recovered = _recovery(spark, query, checkpoint, log, ends)
    for key in query.confs:
        spark.conf.unset(key)
    return {
        "stores": query.stores,
        "start": mean([first]),
        **_of_batches(portions, ends[-1] - begun),
        **_of_maintenance(maintained),
        **recovered,
        "example": {"batch": _lines(portions[-1]), "maintenance": _lines([*maintained[-1].all])},
    }


def _batch(stream: Any, query: Query, work: Path, number: int, log: Log) -> list[Request]:
    write_batch(work / query.name, number)
    stream.processAllAvailable()
    return log.since()


def _of_batches(portions: Sequence[Sequence[Request]], batches: int) -> dict[str, Any]:
    return {"batches": batches, "batch": mean(portions, batches), "operations": _operations(portions, batches)}


def _of_maintenance(maintained: Sequence[Maintenance]) -> dict[str, Any]:
    """Of clean-ups those that had something to delete: production's wait until they have."""
    cleaned = [each for each in maintained if each.deleted]
    return {
        "snapshot": mean([each.snapshot for each in maintained]),
        "clean_up_fixed": mean([each.looking for each in cleaned]),
        "clean_up_deletes": mean([each.deleting for each in cleaned]),
        "deleted_files": sum(each.deleted for each in cleaned) / max(len(cleaned), 1),
    }


def _last_batch(stream: Any) -> int:
    """A file that appears while one source of a join has looked makes two batches."""
    return int(stream.lastProgress["batchId"])


def _recovery(
    spark: SparkSession, query: Query, checkpoint: str, log: Log, ends: Sequence[int]
) -> dict[str, dict[str, float]]:
    """Mean requests by which one store is loaded, from a snapshot alone and for each delta after it.

    Spark's reader of state loads each store of an operator, of a join one side. The last batch, the last of `ends`, has
    a snapshot; the two before it are made of the snapshot at the end of the round before, one with a delta more.
    """
    if "io.rockstate" not in str(spark.conf.get(PROVIDER_KEY)):  # other providers' snapshots may be of any version
        return {}
    side = {"joinSide": "left"} if query.name.startswith("join") else {}
    variable = {"stateVarName": "count"} if query.name == "transform_with_state" else {}
    loads = []
    for batch in (ends[-1] - 2, ends[-1] - 1):
        options = {"batchId": str(batch), **side, **variable}
        spark.read.format("statestore").options(**options).load(checkpoint).write.format("noop").mode("append").save()
        loads.append(mean([log.since()]).get("store", {}))
    # A side of a join that has four stores is read from two of them.
    stores = PARTITIONS * (2 if query.stores > 1 else 1)
    fewer, more = ({kind: count / stores for kind, count in load.items()} for load in loads)
    delta = {kind: more.get(kind, 0) - fewer.get(kind, 0) for kind in sorted({*fewer, *more})}
    deltas = ends[-1] - 2 - ends[-2]
    snapshot = {kind: count - deltas * delta[kind] for kind, count in fewer.items()}
    return {"recovery": snapshot, "delta": delta}


def _maintain(spark: SparkSession, query: Query, log: Log) -> list[Maintenance]:
    found = []
    for name, provider in _providers(spark):
        if f"/{query.name}/" in name:
            provider.doMaintenance()
            found.append(parts(log.since()))
    return found


def _providers(spark: SparkSession) -> list[tuple[str, Any]]:
    """The loaded stores' providers, which Spark keeps to itself."""
    jvm: Any = spark._jvm
    kind = jvm.java.lang.Class.forName("org.apache.spark.sql.execution.streaming.state.StateStore$")
    module = kind.getField("MODULE$").get(None)
    field = kind.getDeclaredField("loadedProviders")
    field.setAccessible(True)
    loaded = field.get(module).toSeq()
    pairs = [loaded.apply(n) for n in range(loaded.length())]
    return [(str(pair._1().storeId().checkpointRootLocation()), pair._2()) for pair in pairs]


def _operations(portions: Sequence[Sequence[Request]], batches: int) -> dict[str, float]:
    """Requests of a batch by the call of Hadoop's that made them."""
    counts: dict[str, int] = {}
    for each in (request for portion in portions for request in portion):
        name = f"{each.operation or 'unknown'} {each.kind}"
        counts[name] = counts.get(name, 0) + 1
    return {name: round(count / batches, 2) for name, count in sorted(counts.items())}


def _lines(requests: Sequence[Request]) -> list[str]:
    return [f"{each.operation} {each.kind} {each.key.partition('checkpoint/')[2]}" for each in requests]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--contender", choices=CONTENDERS, required=True)
    parser.add_argument("--manager", choices=MANAGERS, required=True)
    parser.add_argument("--queries", default=",".join(each.name for each in QUERIES))
    parser.add_argument("--jars", required=True, help="comma-separated")
    parser.add_argument("--log", type=Path, required=True, help="the server's")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True, help="a folder")
    parsed = parser.parse_args(arguments)
    spark = start(parsed.contender, parsed.manager, parsed.port, parsed.jars.split(","))
    tools.make_bucket(parsed.port, _BUCKET)
    log, chosen = Log(parsed.log), parsed.queries.split(",")
    name = f"{parsed.contender}-{parsed.manager}"
    counted: dict[str, Any] = {}
    so_far = parsed.out / f"{name}.part"
    for query in (each for each in QUERIES if each.name in chosen):
        counted[query.name] = measure(spark, query, parsed.out / name, log)
        so_far.write_text(json.dumps(counted, indent=1) + "\n", "utf-8")
    so_far.rename(so_far.with_suffix(".json"))
    spark.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
