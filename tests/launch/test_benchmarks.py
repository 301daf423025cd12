"""The benchmark suite with JVMs: a tiny run from end to end, a provider that loses writes, and the bounds for CI."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks import jvm, store
from benchmarks.process import WRONG_ANSWER

ROOT = Path(__file__).parents[2]
MUTANTS = ROOT / "jvm/mutants/target/scala-2.13/rockstate-mutants.jar"


def bench(out: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command as `make bench` does."""
    assert jvm.JAR.is_file(), "run `make test-apart`, or `jvm/sbt benchmarks/package`"
    command = [sys.executable, "-m", "benchmarks", "run", "--out", str(out), *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)


def test_a_tiny_run_ends_with_the_goals_table(tmp_path: Path) -> None:
    done = bench(tmp_path, "--form", "tiny", "--contenders", "rockstate,changelog", "--latency-ms", "1")
    assert done.returncode == 0, done.stderr
    assert "| update, batches of 50 k random get+put" in done.stdout
    found = store.read(tmp_path).results
    assert set(found.contenders) == {"rockstate", "changelog"}
    assert set(found.questions) == {
        "load",
        "update",
        "small_batches",
        "full_scan",
        "abort",
        "one_core_update",
        "new_jvm",
    }
    assert all(each.settings["latency_ms"] == 1 for each in found.all)
    assert (tmp_path / "report.md").is_file()

    again = bench(tmp_path, "--form", "tiny", "--contenders", "rockstate,changelog", "--resume")
    assert again.returncode == 0, again.stderr
    assert "rockstate-load-1" in done.stderr and "rockstate-load-1" not in again.stderr
    assert store.read(tmp_path).results.all == found.all


def test_a_provider_that_loses_writes_ends_the_run(tmp_path: Path) -> None:
    broken = "broken=io.rockstate.mutants.GetMissesOwnWrites"
    done = bench(tmp_path, "--form", "tiny", "--contenders", broken, "--jars", str(MUTANTS), "--questions", "update")
    assert done.returncode == WRONG_ANSWER, done.stderr
    assert "WRONG ANSWER broken to update, round 1: key number" in done.stderr
    assert not (tmp_path / "results.json").exists()


def test_rockstate_keeps_the_bounds_of_the_regression_form(tmp_path: Path) -> None:
    done = bench(tmp_path, "--form", "regression")
    assert done.returncode == 0, done.stderr
