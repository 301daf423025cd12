"""The programs of docs/findings still show what they are said to show: if Spark has mended it, its page has to go."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.quick_spark import environment_without_spark

FOLDER = Path(__file__).parents[2] / "docs" / "findings"
SHOWN = {
    "reused_rows.py": "get('a') gave a row with 'value of a'; after get('b') the same row has 'value of b'",
    "deleted_range_is_counted.py": "After deleteRange of 5 of 10 keys a scan gives 5 keys, and numKeys is 10",
    "snapshot_of_another_history.py": "HDFSBackedStateStoreProvider: version 3 has ['old1', 'old2', 'old3'], not",
    "scan_ends_at_damage.py": "Of 5000 keys a scan gave 1290, and ended without an error",
    "changelogs_of_the_winner_deleted.py": "After version 3 is committed version 2 cannot be loaded: "
    "[CANNOT_LOAD_STATE_STORE.CANNOT_READ_STREAMING_STATE_FILE]",
    "second_operator_gets_the_firsts_store.py": "On RocksDB it ended with AssertionError: assertion failed: "
    "Can only upgrade readStore to writeStore with the same stateStoreId",
    "state_needs_a_coordinator.py": "Reading the state ended with: [CANNOT_LOAD_STATE_STORE.UNCATEGORIZED] "
    "An error occurred during loading state.",
}


@pytest.mark.parametrize("name", SHOWN)
def test_a_program_shows_its_finding_with_pyspark_alone(name: str, tmp_path: Path) -> None:
    alone = environment_without_spark("PYTHONPATH")
    command = [sys.executable, str(FOLDER / name)]
    ended = subprocess.run(command, cwd=tmp_path, env=alone, capture_output=True, text=True, check=False, timeout=300)
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert SHOWN[name] in ended.stdout


def test_every_program_is_run_and_has_its_text() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert sorted(path.name for path in FOLDER.glob("*.py")) == sorted(SHOWN)
    assert [line for line in SHOWN.values() if line not in page] == []
