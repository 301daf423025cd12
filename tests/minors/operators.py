"""The rows of the tables in docs/compatibility.md, and which tests stand behind each.

A pattern names a test file of PySpark by its path below `tests`, `integration/test_limit`, or some of the file's tests,
`integration/test_join::*outer*`; a Scala suite by its room, `operators.RockstateLimitSuite`. A PySpark test that is
about several things counts in each of their rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

Patterns = tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """What is tested.

    Attributes:
        cells: what it is, and what else its table says of it.
    """

    cells: tuple[str, ...]
    pyspark: Patterns = ()
    scala: Patterns = ()

    @property
    def name(self) -> str:
        """The data file knows the row by this."""
        return self.cells[0]

    def patterns(self, language: str) -> Patterns:
        """Those of `pyspark` or `scala`."""
        return {"pyspark": self.pyspark, "scala": self.scala}[language]

    def has(self, language: str, suite: str, test: str) -> bool:
        """Whether it counts this test, or without a name any of the suite."""
        parts = (each.partition("::") for each in self.patterns(language))
        return any(
            fnmatchcase(suite, of_suite) and (not test or not of_test or fnmatchcase(test, of_test))
            for of_suite, _, of_test in parts
        )


@dataclass(frozen=True)
class Table:
    """One table of the page; the comments around it have its name.

    Attributes:
        head: above the cells of its rows; the minors come after these.
    """

    name: str
    head: tuple[str, ...]
    rows: tuple[Row, ...]


def _in(file: str, *tests: str) -> Patterns:
    """A file of `tests/integration`, or its tests whose names begin like this."""
    return tuple(f"integration/{file}::{test}*" for test in tests) or (f"integration/{file}",)


def _on_rockstate(*suites: str) -> Patterns:
    """Spark's own suites with Rockstate as the provider."""
    return tuple(f"operators.Rockstate{suite}" for suite in suites)


_STATEFUL = (
    Row(
        ("streaming aggregation", "1, 2", "append, update, complete"),
        _in("test_aggregation"),
        _on_rockstate("AggregationSuite"),
    ),
    Row(
        ("session windows, rows or merged sessions shuffled", "1", "append, complete"),
        _in("test_session", "test_session_windows"),
        _on_rockstate("SessionWindowSuite"),
    ),
    Row(
        ("`dropDuplicates`", "1", "append, update"),
        _in("test_dedup", "test_drop_duplicates_with_", "test_drop_duplicates_without_"),
        _on_rockstate("DeduplicationSuite"),
    ),
    Row(
        ("`dropDuplicatesWithinWatermark`", "1", "append, update"),
        _in("test_dedup", "test_drop_duplicates_within_", "test_within_"),
        _on_rockstate("DeduplicationWithinWatermarkSuite"),
    ),
    Row(
        ("inner and left semi join of streams", "2, 3, 4", "append, update"),
        _in("test_join", "*inner", "*left_semi"),
        _on_rockstate("InnerJoin*", "LeftSemiJoin*"),
    ),
    Row(
        ("left, right and full outer join of streams", "2, 3, 4", "append"),
        _in("test_join", "*outer"),
        _on_rockstate("OuterJoin*", "FullOuterJoin*"),
    ),
    Row(("the joins' state by itself", "1, 2, 3, 4", ""), (), _on_rockstate("JoinStateManager*")),
    Row(
        (
            "`mapGroupsWithState`, `flatMapGroupsWithState`; event-time, processing-time and no timeout",
            "1, 2",
            "append, update",
        ),
        (),
        _on_rockstate("GroupStateSuite"),
    ),
    Row(("the same with initial state", "1, 2", "append, update"), (), _on_rockstate("InitialGroupStateSuite")),
    Row(
        ("`applyInPandasWithState`; event-time, processing-time and no timeout", "1, 2", "append, update"),
        _in("test_group_state") + _in("test_session", "test_sessions_by_arbitrary_state"),
    ),
    Row(("streaming limit", "1", "append, complete"), _in("test_limit"), _on_rockstate("LimitSuite")),
    Row(
        ("several stateful operators in one query", "2", "append, update"),
        _in("test_several_operators"),
        _on_rockstate("MultipleOperatorsSuite"),
    ),
)

_ALL_VARIABLES = _in("test_transform_with_state", "test_value_list_and_map_with_ttl_timers_and_initial_state")

_TRANSFORM_WITH_STATE = (
    Row(
        ("value state, timers of both kinds, restarts, schema evolution", "UnsafeRow, Avro", "1 (UnsafeRow), 2 (Avro)"),
        _in("test_transform_with_state"),
        _on_rockstate(*(f"TransformWithState{each}Suite" for each in ("UnsafeRow", "Avro", "Validation"))),
    ),
    Row(
        ("list state, map state", "UnsafeRow, Avro", "1; 2 with row checksums¹"),
        _ALL_VARIABLES,
        _on_rockstate(
            *(f"TransformWith{each}State{what}Suite" for each in ("List", "Map") for what in ("", "Checksum"))
        ),
    ),
    Row(
        ("TTL of value, list and map state", "UnsafeRow; Avro¹", "2"),
        _ALL_VARIABLES,
        _on_rockstate("TransformWith*StateTTLSuite"),
    ),
    Row(
        ("initial state", "UnsafeRow, Avro", "2; 1¹"),
        _ALL_VARIABLES,
        _on_rockstate("TransformWithStateInitialState*"),
    ),
    Row(
        ("chained with other operators", "UnsafeRow; Avro¹", "2; 1¹"),
        (),
        _on_rockstate("TransformWithStateChaining*"),
    ),
    Row(
        ("state variables and timers by themselves", "UnsafeRow, Avro", "1"),
        (),
        _on_rockstate("ValueState*", "ListState*", "MapState*", "TimerSuite", "StatefulProcessorHandleSuite"),
    ),
    Row(("the session extension: restarts, other providers and other extensions", "", ""), (), ("extension.*",)),
)

