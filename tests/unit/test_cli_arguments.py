"""What commands refuse before they begin, and that no name in their tables is cut."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import Console
from tests.unit.test_cli import run

from rockstate.cli.tables import table

WRONG = {
    "inspekt x": "There is no command inspekt. Did you mean inspect? `rockstate --help` lists them.",
    "frobnicate": "There is no command frobnicate. `rockstate --help` lists them.",
    "inspect": "Checkpoint is missing. See `rockstate inspect --help`.",
    "fork": "Old and new are missing. See `rockstate fork --help`.",
    "rollback x": "--batch, --undo or --forget is missing. See `rockstate rollback --help`.",
    "rollback x --undo --forget": "--forget excludes --undo. See `rockstate rollback --help`.",
    "inspect x --jason": "`rockstate inspect` has no flag --jason. Did you mean --json? See `rockstate inspect",
    "conf --nonsense=1": "`rockstate conf` has no flag --nonsense. See `rockstate conf --help`.",
    "jar extra": "`rockstate jar` does not take extra. See `rockstate jar --help`.",
    "inspect x --p y": "`rockstate inspect` has no flag --p. Did you mean --plot? See `rockstate inspect --help`.",
    "rows x --debug --lim 3": "`rockstate rows` has no flag --lim. Did you mean --limit? See `rockstate rows --help`.",
    "repartition x --partitions 3": "There is no new checkpoint. Name a folder for it, or give --in-place to change",
    "conf --heap-share 50": "heap_share is a part of memory_budget, which is auto. Give memory_budget as a size such",
    "submit --memory-budgit 1g app.py": "Neither `rockstate submit` nor spark-submit has a flag --memory-budgit. Did",
    "submit --heap-share 50 app.py": "heap_share is a part of memory_budget, which is auto.",
    "inspect x --conf": "--conf needs a value. See `rockstate inspect --help`.",
    "inspect x --all=1": "--all takes no value. See `rockstate inspect --help`.",
    "export x y --batch z": "--batch takes a whole number from 0 on, not z. See `rockstate export --help`.",
    "changes x -- -1": "First takes a whole number from 0 on, not -1. See `rockstate changes --help`.",
    "top x --interval 0": "--interval takes a number of seconds above 0, not 0. See `rockstate top --help`.",
    "repartition x y --partitions 0": "--partitions takes a whole number from 1 to 2147483647, not 0."
    " See `rockstate repartition --help`.",
    "repartition x y --partitions 4294967298": "--partitions takes a whole number from 1 to 2147483647, not 4294967298",
    "rows x --limit 2147483647": "--limit takes a whole number from 1 to 2147483646, not 2147483647.",
    "migrate x y --to rocksdb --checkpoint-format 3": "--checkpoint-format takes 1 or 2, not 3",
    "completion bas": "Shell takes bash, zsh or fish, not bas. Did you mean bash? See `rockstate completion --help`.",
    "conf --memory-budget 5": "Option memory_budget",
    "jar --spark 3.5": "Spark 3.5 is not supported. Use a supported release: 4.0.x",
    "submit --spark 3.5 app.py": "Spark 3.5 is not supported. Use a supported release: 4.0.x",
    "submit --memory-budget 5 app.py": "Option memory_budget",
    "inspect x --conf a=b": "Spark reads no conf a",
    "doctor --connect sc://x /y": "--connect asks a server, which has its Spark and its storage. Give neither",
    "rows x --option operator=1": "Spark's state data source has no option operator. Give --operator, --store, --key",
    "changes x 1 --option first=1": "Spark's state data source has no option first. Give --operator, --store, --key",
    "conformance": "--provider or --rules is missing. See `rockstate conformance --help`.",
    "conformance --provider x --jars none.jar": "There is no jar none.jar. Give the path of a file, or a URI.",
    "demo --dayz 3": "`rockstate demo` has no flag --dayz. Did you mean --days? See `rockstate demo --help`.",
    "demo --days x": "--days takes a whole number from 1 to 365, not x. See `rockstate demo --help`.",
}


@pytest.mark.parametrize(("line", "says"), WRONG.items(), ids=WRONG)
def test_wrong_usage_is_told_in_one_line_before_anything_is_begun(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, line: str, says: str
) -> None:
    def begun() -> None:
        raise AssertionError("a JVM was started")

    monkeypatch.setattr("rockstate.session.gateway.start_quietly", begun)
    code, out, told = run(capsys, *line.split())
    assert (code, out, told.count("\n")) == (2, "", 1)
    assert told.startswith(f"rockstate: {says}")


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
    assert code == 2
    assert f"{flag} a is given twice: 1 and 2" in said


@pytest.mark.parametrize("flag", ["--html", "--plot"])
def test_a_file_for_which_there_is_no_folder_is_refused_before_anything_is_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, flag: str
) -> None:
    code, _, said = run(capsys, "verify", "nowhere", flag, str(tmp_path / "none" / "x.svg"))
    assert code == 2
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
