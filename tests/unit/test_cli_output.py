"""Commands whose reader leaves before they have printed all, as `| head` does, and files that fail them."""

from __future__ import annotations

import errno
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.unit.test_inspection import WRONG, store, summary

import rockstate
from rockstate.cli import main
from rockstate.inspection.checkpoint import Checkpoint
from rockstate.session.gateway import Reader

PACKAGE = Path(__file__).parents[2] / "python" / "rockstate"


@contextmanager
def no_reader(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Standard output is a pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w", encoding="utf-8") as gone, monkeypatch.context() as patched:
        patched.setattr("sys.stdout", gone)
        yield


@pytest.mark.parametrize("command", ["inspect", "verify"])
@pytest.mark.parametrize("flags", [[], ["--all"], ["--json"]], ids=str)
def test_a_reader_that_leaves_is_told_from_an_unsound_checkpoint_and_files_are_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str, flags: list[str]
) -> None:
    found = summary(*(store(partition) for partition in range(20)), WRONG)
    monkeypatch.setattr(Checkpoint, command, lambda self, progress: found)
    page = tmp_path / "page.html"
    with no_reader(monkeypatch):
        assert main([command, "/checkpoint", "--html", str(page), *flags]) == 141
    assert page.exists()


def test_no_command_prints_on_richs_own_console() -> None:
    """That ends the process with 1, which says that something is not well."""
    for file in PACKAGE.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        if re.search(r"\bConsole\(", text) and file.name != "console.py":
            assert "from rockstate.base.console import Console" in text, file


def test_a_file_that_cannot_be_read_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def denied(args: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied", "/etc/spark-defaults.conf")

    monkeypatch.setattr("rockstate.cli.jar.run", denied)
    assert main(["jar"]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("rockstate: /etc/spark-defaults.conf: Permission denied.")


@pytest.mark.parametrize(("redirection", "said"), [("> /dev/full", b"No space left on device"), (">&-", b"")])
def test_an_output_that_takes_nothing_is_told_in_one_line(redirection: str, said: bytes) -> None:
    command = f"{shlex.quote(sys.executable)} -m rockstate jar {redirection}"
    done = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, check=False)
    assert said in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_name_that_is_no_text_is_told() -> None:
    with pytest.raises(rockstate.Misuse, match="is not valid UTF-8"):
        Reader(None).checkpoint("/tmp/\udcff")


def test_a_letter_that_the_terminal_does_not_have_is_written_as_its_number(tmp_path: Path) -> None:
    record = tmp_path / "Zähler.jsonl"
    record.write_text("no record\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": str(PACKAGE.parent)}
    command = [sys.executable, "-m", "rockstate", "top", str(record), "--once"]
    ended = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert b"Traceback" not in ended.stderr and rb"Z\xe4hler" in ended.stderr + ended.stdout
