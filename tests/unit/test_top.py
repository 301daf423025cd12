"""What `rockstate top` shows."""

from __future__ import annotations

import dataclasses
import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import rockstate
from rockstate.cli import main
from rockstate.cli.top import Recent
from rockstate.progress.plot import draw

PROGRESS: dict[str, Any] = {
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


def printed(recent: Recent) -> str:
    console = Console(file=io.StringIO(), width=200)
    console.print(recent.shown())
    return str(console.file.getvalue())  # type: ignore[attr-defined]


def test_names_that_look_like_markup_are_shown_as_they_are(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["top", str(file), "--once"]) == 0
    shown = capsys.readouterr().out
    assert "orders [/eu] $_^$" in shown
    assert "0 [bold]dedupe" in shown


def test_80_columns_cut_no_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from rockstate.progress.batches import records_of

    recorder = rockstate.ProgressRecorder(tmp_path / "progress.jsonl")
    figures = {"numRowsTotal": 12_345_678_901, "memoryUsedBytes": 1023 * 2**30, "commitTimeMs": 1_234_567}
    operators = [{"operatorName": "symmetricHashJoin", "numRowsUpdated": 1, **figures} for _ in range(3)]
    for batch, took in ((3, 9_876_543), (4, 10)):
        durations = {"triggerExecution": took}
        recorder._extend(
            records_of({**PROGRESS, "batchId": batch, "durationMs": durations, "stateOperators": operators})
        )
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["top", str(tmp_path / "progress.jsonl"), "--once"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    rows = [line for line in lines if "12,345,678,901" in line]
    assert len(rows) == 3
    assert all("1,234,567" in row and "1023.0 GB" in row for row in rows)
    assert "batch 4" in " ".join(lines) and "9,876,543 ms" in " ".join(lines)


def test_json_has_every_batch(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["top", str(file), "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["query"] == PROGRESS["name"]
    assert json.loads(line)["batch"] == PROGRESS["batchId"]


def test_a_line_that_a_full_disk_cut_costs_no_other(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from rockstate.progress.batches import records_of

    whole = file.read_text()
    file.write_text(whole + whole[: len(whole) // 2])
    recorder = rockstate.ProgressRecorder(file)
    recorder._extend(records_of({**PROGRESS, "batchId": 4}))
    recorder._extend(records_of({**PROGRESS, "batchId": 5}))
    assert main(["top", str(file), "--once"]) == 0
    assert "batch 5" in capsys.readouterr().out
    assert [record.batch for record in rockstate.ProgressRecorder.read(file).records] == [3, 4, 5]
    assert file.read_text().count("\n") == 4


@pytest.mark.parametrize("content", [b'{"id":"x"}\n', b"[1]\n5\n", b'{"query":\n', b"\x00\xff\xfe\n"])
def test_a_file_of_something_else_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    (tmp_path / "other.json").write_bytes(content)
    assert main(["top", str(tmp_path / "other.json"), "--once"]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "other.json" in said and "ProgressRecorder(file=...)" in said


@pytest.mark.parametrize("content", ["", '{"query": "a"'])
def test_a_file_without_a_whole_line_yet_has_no_records(tmp_path: Path, content: str) -> None:
    (tmp_path / "progress.jsonl").write_text(content)
    assert rockstate.ProgressRecorder.read(tmp_path / "progress.jsonl").records == ()


def test_a_long_file_is_read_whole(file: Path) -> None:
    file.write_text(file.read_text() * 100_001)
    assert len(rockstate.ProgressRecorder.read(file).records) == 100_001


class TestAFileThatGrows:
    def progress(self, batch: int, millis: int = 1) -> dict[str, Any]:
        return {**PROGRESS, "batchId": batch, "durationMs": {"triggerExecution": millis}}

    def test_each_look_reads_what_came_since(self, tmp_path: Path) -> None:
        from rockstate.progress.batches import records_of
        from rockstate.progress.followed import ProgressFile

        path = tmp_path / "progress.jsonl"
        recorder, followed = rockstate.ProgressRecorder(path), ProgressFile(path)
        for batches in ([0, 1], [], [2]):
            for batch in batches:
                recorder._extend(records_of(self.progress(batch)))
            assert [record.batch for record in followed.records()] == batches
        whole = path.read_bytes()
        path.write_bytes(whole + whole[:50])
        assert list(followed.records()) == []
        path.write_bytes(whole + whole)
        assert [record.batch for record in followed.records()] == [0, 1, 2]
        path.write_bytes(whole[: len(whole) // 3])
        assert [record.batch for record in followed.records()] == [0], "it was cut, and begun anew"
        other = tmp_path / "other"
        other.write_bytes(whole + whole)
        other.rename(path)
        assert [record.batch for record in followed.records()] == [0, 1, 2, 0, 1, 2], "another is in its place"

    def test_what_is_shown_is_of_the_last_batches(self) -> None:
        from rockstate.progress.batches import records_of

        recent = Recent()
        for batch, millis in [(0, 777), *((n, 1) for n in range(1, 101)), (50, 3)]:
            recent.with_more(records_of(self.progress(batch, millis)))
            text = printed(recent)
            assert ("777 ms" in text) == (batch < 100 and millis != 3)
        assert "batch 50, 0 rows in, 3 ms" in text and "took 3 ms" in text
        assert len(recent._of[PROGRESS["name"]]) == 50, "the query has gone back to it"


def test_names_that_look_like_formulas_are_drawn(file: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    rockstate.ProgressRecorder.read(file).plot(tmp_path / "plot.png")
    assert (tmp_path / "plot.png").is_file()


def test_axes_of_the_plot_have_units_whole_numbers_and_commas(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    pytest.importorskip("matplotlib")
    figures: list[Any] = []
    monkeypatch.setattr("rockstate.drawing.plots.save", lambda figure, path: figures.append(figure))
    records = [
        dataclasses.replace(record, batch=batch, state_rows=4000 * batch, snapshot_lag=batch)
        for record in rockstate.ProgressRecorder.read(file).records[:1]
        for batch in range(4)
    ]
    draw(records, Path("plot.png"))
    figures[0].canvas.draw()
    axes = figures[0].axes
    assert [panel.get_ylabel() for panel in axes] == ["seconds", "rows", "seconds", "MB", "deltas"]
    rows, deltas = ([label.get_text() for label in axes[at].get_yticklabels()] for at in (1, 4))
    assert "3,000" in rows
    assert all(label.isdigit() for label in deltas)
    assert all("." not in label.get_text() for label in axes[-1].get_xticklabels())
