"""A checkpoint as of one of its batches: forked into a second one, or rolled back in place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rockstate.moving.move import FamilyTotals, totals_of
from rockstate.moving.running import MoveProgress, Running, in_json

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class ForkedOperator:
    """A stateful operator's stores over all partitions.

    Attributes:
        stores: how many.
        files, size: of the files that make the batch's version, in bytes; 0 where rows are moved one by one.
        rows: by these files; None where rows are moved one by one, or the query has cleaned the files up meanwhile.
        copied_rows: by the files of the copy; None after a dry run, and where rows are moved one by one.
    """

    operator_id: int
    operator_name: str
    stores: int
    files: int
    size: int
    rows: int | None
    copied_rows: int | None


@dataclass(frozen=True)
class Fork:
    """What was copied, or would be.

    Attributes:
        old, new: the checkpoints' locations.
        batch: the batch that the new checkpoint goes on after.
        query_id: the new query's id; None after a dry run.
        provider: a class, the same in both.
        checkpoint_format: the same in both.
        operators: with the files that were copied.
        seconds: about how long it would take on this session's cores; of a dry run only.
        totals: the rows, where they were moved one by one: state that Rockstate did not write.
    """

    old: str
    new: str
    batch: int
    query_id: str | None
    provider: str
    checkpoint_format: int
    operators: tuple[ForkedOperator, ...]
    seconds: float | None
    totals: tuple[FamilyTotals, ...]


@dataclass(frozen=True)
class Rollback:
    """What was kept aside, or would be.

    Attributes:
        batch: the last batch that the checkpoint has now.
        last_committed: the last committed batch before the rollback: the same, if a repartition was undone that was
            cut off.
        kept_in: the folder of the checkpoint with all that came after the batch; None after a dry run.
        files, size: how many files that are, and their bytes.
        undoes_repartition: whether the batch after it only gave the query another number of partitions: it is not done
            again, and the query has the number that it had.
    """

    checkpoint: str
    batch: int
    last_committed: int
    kept_in: str | None
    files: int
    size: int
    undoes_repartition: bool


@dataclass(frozen=True)
class KeptFiles:
    """What rollbacks had kept aside, and is back in place or deleted.

    Attributes:
        folders: the folders of the checkpoint it was in.
        files, size: how many files that were, and their bytes.
    """

    checkpoint: str
    folders: tuple[str, ...]
    files: int
    size: int


def fork(
    session: SparkSession, old: str, new: str, batch: int | None, dry_run: bool, progress: MoveProgress | None
) -> Fork:
    """Does it, as `Checkpoint.fork` says."""
    asked = in_json({"from": old, "to": new, "batch": batch, "isDryRun": dry_run})
    found = Running(lambda reader: str(reader.fork(session._jsparkSession, asked))).wait(progress)
    return Fork(
        old=found["from"],
        new=found["to"],
        batch=found["batch"],
        query_id=found.get("id"),
        provider=found["provider"],
        checkpoint_format=found["format"],
        operators=tuple(
            ForkedOperator(
                each["operator"],
                each["operatorName"],
                each["stores"],
                each["files"],
                each["bytes"],
                each.get("rows"),
                each.get("copied"),
            )
            for each in found["stores"]
        ),
        seconds=found.get("seconds"),
        totals=totals_of(found["totals"]),
    )


def rollback(
    session: SparkSession, checkpoint: str, batch: int, dry_run: bool, progress: MoveProgress | None
) -> Rollback:
    """Does it, as `Checkpoint.rollback` says."""
    asked = in_json({"checkpoint": checkpoint, "batch": batch, "isDryRun": dry_run})
    moving = Running(lambda reader: str(reader.rollback(session._jsparkSession, asked)), moves_files=True)
    found = moving.wait(progress)
    return Rollback(
        checkpoint=found["checkpoint"],
        batch=found["batch"],
        last_committed=found.get("lastCommitted", found["batch"]),
        kept_in=found.get("keptIn"),
        files=found["files"],
        size=found["bytes"],
        undoes_repartition=found["isOfPartitions"],
    )


def undo(session: SparkSession, checkpoint: str, dry_run: bool, progress: MoveProgress | None) -> KeptFiles:
    """Does it, as `Checkpoint.undo_rollback` says."""
    return _kept(lambda reader: reader.undoRollback(session._jsparkSession, checkpoint, dry_run), progress)


def forget(session: SparkSession, checkpoint: str, dry_run: bool) -> KeptFiles:
    """Does it, as `Checkpoint.forget_rollbacks` says."""
    return _kept(lambda reader: reader.forgetRollbacks(session._jsparkSession, checkpoint, dry_run), None)


def _kept(call: Callable[[Any], str], progress: MoveProgress | None) -> KeptFiles:
    found = Running(call, moves_files=True).wait(progress)
    return KeptFiles(found["checkpoint"], tuple(found["folders"]), found["files"], found["bytes"])
