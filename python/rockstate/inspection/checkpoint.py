"""Looks into the state of a streaming query's checkpoint, from outside and without changing anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from rockstate.inspection import state_source
from rockstate.inspection.answers import problems_of, store_of
from rockstate.inspection.findings import DEFAULT_STORE, Operator, Store
from rockstate.inspection.summary import Summary
from rockstate.moving.moves import Moves
from rockstate.session import gateway
from rockstate.session.reading import reading_session

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_STORES_AT_A_TIME = 8

#: Told how many stores are done, and of how many.
Progress = Callable[[int, int], None]


class Checkpoint(Moves):
    """The checkpoint of a streaming query, on any file system that Hadoop knows.

    Uses the running Spark's JVM, or starts one without a SparkContext. The query may be running.

    Args:
        path: the query's checkpointLocation: a path or URI. Without a scheme Hadoop's default file system counts.

    Raises, in every method:
        NotFound: there is no such folder, or no state in it.
        Unreachable: the file system does not answer as it should.
        Misuse: there is no such operator, store or batch in it, or Spark refuses an option.
        UnsupportedSparkVersion, JarNotFound, JarNotLoaded: as for `rockstate.configure`.
    """

    def inspect(self, progress: Progress | None = None) -> Summary:
        """What file names and snapshots' manifests tell, and the row counts of each store's newest version."""
        return self._summary(verify=False, progress=progress)

    def verify(self, progress: Progress | None = None) -> Summary:
        """Whether the query can restart from its last batch, and go back to each batch that its logs still have.

        Reads its logs, metadata and schemas and every file of every store, and checks all checksums, the chain from
        file to file, and that each partition has the versions that the commits name.

        Other providers' files have no checksums to check: their stores come back with `verified` false.
        """
        return self._summary(verify=True, progress=progress)

    def operators(self) -> tuple[Operator, ...]:
        """The stateful operators with their stores, as `inspect` sees them."""
        return self.inspect().operators

    def rows(
        self,
        operator: int = 0,
        store: str = DEFAULT_STORE,
        key: Mapping[str, int | str] | None = None,
        **options: Any,
    ) -> DataFrame:
        """The state as a DataFrame, by Spark's state data source. Starts a SparkSession if none is active.

        Args:
            operator: the operator's id.
            store: the store's name; "default" unless the operator has several.
            key: only rows whose key has these values in its columns, as Spark casts them; a column within another is
                called `window.start`. With Spark 4.2 and later no more than one partition is read if all columns are
                given that the query's shuffle goes by.
            options: of the state data source, such as `batchId=5`, `stateVarName="counts"` or `joinSide="left"`.

        Returns:
            Columns `key` and `value` (structs as the operator keeps them) and `partition_id`.
        """
        return self._read({"operatorId": operator, "storeName": store, **options}, key)

    def changes(
        self,
        first: int,
        last: int | None = None,
        operator: int = 0,
        store: str = DEFAULT_STORE,
        key: Mapping[str, int | str] | None = None,
        **options: Any,
    ) -> DataFrame:
        """What batches `first` to `last` (both included; the last committed one if None) did to the state.

        Args:
            operator, store, key, options: as for `rows`.

        Returns:
            Columns `batch_id`, `change_type` ("update", "delete" or "append"), `key`, `value` and `partition_id`.
        """
        feed: dict[str, Any] = {"readChangeFeed": True, "changeStartBatchId": first}
        if last is not None:
            feed["changeEndBatchId"] = last
        return self._read({"operatorId": operator, "storeName": store, **feed, **options}, key)

    def _read(self, options: dict[str, Any], key: Mapping[str, int | str] | None) -> DataFrame:
        rows = state_source.load(reading_session(), self.path, options)
        return state_source.of_key(rows, self.path, options, key) if key else rows

    def _summary(self, verify: bool, progress: Progress | None) -> Summary:
        jvm = gateway.checkpoint_reader()
        found = gateway.answer(jvm.checkpoint(self.path, verify))
        places = [(operator, place) for operator in found["operators"] for place in operator["stores"]]

        def look(at: tuple[dict[str, Any], dict[str, Any]]) -> Store:
            operator, place = at
            report = jvm.store(operator["operatorId"], place["partition"], place["name"])
            return store_of(operator, place, gateway.answer(report))

        stores = []
        pool = ThreadPoolExecutor(_STORES_AT_A_TIME)  # files on shared storage are waited for, more than read
        try:
            for store in pool.map(look, places):
                stores.append(store)
                if progress:
                    progress(len(stores), len(places))
        except KeyboardInterrupt:
            gateway.end_quiet_jvm()  # else Python would wait for whole stores before it ends
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
        return Summary(
            location=found["location"],
            provider=found.get("provider"),
            last_planned=found.get("lastPlanned"),
            last_committed=found.get("lastCommitted"),
            query_problems=problems_of(found),
            operators=tuple(
                Operator(
                    operator["operatorId"],
                    operator.get("name"),
                    tuple(store for store in stores if store.operator_id == operator["operatorId"]),
                )
                for operator in found["operators"]
            ),
        )
