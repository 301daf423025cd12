"""What a shell completes."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from rockstate.cli import main


def completed(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """What bash offers for the last word."""
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    line = " ".join(f"'{word}'" for word in ("rockstate", *words))
    ask = f'COMP_WORDS=({line}); COMP_CWORD={len(words)}; _rockstate; echo "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", f"{script}\n{ask}"], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("ins",), ["inspect"]),
        (("ro",), ["rows", "rollback"]),
        (("inspect", "--p"), ["--packages", "--plot"]),
        (("submit", "--mem"), ["--memory-budget"]),
        (("migrate", "OLD", "NEW", "--dry"), ["--dry-run"]),
        (("inspect", "/tmp/ch"), []),
        (("bootstrap", "--in"), []),
        (("--",), ["--debug", "--help", "--version"]),
        (("--debug", "ins"), ["inspect"]),
        (("--debug", "inspect", "--al"), ["--all"]),
        (("demo", "--"), ["--days", "--help", "--json", "--keep", "--master", "--no-kill", "--plot", "--work-dir"]),
        (("migrate", "OLD", "NEW", "--to", ""), ["rockstate", "rocksdb", "hdfs"]),
        (("migrate", "OLD", "NEW", "--to", "=", "rocksd"), ["rocksdb"]),
        (("migrate", "OLD", "NEW", "--to", "="), ["rockstate", "rocksdb", "hdfs"]),
        (("migrate", "OLD", "NEW", "--checkpoint-format", ""), ["1", "2"]),
        (("conf", "--compression-codec", "z"), ["zstd"]),
        (("submit", "--compression-codec", "lz"), ["lz4", "lzf"]),
        (("explain-conf", "--launcher", "sp"), ["spark-submit"]),
        (("explain-conf", "--launcher", "ro"), ["rockstate\\", "submit"]),
        (("jar", "--spark", ""), ["4.0", "4.1", "4.2", "4.3"]),
        (("completion", ""), ["bash", "zsh", "fish"]),
        (("completion", "z"), ["zsh"]),
    ],
)
def test_commands_and_flags(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], offered: list[str]) -> None:
    assert completed(capsys, *words) == offered


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_sound(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "rollback" in script
    assert "undo" in script
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, text=True, check=True)
