"""The commands that look into a checkpoint, each in a process of its own, beside its query and after its end."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.looking import COMMANDS

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow


def test_each_command_works_beside_the_query(tmp_path: Path) -> None:
    sizes = ("--keys", "40000", "--partitions", "8", "--rounds", "1")
    command = [sys.executable, "-m", "benchmarks.looking", *sizes, "--out", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads((tmp_path / "looking.json").read_text("utf-8"))
    assert found["batches"] > 0
    told = [(each["command"], each["query"]) for each in found["measured"]]
    assert told == [(name, query) for query in ("running", "stopped") for name in COMMANDS]
    assert [path.name for path in tmp_path.iterdir()] == ["looking.json"]
