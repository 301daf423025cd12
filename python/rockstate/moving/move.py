"""A checkpoint moved to another provider, checkpoint format or number of partitions, by Spark jobs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rockstate.base.errors import Misuse
from rockstate.moving.running import MoveProgress, Running, in_json

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_STATE = "org.apache.spark.sql.execution.streaming.state"

#: What the providers are called that have a short name.
PROVIDERS = {
    "rockstate": "io.rockstate.RockStateStoreProvider",
    "rocksdb": f"{_STATE}.RocksDBStateStoreProvider",
    "hdfs": f"{_STATE}.HDFSBackedStateStoreProvider",
}
FORMATS = (1, 2)


@dataclass(frozen=True)
class FamilyTotals:
    """The rows of one column family of a store, over all partitions: the same in both checkpoints.

    Attributes:
        family: its name; "default" of operators without column families.
        rows: how many.
        digest: of all keys and values, in 32 hexadecimal digits. Rows may come in any order, the values of a key not.
    """

    operator_id: int
    operator_name: str
    store: str
    family: str
    rows: int
    digest: str


@dataclass(frozen=True)
class StoreOutline:
    """One store of an operator, over all its partitions.

    Attributes:
        partitions, new_partitions: how many it has, and will have. State without a key has one, whatever is asked for.
        bytes: of the files that are read, by their names; of a dry run only.
        rows: in all partitions, if their newest files tell, as Rockstate's do; of a dry run only.
    """

    operator_id: int
    operator_name: str
    store: str
    partitions: int
    new_partitions: int
    bytes: int | None = None
    rows: int | None = None


@dataclass(frozen=True)
class Move:
    """What was moved, or would be.

    Attributes:
        old, new: the checkpoints' locations.
        batch: the batch after which the state was moved.
        old_provider, new_provider: classes.
        old_format, new_format: checkpoint formats. Start the query with `checkpoint_format_version` as the new one.
        stores: what there is to move.
        seconds: about how long it would take on this session's cores, by the rows if known, else by the bytes; of a dry
            run only.
        totals: what was moved, counted while it was written and again from the new checkpoint; empty after a dry run.
    """

    old: str
    new: str
    batch: int
    old_provider: str
    new_provider: str
    old_format: int
    new_format: int
    stores: tuple[StoreOutline, ...]
    seconds: float | None
    totals: tuple[FamilyTotals, ...]

    @property
    def rows(self) -> int:
        """How many rows were moved."""
        return sum(family.rows for family in self.totals)

    @property
    def bytes(self) -> int:
        """How many bytes of files would be read; 0 but for a dry run. About as many would be written."""
        return sum(store.bytes or 0 for store in self.stores)


@dataclass(frozen=True)
class Request:
    """What `Checkpoint.migrate` or `Checkpoint.repartition` is asked for, as their arguments have it."""

    old: str
    new: str
    to: str | None = None
    partitions: int | None = None
    batch: int | None = None
    checkpoint_format: int | None = None
    dry_run: bool = False


def move(session: SparkSession, request: Request, progress: MoveProgress | None = None) -> Move:
    """Does it. Raises what `Checkpoint.migrate` does."""
    if request.checkpoint_format not in (None, *FORMATS):
        raise Misuse(f"There is no checkpoint format {request.checkpoint_format}", "Give 1 or 2, or leave it out")
    asked = {
        "from": request.old,
        "to": request.new,
        "provider": PROVIDERS.get(request.to, request.to) if request.to is not None else None,
        "partitions": request.partitions,
        "batch": request.batch,
        "format": request.checkpoint_format,
        "isDryRun": request.dry_run,
    }
    text = in_json(asked)
    return move_of(Running(lambda reader: str(reader.move(session._jsparkSession, text))).wait(progress))


def repartition_in_place(
    session: SparkSession, checkpoint: str, partitions: int, dry_run: bool, progress: MoveProgress | None
) -> Move:
    """Does it, as `Checkpoint.repartition_in_place` says."""
    asked = in_json({"checkpoint": checkpoint, "partitions": partitions, "isDryRun": dry_run})
    return move_of(Running(lambda reader: str(reader.repartition(session._jsparkSession, asked))).wait(progress))


def move_of(found: dict[str, Any]) -> Move:
    """What the JVM tells of a move."""
    return Move(
        old=found["from"],
        new=found["to"],
        batch=found["batch"],
        old_provider=found["fromProvider"],
        new_provider=found["toProvider"],
        old_format=found["fromFormat"],
        new_format=found["toFormat"],
        stores=tuple(
            StoreOutline(
                store["operator"],
                store["operatorName"],
                store["store"],
                store["partitions"],
                store["newPartitions"],
                store.get("bytes"),
                store.get("rows"),
            )
            for store in found["stores"]
        ),
        seconds=found.get("seconds"),
        totals=totals_of(found["totals"]),
    )


def totals_of(found: list[dict[str, Any]]) -> tuple[FamilyTotals, ...]:
    """The column families' totals as the JVM tells them."""
    return tuple(
        FamilyTotals(
            family["operator"],
            family["operatorName"],
            family["store"],
            family["family"],
            family["rows"],
            family["digest"],
        )
        for family in found
    )
