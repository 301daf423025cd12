"""The short form of `test_cluster`, for CI: `make cluster-test-short`."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cluster.hdfs import Hdfs
from tests.cluster.judging import judged_run
from tests.cluster.run import SHORT

pytestmark = pytest.mark.slow


def test_two_queries_survive_a_few_faults(tmp_path: Path) -> None:
    broken = judged_run(SHORT, tmp_path, Hdfs, 2, "short")
    assert set(SHORT.script.deck) <= set(broken)
    assert broken["driver started"] > 1
