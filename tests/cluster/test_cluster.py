"""Five queries on a real cluster with checkpoints on a real HDFS, while everything breaks: `make cluster-test`."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cluster.faults import DISK, KILL, NO_DISK
from tests.cluster.hdfs import Hdfs
from tests.cluster.judging import judged_run
from tests.cluster.run import FULL

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("format_version", [1, 2])
def test_five_queries_survive_everything(tmp_path: Path, format_version: int) -> None:
    broken = judged_run(FULL, tmp_path, Hdfs, format_version, f"format-{format_version}")
    assert set(FULL.script.deck) - set(broken) == ({DISK} if NO_DISK in broken else set())
    assert broken[KILL] >= FULL.script.deck[KILL]
