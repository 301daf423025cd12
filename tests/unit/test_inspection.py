"""What is drawn and written of a checkpoint's state."""

from __future__ import annotations

import dataclasses
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from rockstate import Misuse, NotFound
from rockstate.base.units import bytes_text
from rockstate.cli import main
from rockstate.drawing import plots
from rockstate.inspection.answers import store_of
from rockstate.inspection.findings import FILE_KINDS, Files, Operator, Problem, Store
from rockstate.inspection.roots import verdict
from rockstate.inspection.summary import Summary

NASTY = "$x_{<script>alert(1)</script>&\"'"


def store(partition: int, name: str = "default", operator: int = 0, **figures: object) -> Store:
    known = {
        "operator_id": operator,
        "operator": "stateStoreSave",
        "partition": partition,
        "name": name,
        "location": f"file:/checkpoint/state/{operator}/{partition}",
        "loadable": ((1, 3), (5, 9)),
        "newest": 9,
        "rows": 100 + partition,
        "families": {"default": 100 + partition},
        "newest_snapshot": 8,
        "deltas": Files(9, 9000),
        "snapshots": Files(1, 500),
        "tables": Files(1, 70_000),
        "orphans": Files(0, 0),
        "others": Files(0, 0),
        "problems": (),
        "verified": True,
    }
    return Store(**{**known, **figures})  # type: ignore[arg-type]


def summary(*stores: Store, name: str = "stateStoreSave") -> Summary:
    ids = sorted({store.operator_id for store in stores})
    operators = tuple(Operator(id_, name, tuple(s for s in stores if s.operator_id == id_)) for id_ in ids)
    return Summary("file:/checkpoint", "io.rockstate.RockStateStoreProvider", 8, 8, operators)


UNKNOWN = store(0, loadable=(), newest=None, rows=None, newest_snapshot=None, verified=False)
WRONG = store(1, NASTY, problems=(Problem(NASTY, 4, NASTY, NASTY),))


