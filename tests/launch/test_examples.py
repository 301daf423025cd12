"""The examples do what they say; that of Spark Connect runs in test_connect.py, which has a server."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import IS_WHOLE
from tests.launch.notebook import PICTURE, cells_of, kept_output
from tests.launch.pages import environment, narrow

EXAMPLES = Path(__file__).parents[2] / "examples"
NOTEBOOK = EXAMPLES / "state.ipynb"
DELTA = "io.delta:delta-spark_4.2_2.13:4.4.0"

pytestmark = pytest.mark.slow


def run(folder: Path, *command: str) -> str:
    """What a command prints, started in the folder; its temporary files stay there."""
    env = {**environment(folder), "PYTHONPATH": str(EXAMPLES.parent), "TMPDIR": str(folder)}
    done = subprocess.run(
        command, cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr[-8000:]
    return done.stdout


def test_the_notebooks_cells_print_what_is_below_them(tmp_path: Path) -> None:
    printed = json.loads(run(tmp_path, sys.executable, "-m", "tests.launch.notebook", str(NOTEBOOK)).splitlines()[-1])
    cells = cells_of(NOTEBOOK)
    assert [narrow(text) for text in printed] == [narrow(kept_output(cell)) for cell in cells]
    assert printed.count(PICTURE) == 2


def test_a_batch_that_failed_is_read_again_and_counted_once(tmp_path: Path) -> None:
    printed = run(tmp_path, sys.executable, str(EXAMPLES / "replay.py")).splitlines()
    assert printed[-3:] == [
        "batches [0, 1] went well, batch 2 failed",
        "then batches [2]",
        "18 words, each counted once: 'to' 3 times",
    ]


def delta_jars(folder: Path) -> str:
    """Delta Lake and what it needs beside Spark; by Maven, which the build needs, too."""
    group, name, version = DELTA.split(":")
    for artifact in (name, "delta-storage"):
        copy = ["org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy", f"-DoutputDirectory={folder}"]
        command = ["mvn", "-q", "-B", *copy, f"-Dartifact={group}:{artifact}:{version}"]
        subprocess.run(command, cwd=folder, check=True, stdin=subprocess.DEVNULL)
    return ",".join(str(jar) for jar in sorted(folder.glob("*.jar")))


@pytest.mark.skipif(not IS_WHOLE, reason="Delta Lake is fetched; `make test-all` runs it")
def test_a_batch_that_runs_twice_is_in_the_delta_table_once(tmp_path: Path) -> None:
    assert f"--packages {DELTA} examples/delta_sink.py" in (EXAMPLES / "README.md").read_text(encoding="utf-8")
    command = (sys.executable, "-m", "rockstate", "submit", "--jars", delta_jars(tmp_path))
    printed = run(tmp_path, *command, str(EXAMPLES / "delta_sink.py")).splitlines()
    assert printed[:4] == [
        "batch 0 was given to Delta",
        "batch 1 was given to Delta",
        "the query failed; it is started again",
        "batch 1 was given to Delta",
    ]
    assert "to: 2 after batch 0" in printed and "to: 4 after batch 1" in printed
    assert printed[-1] == "batch 1 ran twice, and the table has it once"