_STATE_DATA_SOURCE = (
    Row(
        (
            "`batchId`, `operatorId`, `storeName`, `joinSide`, `snapshotStartBatchId`, `snapshotPartitionId`",
            "aggregation, deduplication, session windows, joins in formats 2, 3 and 4; Scala: also limit, joins in 1",
        ),
        _in(
            "test_state_data_source",
            *("test_the_state_of_", "test_the_state_from_", "test_the_latest_", "test_the_metadata_"),
            *("test_the_stores_", "test_each_operator_"),
        ),
        _on_rockstate("DataSourceReadSuite*"),
    ),
    Row(
        (
            "`readChangeFeed`, `changeStartBatchId`, `changeEndBatchId`",
            "aggregation; Scala: also limit, deduplication, joins",
        ),
        _in("test_state_data_source", "test_the_changes_of_every_batch"),
        _on_rockstate("ChangeFeedSuite*"),
    ),
    Row(
        (
            "`stateVarName`, `flattenCollectionTypes`, change feed; Scala: also `readRegisteredTimers`",
            "`transformWithState`: UnsafeRow, Avro¹; checkpoint formats 2, 1¹",
        ),
        _in("test_state_data_source", "test_the_state_variables_", "test_the_changes_of_a_state_variable"),
        _on_rockstate("DataSourceTransformWithState*"),
    ),
    Row(
        ("wrong values and combinations", "all of these"),
        _in("test_state_data_source", "test_a_batch_", "test_a_snapshot_"),
        _on_rockstate("DataSourceErrorsSuite", "DataSourceEmptyFoldersSuite"),
    ),
)

_BESIDE = (
    Row(
        ("queries killed at any moment, started again and put back to an earlier version",),
        _in("test_kill_restart") + _in("test_run_twice") + _in("test_warm_restart") + _in("test_go_back"),
        ("operators.QuerySuite",),
    ),
    Row(("files that are damaged, missing or another provider's",), _in("test_bad_input")),
    Row(
        ("options, Spark's and ours, checked when a query starts",),
        _in("test_options_at_start") + _in("test_spark_confs") + ("minors/test_from_rocksdb",),
    ),
    Row(
        ("`rockstate inspect`, `rows` and `changes`, and the same in Python",),
        _in("test_checkpoint")
        + _in("test_rows_errors")
        + ("minors/test_rows_of_formats", "minors/test_key_lookup", "minors/test_key_row"),
        ("lookup.*",),
    ),
    Row(
        ("[`rockstate migrate` and `repartition`](moving.md)",),
        _in("test_migrate")
        + _in("test_migrate_operators")
        + _in("test_former_variables")
        + _in("test_migrate_refusals")
        + _in("test_cut_off")
        + _in("test_in_place")
        + _in("test_in_place_cut_off")
        + _in("test_migrate_progress")
        + _in("test_small_heap")
        + _in("test_migrate_classes"),
        ("moving.*", "inplace.*"),
    ),
    Row(
        ("[`rockstate bootstrap`](moving.md#start-a-query-with-a-history-that-was-computed-in-batch)",),
        _in("test_bootstrap") + _in("test_begin"),
        ("bootstrap.*",),
    ),
    Row(
        ("[`rockstate fork` and `rollback`](moving.md)",),
        _in("test_rewind") + _in("test_rewind_files"),
        ("rewind.*",),
    ),
    Row(
        ("[`rockstate export`](moving.md#take-the-state-away-as-tables)",),
        _in("test_export") + _in("test_export_refusals"),
        ("exporting.*",),
    ),
    Row(("`rockstate verify`",), _in("test_verify") + _in("test_verify_queries"), ("inspect.*",)),
    Row(("real-time mode: Spark refuses every provider but its own",), _in("test_real_time")),
    Row(("`ProgressRecorder`",), _in("test_progress")),
    Row(("`rockstate demo`",), _in("test_demo")),
    Row(("`rockstate doctor --connect`",), ("launch/test_connect",)),
    Row(
        ("[conformance](conformance.md), in both checkpoint formats",),
        ("minors/test_conformance", "conformance/test_published::test_rockstate_conforms*"),
    ),
    Row(("[checkpoints of each minor](#from-one-spark-minor-to-another)",), ("minors/test_golden_checkpoints",)),
    Row(
        ("the provider by itself: stores, rows to bytes, files, errors, options, metrics",),
        (),
        (
            "codec.*",
            "conf.*",
            "errors.*",
            "files.*",
            "provider.*",
            "reports.*",
            "rows.*",
            "session.*",
            "shims.*",
            "store.*",
            "operators.RockstateStoreSuite*",
        ),
    ),
)

TABLES: Final = (
    Table("stateful-operators", ("operator", "state formats", "output modes"), _STATEFUL),
    Table("transform-with-state", ("what", "encodings", "checkpoint formats"), _TRANSFORM_WITH_STATE),
    Table("state-data-source", ("option", "tested on"), _STATE_DATA_SOURCE),
    Table("beside", ("what",), _BESIDE),
)

ROWS: Final = {row.name: row for table in TABLES for row in table.rows}

#: Suites that are in no row: what they test is part of the tests.
OF_THE_TESTS: Final = frozenset({"operators.SettledTriggersSuite"})
