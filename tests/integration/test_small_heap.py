"""A move whose partitions are larger than the heap."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import IS_WHOLE
from tests.integration.cut_off import REPOSITORY
from tests.integration.minors import MINOR
from tests.quick_spark import quick_spark

from rockstate.launch.versions import is_since

ROWS = 2_000_000  # of 400 bytes: 400 MB in each of two partitions, which are written at the same time
HEAP = "512m"  # Spark starts with no less


@pytest.mark.skipif(not is_since(MINOR, "4.2"), reason="Spark before 4.2 cannot write a store anew")
@pytest.mark.skipif(not IS_WHOLE, reason="takes four minutes: PortionsSuite asks the same of the engine")
def test_partitions_larger_than_the_heap_are_made_and_moved(tmp_path: Path) -> None:
    environment = {**quick_spark(), "SPARK_DRIVER_MEMORY": HEAP}
    done = subprocess.run(
        [sys.executable, "-m", "tests.integration.small_heap", str(tmp_path), str(ROWS)],
        cwd=REPOSITORY,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert f"moved {ROWS} rows" in done.stdout, done.stdout + done.stderr[-10_000:]
