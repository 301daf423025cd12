"""`rockstate bootstrap` tells of a checkpoint that is made, not of one that is moved."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyspark
import pytest

from rockstate import Checkpoint
from rockstate.cli import main
from rockstate.moving import program
from rockstate.moving.move import PROVIDERS, FamilyTotals, Move, StoreOutline
from rockstate.session import gateway

BEGUN = "file:/new-rockstate-begun-1"
LIKE = ["--like", "file:/old"]
QUERY = ["--query", "app.py", "--its", "own"]


@pytest.fixture(autouse=True)
def spark(monkeypatch: pytest.MonkeyPatch) -> None:
    """Within spark-submit; nothing is made."""

    def bootstrap(old: Checkpoint, new: str, tables: object, *, dry_run: bool, **_: Any) -> Move:
        stores = (StoreOutline(0, "stateStoreSave", "default", 3, 3, 4096, 7),)
        totals = () if dry_run else (FamilyTotals(0, "stateStoreSave", "default", "default", 7, "0" * 32),)
        ours = PROVIDERS["rockstate"]
        return Move(old.path, f"file:{new}", 4, ours, ours, 2, 2, stores, 3.0 if dry_run else None, totals)

    begun = program.Begun("1", BEGUN)
    monkeypatch.setattr(Checkpoint, "bootstrap", bootstrap)
    monkeypatch.setattr(program.Program, "run", lambda self: begun)
    monkeypatch.setattr(program.Program, "forget", lambda self: None)
    monkeypatch.setattr(gateway, "is_started_by_submit", lambda: True)
    monkeypatch.setattr(gateway, "start_quietly", lambda: None)


@pytest.fixture
def said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def run(*flags: str) -> str:
        answer = tmp_path / "answer"
        argv = ["bootstrap", "--in-submit", str(answer), "/new", "--table", "0-stateStoreSave/default=/tables", *flags]
        assert main(argv) == 0
        printed = capsys.readouterr().out
        return printed if "--like" in flags else answer.read_text(encoding="utf-8")

    return run


def test_a_checkpoint_for_a_query(said: Callable[..., str]) -> None:
    told = said(*QUERY)
    assert told.startswith(
        "made a checkpoint with tables for its state\nfor the query of app.py, which has read nothing"
    )
    assert "7 rows, read back from the new checkpoint: the same as were written" in told
    assert "Start the query with checkpointLocation file:/new and" in told
    assert "moved" not in told and "begun" not in told and "batch" not in told


def test_a_checkpoint_like_another(said: Callable[..., str]) -> None:
    told = said(*LIKE)
    assert "like file:/old after batch 4" in told
    assert "moved" not in told and "old one" not in told


def test_a_dry_run(said: Callable[..., str]) -> None:
    told = said("--dry-run", *QUERY)
    assert told.startswith("would make a checkpoint with tables for its state\n")
    assert "would read 4.0 KB" in told
    assert "begun" not in told


@pytest.mark.parametrize(("flags", "old"), [(LIKE, "file:/old"), (QUERY, None)], ids=str)
def test_json_names_no_folder_that_is_deleted(said: Callable[..., str], flags: list[str], old: str | None) -> None:
    told = json.loads(said("--json", *flags))
    assert (told["old"], told["new"], told["rows"]) == (old, "file:/new", 7)


SPARK_SUBMIT = """\
#!/bin/bash
echo "what the program prints"
while [ "$1" != --in-submit ]; do shift; done
echo '{"rows": 7}' > "$2"
exit 3
"""


def test_standard_output_has_the_answer_and_nothing_else(tmp_path: Path) -> None:
    for file in (f"jars/spark-core_2.13-{pyspark.__version__}.jar", "bin/spark-submit"):
        (tmp_path / file).parent.mkdir()
        (tmp_path / file).write_text(SPARK_SUBMIT)
        (tmp_path / file).chmod(0o755)
    command = [sys.executable, "-m", "rockstate", "bootstrap", "/new", "--json", *QUERY]
    environ = {**os.environ, "SPARK_HOME": str(tmp_path)}
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3, '{"rows": 7}\n')
    assert done.stderr == "what the program prints\n"


def test_a_table_of_no_form_is_refused_before_the_query_is_begun(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def begun(self: program.Program) -> program.Begun:
        raise AssertionError("the user's program has run")

    monkeypatch.setattr(program.Program, "run", begun)
    assert main(["bootstrap", "--in-submit", str(tmp_path / "answer"), "/new", "--table", "typo", *QUERY]) == 2
    assert "typo" in capsys.readouterr().err
