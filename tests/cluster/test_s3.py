"""Queries on a real cluster with checkpoints on S3, as docs/scale.md has them there, while everything breaks."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cluster.judging import judged_run
from tests.cluster.run import SHORT
from tests.cluster.s3 import S3

pytestmark = pytest.mark.slow


def test_two_queries_survive_a_few_faults(tmp_path: Path) -> None:
    broken = judged_run(SHORT, tmp_path, S3, 2, "s3")
    assert set(SHORT.script.deck) <= set(broken)
    assert broken["driver started"] > 1
