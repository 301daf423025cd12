"""Runs the blocks of a page of the documentation as its reader would."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.conftest import IS_WHOLE
from tests.quick_spark import environment_without_spark, quick_spark

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TIMEOUT_SECONDS = 600

#: What a page's "pip install" installs; without it these blocks are left out. It fetches PySpark for a minute, and
#: tests/launch/test_wheel.py tries the wheel in an environment of its own in any case.
WHEEL = os.environ.get("ROCKSTATE_WHEEL", "") if IS_WHOLE else ""


class Block(NamedTuple):
    """A fenced block and what its fence says it is."""

    language: str
    text: str


def blocks_of(page: Path) -> list[Block]:
    return [Block(*found) for found in FENCE.findall(page.read_text(encoding="utf-8"))]


def environment(folder: Path) -> dict[str, str]:
    """Spark as it is, only quicker; no Python but the page's own if that is installed, else this one stands for it."""
    kept = environment_without_spark(*(["PYTHON"] if WHEEL else []))
    programs = [folder / ".venv" / "bin", Path(sys.executable).parent]
    path = os.pathsep.join([*map(str, programs), kept["PATH"]])
    quick = quick_spark()
    return {**kept, **quick, "PATH": path, "ROCKSTATE": WHEEL, "SPARK_LOCAL_IP": "127.0.0.1", "COLUMNS": "200"}


def run(script: str, folder: Path) -> str:
    """What the commands print; fails if one of them fails."""
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    assert done.returncode == 0, f"{script}\n{done.stdout[-8000:]}"
    return done.stdout


def narrow(text: str) -> str:
    """The text without the width of its columns."""
    return " ".join(text.split())


def run_blocks(page: Path, folder: Path) -> None:
    """Writes the page's programs, runs its commands in their order, and fails unless they print what it says."""
    output = ""
    for language, text in blocks_of(page):
        if language == "python":
            (folder / text.splitlines()[0].removeprefix("# ")).write_text(text, encoding="utf-8")
        elif language == "sh":
            output = run(text, folder) if WHEEL or "pip install" not in text else ""
        else:
            missing = [line for line in text.splitlines() if narrow(line) not in narrow(output)]
            assert not missing, f"{missing} is not in\n{output}"
