"""The parts of the end-to-end benchmarks that need no Spark."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from benchmarks import contenders
from benchmarks.process import CANNOT
from benchmarks.pyspark import _command, _progress, _session
from benchmarks.pyspark._arrivals import Arrivals
from benchmarks.pyspark._progress import Batch
from benchmarks.pyspark._question import Sizes
from benchmarks.questions import PYSPARK, pyspark_questions

from rockstate.options.keys import PROVIDER_KEY, STATE_STORE

PROGRESS: dict[str, Any] = {
    "batchId": 3,
    "durationMs": {"triggerExecution": 120, "addBatch": 100},
    "stateOperators": [
        {"allUpdatesTimeMs": 10, "allRemovalsTimeMs": 2, "commitTimeMs": 30},
        {"allUpdatesTimeMs": 1, "allRemovalsTimeMs": 0, "commitTimeMs": 4},
    ],
    "observedMetrics": {"answer": {"rows": 5, "hashes": -77}},
}


def test_state_time_is_that_of_all_operators() -> None:
    assert _progress.batch(PROGRESS, "answer") == Batch(id=3, millis=120, state_millis=47, output=(5, -77))


def test_a_batch_without_output_has_no_hashes() -> None:
    empty = {**PROGRESS, "observedMetrics": {"answer": {"rows": 0, "hashes": None}}}
    assert _progress.batch(empty, "answer").output == (0, 0)


def test_metrics_are_those_that_the_readme_names() -> None:
    found = _progress.metrics([Batch(number, number, 10 * number, (0, 0)) for number in range(1, 101)], 7.5)
    assert {name: metric["value"] for name, metric in found.items()} == {
        "total_s": 5.05,
        "batch_p50_ms": 50.5,
        "batch_p99_ms": 99,
        "state_ms_per_batch": 505,
        "cpu_ms_per_batch": 7.5,
    }
    assert {metric["better"] for metric in found.values()} == {"lower"}


@pytest.mark.parametrize(("count", "share", "least"), [(1, 0.99, 1), (10, 0.99, 10), (100, 0.99, 99), (4, 0.5, 2)])
def test_a_quantile_is_one_of_the_values(count: int, share: float, least: int) -> None:
    assert _progress.quantile(list(range(count, 0, -1)), share) == least


def test_batches_are_counted_after_the_load_and_the_warm_up() -> None:
    sizes = Sizes(keys=10, rows=2, warmup=3, batches=5)
    assert (sizes.first_counted, sizes.half_way, sizes.last) == (4, 6, 8)


@pytest.mark.parametrize(("rows", "warmup"), [(100_000, 15), (1_000_000, 5), (50_000, 30), (1_000, 50)])
def test_small_batches_have_a_longer_warm_up(rows: int, warmup: int) -> None:
    assert _command.sizes(rows, 10, 500_000, None).warmup == warmup
    assert _command.sizes(rows, 10, 500_000, 1).warmup == 1


def test_the_source_makes_batches_of_one_size() -> None:
    assert Arrivals(load=500, rows=100).source_options["rowsPerBatch"] == "100"


@pytest.mark.parametrize("name", ["rockstate", "in-heap", "rocksdb", "changelog", "tuned"])
def test_sessions_differ_in_the_state_store_only(name: str, tmp_path: Path) -> None:
    confs = _session.contender_confs(contenders.named(name), contenders.DEFAULT_BUDGET)
    assert all(key.startswith("spark.sql.streaming.stateStore.") for key in confs)
    assert not set(confs) & set(_session.common_confs("2g", (), tmp_path))


def test_rockstate_is_configured_by_its_own_function() -> None:
    assert _session.contender_confs(contenders.named("rockstate"), contenders.DEFAULT_BUDGET) == {
        STATE_STORE + "compression.codec": "zstd",
        STATE_STORE + "rockstate.memoryBudget": str(contenders.DEFAULT_BUDGET),
    }
    own = _session.contender_confs(contenders.named("mine=org.example.Mine"), contenders.DEFAULT_BUDGET)
    assert own == {PROVIDER_KEY: "org.example.Mine"}


@pytest.mark.parametrize("spelling", ["tuned", "mine=org.example.Mine"])
def test_scripts_find_the_contender_that_the_runner_means(spelling: str) -> None:
    assert contenders.spelled(contenders.named(spelling)) == spelling


def test_every_script_is_a_question() -> None:
    assert set(pyspark_questions()) == {
        "apply_in_pandas_with_state",
        "deduplication",
        "join",
        "many_partitions",
        "transform_with_state",
        "transform_with_state_in_pandas",
        "windowed_aggregation",
    }


def test_a_contender_that_is_no_state_store_cannot(tmp_path: Path) -> None:
    command = [sys.executable, str(PYSPARK / "join.py"), "--contender", "bare", "--out", str(tmp_path / "result.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (CANNOT, "bare is no state store for a query\n")
    assert not list(tmp_path.iterdir())
