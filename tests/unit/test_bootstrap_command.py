"""`rockstate bootstrap` tells of a checkpoint that is made, not of one that is moved."""

from __future__ import annotations

import json
from typing import Any

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


def said(capsys: pytest.CaptureFixture[str], *flags: str) -> str:
    assert main(["bootstrap", "--in-submit", "/new", "--table", "0-stateStoreSave/default=/tables", *flags]) == 0
    return capsys.readouterr().out


def test_a_checkpoint_for_a_query(capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, *QUERY)
    assert told.startswith(
        "made a checkpoint with tables for its state\nfor the query of app.py, which has read nothing"
    )
    assert "7 rows, read back from the new checkpoint: the same as were written" in told
    assert "Start the query with checkpointLocation file:/new and" in told
    assert "moved" not in told and "begun" not in told and "batch" not in told


def test_a_checkpoint_like_another(capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, *LIKE)
    assert "like file:/old after batch 4" in told
    assert "moved" not in told and "old one" not in told


def test_a_dry_run(capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, "--dry-run", *QUERY)
    assert told.startswith("would make a checkpoint with tables for its state\n")
    assert "would read 4.0 KB" in told
    assert "begun" not in told


@pytest.mark.parametrize(("flags", "old"), [(LIKE, "file:/old"), (QUERY, None)], ids=str)
def test_json_names_no_folder_that_is_deleted(
    capsys: pytest.CaptureFixture[str], flags: list[str], old: str | None
) -> None:
    told = json.loads(said(capsys, "--json", *flags))
    assert (told["old"], told["new"], told["rows"]) == (old, "file:/new", 7)
