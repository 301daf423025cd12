"""What is drawn and written of a checkpoint's state."""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from rockstate import Misuse, NotFound
from rockstate.base.units import bytes_text
from rockstate.cli import main
from rockstate.drawing import plots
from rockstate.inspection.findings import FILE_KINDS, Files, Operator, Problem, Store
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
    assert out.endswith("1 problem\n")
