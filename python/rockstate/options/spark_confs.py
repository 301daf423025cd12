"""Spark's own confs that matter to a query on Rockstate and are no options of ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rockstate.launch.versions import SUPPORTED_MINORS
from rockstate.options.keys import PROVIDER_KEY, STATE_STORE, UI_METRICS_KEY


@dataclass(frozen=True)
class SparkConf:
    """One conf: its key, Spark's default as Spark writes it, what it does to a query on Rockstate, its first minor."""

    key: str
    default: str
    meaning: str
    since: str = SUPPORTED_MINORS[0]


SPARK_CONFS: Final = (
    SparkConf(
        PROVIDER_KEY,
        "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider",
        "what keeps the state; a query keeps the provider that its checkpoint was started with",
    ),
    SparkConf(
        "spark.sql.shuffle.partitions",
        "200",
        "partitions of a stateful operator, each with stores of its own; a query keeps its checkpoint's number",
    ),
    SparkConf(
        STATE_STORE + "encodingFormat",
        "unsaferow",
        "how transformWithState's rows are stored: unsaferow, or avro, whose schemas may evolve",
    ),
    SparkConf(STATE_STORE + "stateSchemaCheck", "true", "whether a query with another state schema is refused"),
    SparkConf(
        STATE_STORE + "rowChecksum.enabled",
        "false",
        "whether each row carries a checksum besides those of the files; never to be changed for a checkpoint",
        since="4.2",
    ),
    SparkConf(
        STATE_STORE + "rowChecksum.readVerificationRatio",
        "0",
        "every how many rows read the row checksum is verified; 0 is none",
        since="4.2",
    ),
    SparkConf(
        STATE_STORE + "unloadOnCommit",
        "false",
        "whether a store is maintained and closed after each batch, and recovered for the next",
        since="4.1",
    ),
    SparkConf(
        STATE_STORE + "forceSnapshotUploadOnLag",
        "true",
        "whether Spark asks for a snapshot from stores whose last one is old",
        since="4.2",
    ),
    SparkConf(
        STATE_STORE + "coordinatorReportSnapshotUploadLag",
        "true",
        "whether the driver's log names stores whose last snapshot is old",
        since="4.1",
    ),
    SparkConf(
        STATE_STORE + "numStateStoreMaintenanceThreads",
        "a quarter of the cores, at least 1",
        "stores of one JVM that are maintained at a time",
    ),
    SparkConf(
        STATE_STORE + "maintenanceShutdownTimeout",
        "300s",
        "how long Spark waits for maintenance when it stops",
        since="4.1",
    ),
    SparkConf(
        STATE_STORE + "maintenanceForceShutdownTimeout",
        "60s",
        "how long it then waits for what it interrupted",
        since="4.2",
    ),
    SparkConf(
        "spark.sql.streaming.ratioExtraSpaceAllowedInCheckpoint",
        "0.3",
        "clean-up waits until this part of min_batches_to_retain is stale",
    ),
    SparkConf(
        STATE_STORE + "maxVersionsToDeletePerMaintenance",
        "-1",
        "versions that one run of maintenance cleans up at most; -1 is no limit",
        since="4.1",
    ),
    SparkConf(UI_METRICS_KEY, "", "metrics that the streaming tab of Spark's UI draws; fixed when a session starts"),
    SparkConf(
        "spark.sql.streaming.join.stateFormatVersion",
        "2",
        "how a stream-stream join keeps its state; 3 puts its four stores into one. A query keeps its checkpoint's",
    ),
)
