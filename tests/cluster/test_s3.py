"""Queries on a real cluster with checkpoints on S3, as docs/scale.md has them there, while everything breaks."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cluster.faults import DISK, NO_DISK
from tests.cluster.judging import judged_run
from tests.cluster.run import FULL_ON_S3
from tests.cluster.s3 import S3
from tests.cluster.unreliable_s3 import FATES

pytestmark = pytest.mark.slow


def test_five_queries_survive_everything(tmp_path: Path) -> None:
    broken = judged_run(FULL_ON_S3, tmp_path, S3, 2, "s3")
    wanted = {*FULL_ON_S3.script.deck, *FATES}
    assert wanted - set(broken) == ({DISK} if NO_DISK in broken else set())
