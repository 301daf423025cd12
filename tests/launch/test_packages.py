"""What `spark.jars.packages` names reaches the executors beside Rockstate's jar.

On `local[*]` the driver's class path would hide it.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.conftest import whole
from tests.launch.maven_package import write_repository
from tests.quick_spark import environment_without_spark

import rockstate

pytestmark = pytest.mark.slow

# The executor needs the package's class and the provider, and has nothing but what Spark brings it.
JOB = """
import json, os
from pyspark.sql import SparkSession
import rockstate

def start():
    builder = SparkSession.builder.config(map=json.loads(os.environ["BEFORE"]))
    return rockstate.configure(builder).config(map=json.loads(os.environ["AFTER"])).getOrCreate()

def greet(spark):
    words = spark.readStream.text("incoming").selectExpr("java_method('org.example.Greeter', 'greet', value) AS word")
    query = words.groupBy("word").count().writeStream.outputMode("update").trigger(availableNow=True)
    query.foreachBatch(lambda rows, batch: print("WORDS", *[row.word for row in rows.collect()]))
    query.start().awaitTermination()
    jars = spark.sparkContext.getConf().get("spark.jars").split(",")
    print("JARS", *sorted(jar.rsplit("/", 1)[-1] for jar in jars))
"""

CONFS = {
    "spark.master": "local-cluster[1,1,1024]",
    "spark.executor.memory": "512m",
    "spark.sql.shuffle.partitions": "1",
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
}


@pytest.fixture
def package(tmp_path: Path) -> dict[str, str]:
    return write_repository(tmp_path)


@pytest.fixture
def other_jar(tmp_path: Path) -> dict[str, str]:
    with zipfile.ZipFile(tmp_path / "other.jar", "w") as archive:
        archive.writestr("content", "")
    return {"spark.jars": str(tmp_path / "other.jar")}


def spark_home(folder: Path) -> Path:
    """The installed PySpark under another path: a local cluster writes to its home."""
    home = folder / "home"
    home.mkdir()
    installed = find_spec("pyspark")
    assert installed is not None
    assert installed.origin is not None
    for part in Path(installed.origin).parent.iterdir():
        (home / part.name).symlink_to(part)
    return home


def run(
    folder: Path,
    body: str = "greet(start())",
    before: dict[str, str] | None = None,
    after: dict[str, str] | None = None,
    defaults: dict[str, str] | None = None,
    submit_args: list[str] | None = None,
) -> list[str]:
    """What the job prints: its builder has confs before and after `configure`, or Spark is told of them elsewhere."""
    (folder / "incoming").mkdir()
    (folder / "incoming" / "words").write_text("Ada\n", encoding="utf-8")
    (folder / "job.py").write_text(JOB + body, encoding="utf-8")
    lines = [f"{key} {value}\n" for key, value in (defaults or {}).items()]
    (folder / "spark-defaults.conf").write_text("".join(lines), encoding="utf-8")
    env = environment_without_spark()
    env |= {"SPARK_CONF_DIR": str(folder), "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_DIRS": str(folder / "local")}
    env |= {"BEFORE": json.dumps({**CONFS, **(before or {})}), "AFTER": json.dumps(after or {})}
    env |= {"SPARK_HOME": str(spark_home(folder))}
    if submit_args:
        env["PYSPARK_SUBMIT_ARGS"] = shlex.join([*submit_args, "pyspark-shell"])
    command = [sys.executable, "job.py"]
    done = subprocess.run(command, env=env, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr[-8000:]
    return [line for line in done.stdout.splitlines() if line.startswith(("WORDS ", "JARS "))]


def found(*others: str) -> list[str]:
    jars = sorted(["org.example_greeter-1.0.jar", rockstate.jar_path().name, *others])
    return ["WORDS hello Ada", f"JARS {' '.join(jars)}"]


@whole
def test_packages_that_the_builder_gets_after_configure_beside_its_jars(
    tmp_path: Path, package: dict[str, str], other_jar: dict[str, str]
) -> None:
    assert run(tmp_path, before=other_jar, after=package) == found("other.jar")


@whole
def test_packages_and_jars_of_spark_defaults(
    tmp_path: Path, package: dict[str, str], other_jar: dict[str, str]
) -> None:
    assert run(tmp_path, defaults={**package, **other_jar}) == found("other.jar")


def test_packages_of_submit_args_beside_jars_of_the_builder(
    tmp_path: Path, package: dict[str, str], other_jar: dict[str, str]
) -> None:
    settings = f"spark.jars.ivySettings={package['spark.jars.ivySettings']}"
    submit_args = ["--packages", package["spark.jars.packages"], "--conf", settings]
    assert run(tmp_path, before=other_jar, submit_args=submit_args) == found("other.jar")


@whole
def test_packages_stay_for_a_second_session_that_names_jars(
    tmp_path: Path, package: dict[str, str], other_jar: dict[str, str]
) -> None:
    body = f"""
start().stop()
builder = SparkSession.builder.config(map={{**json.loads(os.environ["BEFORE"]), **{other_jar!r}}})
greet(rockstate.configure(builder).getOrCreate())
"""
    assert run(tmp_path, body, before=package) == found("other.jar")
