"""The end-to-end benchmarks with Spark: tiny runs, whose figures mean nothing, and a provider that loses state."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks import results
from benchmarks.process import WRONG_ANSWER
from benchmarks.questions import PYSPARK, pyspark_questions
from tests.conftest import whole

ROOT = Path(__file__).parents[2]
MUTANTS = ROOT / "jvm/mutants/target/scala-2.13/rockstate-mutants.jar"


def ask(question: str, contender: str, out: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Asks as the runner does, with thousands of keys."""
    sizes = ("--batch-rows", "1000", "--batches", "3", "--warmup", "1", "--keys", "4000", "--heap", "1g")
    command = [sys.executable, str(PYSPARK / f"{question}.py"), "--contender", contender, *sizes, "--out", str(out)]
    return subprocess.run([*command, *more], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)


@whole
@pytest.mark.parametrize("question", pyspark_questions())
def test_rockstate_answers_rightly(question: str, tmp_path: Path) -> None:
    done = ask(question, "rockstate", tmp_path / "result.json")
    assert done.returncode == 0, done.stderr
    found = results.read(tmp_path / "result.json")
    assert (found.question, found.contender, found.round) == (question, "rockstate", 1)
    assert {"total_s", "batch_p50_ms", "batch_p99_ms", "state_ms_per_batch"} <= set(found.metrics)
    assert [len(found.series[name]) for name in ("batch_ms", "state_ms")] == [3, 3]
    assert [path.name for path in tmp_path.iterdir()] == ["result.json"]


def test_a_provider_that_loses_state_is_found_out(tmp_path: Path) -> None:
    # Batch 1 still reads what was loaded; what it writes to has forgotten everything else.
    broken = "broken=io.rockstate.mutants.UpgradeStartsEmpty"
    done = ask("windowed_aggregation", broken, tmp_path / "result.json", "--jars", str(MUTANTS))
    assert done.returncode == WRONG_ANSWER, done.stderr
    assert "WRONG ANSWER broken to windowed_aggregation, round 1: batch 2 put out" in done.stderr
    assert not list(tmp_path.iterdir())
