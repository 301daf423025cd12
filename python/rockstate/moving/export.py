"""A checkpoint's state taken away as tables, by Spark jobs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rockstate.moving.running import MoveProgress, Running, in_json

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class Table:
    """The rows of one column family of a store, over all partitions.

    Attributes:
        family: the column family: "default", or a state variable, or one that Spark keeps for itself.
        is_internal: whether Spark keeps it for itself, such as timers and what TTL needs.
        path: its folder, relative to the export.
        schema: its columns as JSON, which `StructType.fromJson` takes.
        left_out: fields without a type, which are always null and which files do not take.
        partitions: how many the store has; `partition_id` tells them apart.
        rows: how many were written, and counted again in the files; 0 after a dry run, like `files` and `bytes`.
        digest: of the rows' values, the same when written and in the files, whatever the format and the order of rows:
            32 hexadecimal digits; None after a dry run.
        without_digest: why the rows were counted only; None if there is a digest.
    """

    operator_id: int
    operator_name: str
    store: str
    family: str
    is_internal: bool
    path: str
    schema: dict[str, Any]
    left_out: tuple[str, ...]
    partitions: int
    rows: int
    digest: str | None
    without_digest: str | None
    files: int
    bytes: int


@dataclass(frozen=True)
class Export:
    """What was exported, or would be: the same as in the export's `manifest.json`.

    Attributes:
        out: the export's location.
        checkpoint: the location of what was exported.
        batch: the batch after which the state was exported.
        query_id: None if the checkpoint does not have it.
        provider: the class that kept the state.
        format: of the tables, as `spark.read.format` takes it.
        read_bytes: of the files of state that would be read; of a dry run only.
        seconds: about how long that would take on this session's cores, with all rows counted again; of a dry run only.
    """

    out: str
    checkpoint: str
    batch: int
    query_id: str | None
    spark_version: str
    provider: str
    format: str
    tables: tuple[Table, ...]
    read_bytes: int | None = None
    seconds: float | None = None

    @property
    def rows(self) -> int:
        """How many rows were exported."""
        return sum(table.rows for table in self.tables)

    @property
    def bytes(self) -> int:
        """How many bytes the tables' files have."""
        return sum(table.bytes for table in self.tables)


@dataclass(frozen=True)
class Request:
    """What `Checkpoint.export` is asked for, as its arguments have it."""

    checkpoint: str
    out: str
    format: str
    batch: int | None
    dry_run: bool


def export(session: SparkSession, request: Request, progress: MoveProgress | None = None) -> Export:
    """Does it. Raises what `Checkpoint.export` does."""
    fields = {
        "from": request.checkpoint,
        "to": request.out,
        "format": request.format,
        "batch": request.batch,
        "isDryRun": request.dry_run,
    }
    asked = in_json(fields)
    found = Running(lambda reader: str(reader.exportTables(session._jsparkSession, asked))).wait(progress)
    tables = tuple(Table(**{**table, "left_out": tuple(table["left_out"])}) for table in found.pop("tables"))
    return Export(out=request.out, tables=tables, **found)