class Page(HTMLParser):
    """The tags and the text of a page; fails if a tag is closed that is not open."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not {name for name, _ in attrs} & {"src", "href", "onload", "onclick"}
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def html(shown: Summary, folder: Path) -> tuple[str, Page]:
    shown.to_html(folder / "page.html")
    text = (folder / "page.html").read_text(encoding="utf-8")
    return text, Page(text)


def test_the_page_tells_every_figure(tmp_path: Path) -> None:
    text, page = html(summary(store(0), store(1)), tmp_path)
    for figure in ("1-3, 5-9", "100", "101", bytes_text(79_500), "sound", "stateStoreSave", "201 rows", "batches"):
        assert figure in page.text
    assert page.tags.count("svg") == 5
    assert "http" not in text
    assert page.tags.count("i") == len(FILE_KINDS) + 1, "a key to the colours"


def test_whatever_names_hold_is_text(tmp_path: Path) -> None:
    _, page = html(summary(WRONG, name=NASTY), tmp_path)
    assert page.text.count(NASTY) >= 4
    assert "script" not in page.tags
    assert "1 problem" in page.text


@pytest.mark.parametrize("shown", [summary(), summary(UNKNOWN), summary(WRONG, name=NASTY), summary(store(7))])
def test_little_or_odd_state_is_drawn_and_written(shown: Summary, tmp_path: Path) -> None:
    html(shown, tmp_path)
    shown.plot(tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


def test_hundreds_of_partitions_and_many_stores_fit(tmp_path: Path) -> None:
    names = [f"{side}-{kind}" for side in ("left", "right") for kind in ("keyToNumValues", "keyWithIndexToValue")]
    big = summary(*(store(partition, name) for name in names for partition in range(200)))
    text, page = html(big, tmp_path)
    assert page.tags.count("details") == len(names)
    assert "<details open" not in text
    assert len(text) < 2_000_000
    big.plot(tmp_path / "plot.svg")
    assert "left-keyToNumValues" in (tmp_path / "plot.svg").read_text(encoding="utf-8")


def test_many_operators_fit_into_one_picture(tmp_path: Path) -> None:
    summary(*(store(0, operator=operator) for operator in range(20))).plot(tmp_path / "plot.png")
    assert (tmp_path / "plot.png").stat().st_size > 10_000


def test_a_file_that_cannot_be_written_is_an_error_that_says_so(tmp_path: Path) -> None:
    shown = summary(store(0))
    with pytest.raises(Misuse, match=r"\.svg"):
        shown.plot(tmp_path / "plot.txt")
    for write in (shown.plot, shown.to_html):
        with pytest.raises(Misuse, match="cannot be written"):
            write(tmp_path / "nowhere" / "out.png")


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(NotFound, match=r"pip install 'rockstate\[plot\]'"):
        summary(store(0)).plot(tmp_path / "plot.png")
    with pytest.raises(NotFound, match="matplotlib"):
        plots.check(tmp_path / "plot.png")
    html(summary(store(0)), tmp_path)


def test_the_terminal_shows_names_as_they_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = "[/red] [bold]"
    shown = summary(store(0, odd, problems=(Problem(odd, 4, odd, odd),)), name=odd)
    monkeypatch.setattr("rockstate.cli.inspect.Checkpoint.verify", lambda *_: shown)
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["verify", "checkpoint"]) == 1
    out = capsys.readouterr().out
    assert out.count(odd) == 5
    assert out.endswith("There is 1 problem. The query can restart all the same.\n")


JOIN = ("left-keyToNumValues", "left-keyWithIndexToValue", "right-keyToNumValues", "right-keyWithIndexToValue")
BIG: dict[str, Any] = {"rows": 1_234_567_890, "tables": Files(100, 1023 * 2**30), "newest_snapshot": 0}


def shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], found: Summary, *flags: str, columns: int = 80
) -> str:
    """What `inspect` prints on a terminal."""
    monkeypatch.setattr("rockstate.cli.inspect.Checkpoint.inspect", lambda *_: found)
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main(["inspect", "checkpoint", *flags]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("flags", [(), ("--all",)])
def test_80_columns_cut_no_number_and_no_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], flags: tuple[str, ...]
) -> None:
    orphans = Files(12_345, 1)
    found = summary(*(store(partition, name, orphans=orphans, **BIG) for name in JOIN for partition in range(200)))
    out = shown(monkeypatch, capsys, found, *flags)
    tables = [line for line in out.splitlines() if "1,234,567,890" in line]
    assert len(tables) == (800 if flags else 5)
    assert all(len(line) <= 80 and "1023.0 GB" in line and "12,345" in line for line in tables)
    assert "…" not in out
    assert not flags or all(f"store {name}" in out for name in JOIN)


def test_on_a_narrower_terminal_lines_go_on_and_nothing_is_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = shown(monkeypatch, capsys, summary(*map(store, range(3))), "--all", columns=40)
    assert all(f"{partition}  " in out and f"{100 + partition}" in out for partition in range(3))
    assert "versions" in out and "…" not in out


def test_rows_that_nobody_could_count_are_not_none() -> None:
    damaged = {"file": "9.delta", "problem": "It is cut short", "remedy": "Restore it", "version": 9}
    report = {"newest": None, "loadable": [], "isVerified": True, "problems": [damaged]}
    files = {kind: {"files": 0, "bytes": 0} for kind in FILE_KINDS}
    place = {"isFormer": False, "partition": 1, "name": "default", "location": "x"}
    lost = store_of({"operatorId": 0, "name": "dedupe"}, place, {**report, **files})
    assert lost.rows is None
    assert store_of({"operatorId": 0}, place, {**report, **files, "problems": []}).rows == 0
    operator = Operator(0, "dedupe", (store(0), lost))
    assert (operator.rows, operator.skew, operator.title) == (None, None, "operator 0: dedupe")


def test_of_many_stores_those_are_shown_that_stand_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    odd: dict[int, dict[str, Any]] = {
        70: {"problems": (Problem("7.delta", 7, "It is damaged", "Restore it."),)},
        80: {"newest": 99, "newest_snapshot": 1},
        90: {"rows": 10_000},
        95: {"deltas": Files(9, 10**9)},
        60: {"orphans": Files(3, 0)},
    }
    stores = [dataclasses.replace(store(partition), **odd.get(partition, {})) for partition in range(100)]
    out = shown(monkeypatch, capsys, summary(*stores))
    lines = out[out.index("store ") :].splitlines()
    assert lines[0].rstrip().endswith("stands out by")
    by = {int(line.split()[0]): line.split()[-1] for line in lines[1:6]}
    assert by == {70: "problems", 80: "deltas", 90: "rows", 95: "size", 60: "orphans"}
    assert lines[6] == "100 stores; --all shows each"


def test_what_is_the_same_for_all_stores_makes_none_stand_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    equal = [store(partition, rows=100_000) for partition in range(100)]
    out = shown(monkeypatch, capsys, summary(*equal))
    assert "stands out by" not in out
    assert "100 stores, and none stands out; --all shows each" in out
    for rows, standing in ((104_000, []), (149_000, []), (151_500, ["100"])):
        out = shown(monkeypatch, capsys, summary(*equal, store(100, rows=rows)))
        assert [line.split()[0] for line in out.splitlines() if line.split()[-1:] == ["rows"]] == standing


def test_little_state_and_stores_of_another_kind_do_not_stand_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = [
        store(partition, rows=900 if partition == 7 else 10, deltas=Files(9, partition)) for partition in range(20)
    ]
    kinds = [store(partition, name, rows=10_000 * len(name)) for partition in range(10) for name in ("a", "b" * 9)]
    for stores in (small, kinds):
        assert "none stands out" in shown(monkeypatch, capsys, summary(*stores))


def test_files_that_a_batch_may_be_writing_are_no_orphans(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stores = [store(partition, orphans=Files(2 if partition == 7 else 0, 0)) for partition in range(20)]
    assert "; 2 orphans" in shown(monkeypatch, capsys, summary(*stores))
    writing = dataclasses.replace(summary(*stores), last_planned=9)
    out = shown(monkeypatch, capsys, writing)
    assert "; 2 files are being written or left over" in " ".join(out.split())
    assert "none stands out" in out


def test_one_delta_is_not_called_deltas(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert "a recovery replays 1 delta a store, at most 1" in shown(monkeypatch, capsys, summary(store(0)))


def test_problems_are_sentences_and_many_are_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = summary(*(store(n, problems=(Problem("7.delta", 7, "It is damaged", "Restore it."),)) for n in range(7)))
    out = shown(monkeypatch, capsys, found)
    assert "file:/checkpoint/state/0/4/7.delta\n  It is damaged.\n  Restore it.\n" in out
    assert "and 2 more; --all shows each\nThere are 7 problems. The query can restart all the same.\n" in out
    assert shown(monkeypatch, capsys, found, "--all").count("It is damaged.") == 7


def of_provider(name: str) -> Summary:
    return dataclasses.replace(summary(store(0, verified=False)), provider=name)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (summary(store(0)), "The checkpoint is sound"),
        (summary(store(0, verified=False)), "`rockstate verify` does that"),
        (summary(store(0)), "files of 1 stateful operator were read"),
        (of_provider("org.apache.spark.A"), "Another provider's files"),
        (of_provider("com.example.A"), "were not looked at"),
    ],
)
def test_the_verdict_is_a_sentence(found: Summary, words: str, tmp_path: Path) -> None:
    assert words in verdict(found)
    assert verdict(found).endswith(".")
    assert words in html(found, tmp_path)[1].text


def drawn(monkeypatch: pytest.MonkeyPatch, found: Summary) -> Any:
    """The figure that would be saved, laid out."""
    figures: list[Any] = []
    monkeypatch.setattr(plots, "save", lambda figure, path: figures.append(figure))
    found.plot("plot.png")
    figures[0].canvas.draw()
    return figures[0]


def test_axes_have_units_and_whole_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    small = store(0, rows=1, newest_snapshot=8, tables=Files(0, 0), snapshots=Files(0, 0), deltas=Files(9, 200))
    axes = drawn(monkeypatch, summary(small, dataclasses.replace(small, partition=1))).axes
    assert [panel.get_ylabel() for panel in axes] == ["rows", "size, B", "deltas to\nreplay", "loadable\nversions"]
    assert [panel.get_xlabel() for panel in axes] == ["", "", "partition", "partition"]
    for panel in axes:
        labels = [label.get_text() for label in panel.get_yticklabels()]
        assert all(label.isdigit() for label in labels)
        assert len(labels) == len({*labels})


def test_a_partition_that_stands_out_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    far: dict[int, dict[str, Any]] = {7: {"rows": 9_000, "tables": Files(1, 280_000)}}
    found = summary(*(store(partition, **{"rows": 100, **far.get(partition, {})}) for partition in range(20)))
    rows, sizes, deltas, _ = drawn(monkeypatch, found).axes
    assert "the most in a partition 16.51 times the mean" in rows.get_title(loc="left")
    assert [text.get_text() for text in rows.texts] == [" 7: 9,000, 16.5 times the mean "]
    assert [text.get_text() for text in sizes.texts] == [" 7: 282.7 KB, 3.2 times the mean "]
    assert not deltas.texts


def test_bars_of_versions_end_at_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    versions = drawn(monkeypatch, summary(store(0), store(1))).axes[3]
    assert {(bar.get_y(), bar.get_y() + bar.get_height()) for bar in versions.patches} == {(0, 3), (4, 9)}


@pytest.mark.parametrize("names", [("default",), JOIN])
def test_a_query_fits_a_slide(monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...]) -> None:
    figure = drawn(monkeypatch, summary(*(store(partition, name) for name in names for partition in range(12))))
    width, height = figure.get_size_inches()
    assert width / height == pytest.approx(16 / 9, rel=0.01)
    assert len(figure.axes) == 4 * len(names)
    for axes in figure.axes:
        assert axes.yaxis.label.get_window_extent().height <= 1.1 * axes.get_window_extent().height
