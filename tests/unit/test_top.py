"""What `rockstate top` shows."""

from __future__ import annotations

from pathlib import Path

import pytest

import rockstate
from rockstate.cli import main

PROGRESS = {
    "id": "1",
    "runId": "2",
    "name": "orders [/eu] $_^$",
    "batchId": 3,
    "timestamp": "2025-01-01T00:00:00.000Z",
    "stateOperators": [{"operatorName": "[bold]dedupe", "numRowsTotal": 1, "numRowsUpdated": 1, "memoryUsedBytes": 1}],
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A recorder's file with one batch of a query whose names look like markup."""
    from rockstate.progress.batches import records_of

    recorder = rockstate.ProgressRecorder(tmp_path / "progress.jsonl")
    recorder._extend(records_of(PROGRESS))
    return tmp_path / "progress.jsonl"


def test_names_that_look_like_markup_are_shown_as_they_are(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["top", str(file), "--once"]) == 0
    shown = capsys.readouterr().out
    assert "orders [/eu] $_^$" in shown
    assert "0 [bold]dedupe" in shown


def test_names_that_look_like_formulas_are_drawn(file: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    rockstate.ProgressRecorder.read(file).plot(tmp_path / "plot.png")
    assert (tmp_path / "plot.png").is_file()
