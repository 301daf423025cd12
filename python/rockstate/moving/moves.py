"""What can be made of a checkpoint: the same moved, forked or taken back, its state as tables or from tables."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from rockstate.base.errors import Misuse
from rockstate.moving import export as exporting
from rockstate.moving import rewind
from rockstate.moving.bootstrap import begin, bootstrap, read
from rockstate.moving.export import Export
from rockstate.moving.move import Move, Request, move, repartition_in_place
from rockstate.moving.running import MoveProgress
from rockstate.session.reading import reading_session

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from typing_extensions import Self


class Moves:
    """A checkpoint, and what makes others of it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.path!r})"

    def migrate(
        self,
        new: str | os.PathLike[str],
        to: str,
        *,
        batch: int | None = None,
        checkpoint_format: int | None = None,
        dry_run: bool = False,
        progress: MoveProgress | None = None,
    ) -> Move:
        """Moves the checkpoint to another provider: writes a new one with the same rows and leaves this one as it is.

        Each partition of each store is a task of a Spark job, in the active session or one that is started. All rows
        are read back from the new checkpoint and compared. What is cut off has no `metadata`, so that no query starts
        on it, and may be run again. Ctrl-C cancels the job.

        Args:
            new: the new checkpointLocation, a folder that is empty or not there.
            to: "rockstate", "rocksdb", "hdfs", or the class of a provider that the session has.
            batch: the state after this batch is moved; the last committed one if None. Later batches are done again.
            checkpoint_format: 1 or 2; if None what such queries have by themselves, 2 on Rockstate and 1 elsewhere.
            dry_run: only tells what would be moved, how many bytes that is, and about how long it would take.
            progress: is told the phase, "write" or "read back", how many of its tasks are done, and of how many.

        Raises:
            Misuse: the query is running, `new` is not empty, there is no such batch or provider.
            Unsupported: the provider has no column families and the query needs them; Spark before 4.2.
            Damaged: a file is not what was written, or the rows that were read back differ.
            NotFound: the state after the batch is not kept any more.
            OutOfMemory, Unreachable: the heap is too small, or a file system does not answer: `new` is left unfinished.
        """
        request = Request(self.path, os.fspath(new), to, None, batch, checkpoint_format, dry_run)
        return move(reading_session(), request, progress)

    def repartition(
        self,
        new: str | os.PathLike[str],
        partitions: int,
        *,
        batch: int | None = None,
        dry_run: bool = False,
        progress: MoveProgress | None = None,
    ) -> Move:
        """Writes a new checkpoint for another number of shuffle partitions, as `migrate` does for another provider.

        Each row goes where the query's shuffle will look for it. The query takes the number from its checkpoint.

        Args:
            partitions: the new number, for every stateful operator with a key.

        Raises:
            Unsupported: Spark does not say how an operator's rows are spread, or they are not as it says.
            Others as `migrate`, whose arguments `new`, `batch`, `dry_run` and `progress` are the same.
        """
        request = Request(self.path, os.fspath(new), None, partitions, batch, None, dry_run)
        return move(reading_session(), request, progress)

    def repartition_in_place(
        self, partitions: int, *, dry_run: bool = False, progress: MoveProgress | None = None
    ) -> Move:
        """Gives this checkpoint another number of shuffle partitions, as Spark's own repartition does on RocksDB.

        It gets one more batch, without rows of any source, whose state is spread anew. Earlier batches stay: `rollback`
        goes back to them. Stop the query first: one that runs fails in its next batch. Until all rows are read back and
        compared the batch is not committed, and no query starts: the same call finishes, and `rollback` to the batch
        before undoes what was cut off.

        Not for a query with Spark's file sink, whose `_spark_metadata` must have an entry of each batch.

        Args:
            partitions: the new number, for every stateful operator with a key.

        Returns:
            What was written. `old` and `new` are this checkpoint, and `batch` is the batch before the new one.

        Raises:
            Misuse: the query is running, has that number already, has a batch that is not committed, or a repartition
                to another number was cut off.
            Unsupported: the provider is neither Rockstate nor Spark's RocksDB; and as `repartition`.
            Damaged: as `migrate`.
        """
        return repartition_in_place(reading_session(), self.path, partitions, dry_run, progress)

    @classmethod
    def begin(cls, location: str | os.PathLike[str], result: DataFrame, output_mode: str = "append") -> Self:
        """Writes the checkpoint that a query has before it has read anything: what `bootstrap` makes one like.

        Its operators have had a batch without rows. No source was read and no sink written: where a query that is
        started on it begins to read, its program says, as of any new query.

        Args:
            location: a folder that is empty or not there.
            result: the streaming DataFrame that the query writes.
            output_mode: as the query's: "append", "update" or "complete".

        Raises:
            Misuse: the query keeps no state or cannot run, or `location` is not empty.
        """
        made = cls(location)
        if begin(result, output_mode, made.path) == 0:
            raise Misuse("The query keeps no state", "Start it on an empty folder: there is nothing to give it")
        return made

    def bootstrap(
        self,
        new: str | os.PathLike[str],
        tables: Mapping[str, DataFrame | str | os.PathLike[str]],
        *,
        format: str = "parquet",
        dry_run: bool = False,
        progress: MoveProgress | None = None,
    ) -> Move:
        """Writes a checkpoint like this one, but with the rows of tables for state, for a query of its own.

        So a year of history is computed in batch, and the stream goes on from it: run the query once from where the
        stream is to begin, and give its checkpoint the state that the history would have left. What sources have read,
        the watermark and the last batch are as here. All rows of the tables' stores are replaced, those of other
        operators and stores are taken along. With Spark 4.2 or later.

        Args:
            new: the new checkpointLocation, a folder that is empty or not there.
            tables: by their names, `path` in an export's manifest: DataFrames with the struct columns `key` and
                `value`, or `key` alone where there are no values, as an export has them; or where such files are.
            format: of these files.
            dry_run, progress: as for `migrate`.

        Raises:
            Misuse: there is no such table, its files cannot be read, its columns are others, or a key comes twice.
            Unsupported: Spark keeps more beside the table, as for joins, timers, lists and TTL.
            Others as `migrate`.
        """
        session = reading_session()
        rows = {
            name: read(session, name, os.fspath(table), format) if isinstance(table, str | os.PathLike) else table
            for name, table in tables.items()
        }
        return bootstrap(session, self.path, os.fspath(new), rows, dry_run, progress)

    def fork(
        self,
        new: str | os.PathLike[str],
        *,
        batch: int | None = None,
        dry_run: bool = False,
        progress: MoveProgress | None = None,
    ) -> rewind.Fork:
        """Writes a second checkpoint that goes on after a batch, for a query of its own. The query may be running.

        The files of Rockstate's stores are copied and read back, each store in a task of a Spark job; rows of other
        providers are moved one by one, as `migrate` does, with Spark 4.2 or later. The new query has an id of its own.

        Args:
            new: the new checkpointLocation, a folder that is empty or not there.
            batch: the batch to go on after; the last committed one if None. Later batches are done again.
            dry_run: only tells what would be copied, and about how long it would take.
            progress: is told the phase, "copy", how many of its tasks are done, and of how many.

        Raises:
            Misuse: `new` is not empty, there is no such batch.
            NotFound: the state after the batch is not kept any more.
            Damaged: a file is not what was written.
        """
        return rewind.fork(reading_session(), self.path, os.fspath(new), batch, dry_run, progress)

    def rollback(self, batch: int, *, dry_run: bool = False, progress: MoveProgress | None = None) -> rewind.Rollback:
        """Takes this checkpoint back to a batch, in place. Stop the query first, and the Spark session that it ran in.

        First reads all state of that batch. What came after is moved to a folder of the checkpoint, from which
        `undo_rollback` brings it back and `forget_rollbacks` deletes it. What was cut off has no `metadata`, so that
        no query starts on it; the same call again finishes it.

        Args:
            batch: the last batch to keep. Later ones are done again when the query starts.
            dry_run: only tells what would be moved.
            progress: is told the phase, "read" or "move", how many tasks or files are done, and of how many.

        Raises:
            Misuse: there is no such batch, it is the last one, the query is running, or another rollback was cut off.
            NotFound: the state after the batch is not kept any more.
            Damaged: a file is not what was written.
            Unsupported: the provider's files do not tell their version.
        """
        return rewind.rollback(reading_session(), self.path, batch, dry_run, progress)

    def undo_rollback(self, *, dry_run: bool = False, progress: MoveProgress | None = None) -> rewind.KeptFiles:
        """Brings back what the last rollback has kept aside; with `dry_run` only tells what that would be.

        Raises:
            Misuse: nothing is kept aside, or the query has gone on since.
        """
        return rewind.undo(reading_session(), self.path, dry_run, progress)

    def forget_rollbacks(self, *, dry_run: bool = False) -> rewind.KeptFiles:
        """Deletes what rollbacks have kept aside; with `dry_run` only tells what that would be."""
        return rewind.forget(reading_session(), self.path, dry_run)

    def export(
        self,
        out: str | os.PathLike[str],
        *,
        format: str = "parquet",
        batch: int | None = None,
        dry_run: bool = False,
        progress: MoveProgress | None = None,
    ) -> Export:
        """Writes the state as tables, and leaves the checkpoint as it is. The query may be running.

        Each column family of each store becomes a table: `key` and `value` (structs as the operator keeps them),
        `partition_id`, and `position` where a key has a list of values. Each partition of each store is a task of a
        Spark job, in the active session or one that is started. The files are read back, with the same rows, and
        `manifest.json` comes last: what is cut off has none, and may be run again.

        Args:
            out: a folder that is empty or not there.
            format: "parquet", "orc", "json", or another format of files that the session has.
            batch: the state after this batch is exported; the last committed one if None.
            dry_run: only tells which tables there would be, how many bytes are read, and about how long that takes.
            progress: is told the phase, "write" or "count again", how many of its tasks are done, and of how many.

        Raises:
            Misuse: `out` is not empty, there is no such batch, or the format does not take the state's columns.
            Unsupported: Spark has not written how an operator keeps its state.
            Damaged, NotFound: a file of the state, or of the export, is not what was written, or gone.
        """
        request = exporting.Request(self.path, os.fspath(out), format, batch, dry_run)
        return exporting.export(reading_session(), request, progress)
