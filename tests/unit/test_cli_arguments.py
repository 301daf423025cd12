"""What commands refuse before they begin, and that no name in their tables is cut."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import Console
from tests.unit.test_cli import run

from rockstate.cli.tables import table


@pytest.mark.parametrize(
    ("flag", "argv"),
    [
        ("--table", ["bootstrap", "new", "--like", "old"]),
        ("--key", ["rows", "nowhere"]),
        ("--option", ["rows", "nowhere"]),
    ],
)
def test_a_name_that_is_given_twice_is_refused(capsys: pytest.CaptureFixture[str], flag: str, argv: list[str]) -> None:
    code, _, said = run(capsys, *argv, flag, "a=1", flag, "b=1", flag, "a=2")
    assert code == 1
    assert f"{flag} a is given twice: 1 and 2" in said


@pytest.mark.parametrize("flag", ["--html", "--plot"])
def test_a_file_for_which_there_is_no_folder_is_refused_before_anything_is_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, flag: str
) -> None:
    code, _, said = run(capsys, "verify", "nowhere", flag, str(tmp_path / "none" / "x.svg"))
    assert code == 1
    assert "There is no folder" in said


def test_names_in_tables_are_whole(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    name = "0-transformWithStateInPandasExec/default/the_name_of_a_state_variable"
    shown = table("table", "rows", numbers=["rows"])
    shown.add_row(name, "1,234,567,890")
    Console().print(shown)
    printed = capsys.readouterr().out
    assert "…" not in printed and "1,234,567,890" in printed
    assert name in "".join(line.split("│")[1].strip() for line in printed.splitlines() if "│" in line)
