"""`rockstate doctor` and `rockstate submit` in processes of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pyspark
import pytest
from tests.launch.maven_package import write_settings
from tests.quick_spark import LOCAL_FILES

from rockstate.launch.versions import SUPPORTED_MINORS, jar_name, spark_minor

APP = """
import sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
print("provider", spark.conf.get("spark.sql.streaming.stateStore.providerClass"), *sys.argv[1:])
"""


def rockstate(*argv: str, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rockstate", *argv]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **env})


@pytest.mark.slow
def test_all_is_well_here(tmp_path: Path) -> None:
    done = rockstate("doctor", str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["ok"] * 6
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_jvm_that_does_not_start_is_a_problem_that_says_why(tmp_path: Path) -> None:
    settings = write_settings(tmp_path)
    done = rockstate("doctor", "--packages", "org.example:nothing:1.0", "--conf", f"spark.jars.ivySettings={settings}")
    assert done.returncode == 1
    (problem,) = [line for line in done.stdout.splitlines() if line.startswith("PROBLEM")]
    assert "org.example#nothing;1.0: not found" in problem
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_file_system_that_a_jar_brings_is_found() -> None:
    impl = "spark.hadoop.fs.far.impl=io.rockstate.localfiles.LocalFilesInProcess"
    done = rockstate("doctor", "far:///checkpoints", "--jars", str(LOCAL_FILES), "--conf", impl)
    (problem,) = [line for line in done.stdout.splitlines() if line.startswith("PROBLEM")]
    assert "Wrong FS: far:/checkpoints" in problem, "it is one for local files, which says so itself"


@pytest.mark.slow
def test_a_folder_that_cannot_be_written_is_a_problem_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    done = rockstate("doctor", str(tmp_path / "file" / "checkpoints"))
    assert done.returncode == 1
    (problem,) = [line for line in done.stdout.splitlines() if line.startswith("PROBLEM")]
    assert "checkpoints" in problem
    assert "Traceback" not in done.stderr


def test_a_java_that_is_not_there_is_a_problem_and_ends_the_search(tmp_path: Path) -> None:
    done = rockstate("doctor", JAVA_HOME=str(tmp_path))
    assert done.returncode == 1
    assert "PROBLEM Java" in done.stdout
    assert "JVM" not in done.stdout
    told = json.loads(rockstate("doctor", "--json", JAVA_HOME=str(tmp_path)).stdout)
    assert [finding["what"] for finding in told if not finding["is_well"]] == ["Java"]


def test_a_spark_without_a_jar_is_a_problem_that_names_those_with_one() -> None:
    done = rockstate("doctor", "--spark", "5.0")
    assert done.returncode == 1
    (problem,) = [line for line in done.stdout.splitlines() if line.startswith("PROBLEM")]
    assert all(minor in problem for minor in SUPPORTED_MINORS)
    assert "JVM" not in done.stdout


def test_for_a_cluster_with_another_spark_its_jar_is_there_and_no_jvm_starts() -> None:
    other = next(minor for minor in SUPPORTED_MINORS if minor != spark_minor())
    done = rockstate("doctor", "--spark", other)
    assert done.returncode == 0, done.stdout + done.stderr
    assert jar_name(other) in done.stdout
    assert "WARNING Spark's JVM with Rockstate: not started" in done.stdout


@pytest.mark.slow
def test_submit_takes_the_spark_that_spark_home_names(tmp_path: Path) -> None:
    app = tmp_path / "app.py"
    app.write_text(APP)
    home = str(Path(pyspark.__file__).parent)
    assert f"Spark: {pyspark.__version__} (SPARK_HOME {home})" in rockstate("doctor", SPARK_HOME=home).stdout
    done = rockstate("submit", "--master", "local[1]", str(app), SPARK_HOME=home)
    assert done.returncode == 0, done.stderr
    assert "provider io.rockstate.RockStateStoreProvider" in done.stdout


@pytest.mark.slow
def test_submit_runs_an_application_on_rockstate(tmp_path: Path) -> None:
    app = tmp_path / "app.py"
    app.write_text(APP)
    done = rockstate("submit", "--memory-budget", "64m", "--master", "local[1]", str(app), "--memory-budget", "own")
    assert done.returncode == 0, done.stderr
    assert "provider io.rockstate.RockStateStoreProvider --memory-budget own" in done.stdout
