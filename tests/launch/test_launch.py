"""How Spark's JVM gets the jar, in processes of their own: a process has one JVM for its life."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from tests.conftest import whole
from tests.quick_spark import environment_without_spark

pytestmark = pytest.mark.slow

PRELUDE = """
import os, sys
from pyspark.sql import SparkSession
import rockstate
from rockstate.session import gateway
from rockstate.options.keys import PROVIDER_CLASS

def plain():
    confs = {"spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1"}
    return SparkSession.builder.master("local[1]").config(map=confs)

def state(session):
    jars = session.sparkContext.getConf().get("spark.jars", "")
    print("JARS", *sorted(jar.rsplit("/", 1)[-1] for jar in jars.split(",")))
    print("LOADS", gateway.loads_class(PROVIDER_CLASS))
    print("EXTENSION", "OnRockstate" in session._jsparkSession.sessionState().columnarRules().toString())
"""


@pytest.fixture
def other_jar(tmp_path: Path) -> Path:
    jar = tmp_path / "other.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("content", "")
    return jar


def run(tmp_path: Path, body: str, *launcher: str, **environ: str) -> list[str]:
    """The lines in capitals that a script prints."""
    script = tmp_path / "script.py"
    script.write_text(PRELUDE + body)
    bin_folder = Path(sys.executable).parent
    kept = environment_without_spark()
    env = {**kept, "PATH": f"{bin_folder}{os.pathsep}{kept['PATH']}", **environ}
    done = subprocess.run(
        [*(launcher or ["python"]), script],
        env=env,
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr[-8000:]
    return [line for line in done.stdout.splitlines() if line.split(" ")[0].isupper()]


def our_jar() -> str:
    import rockstate

    return rockstate.jar_path().name


def test_jars_named_by_builder_and_submit_args_are_loaded_along_with_ours(tmp_path: Path, other_jar: Path) -> None:
    body = 'state(rockstate.configure(plain().config("spark.jars", os.environ["OTHER"])).getOrCreate())'
    args = f"--jars {other_jar} pyspark-shell"
    lines = run(tmp_path, body, OTHER=str(other_jar), PYSPARK_SUBMIT_ARGS=args)
    assert lines == [f"JARS other.jar {our_jar()}", "LOADS True", "EXTENSION True"]


def test_a_session_after_a_look_into_a_checkpoint_has_its_own_jvm(tmp_path: Path, other_jar: Path) -> None:
    """What a JVM gets when it starts: memory, jars. It may be looked into again."""
    body = """
print("FORMAT", gateway.checkpoint_reader().checkpointFormat("none"))
session = rockstate.configure(plain().config("spark.driver.memory", "600m").config("spark.jars", os.environ["OTHER"]))
state(session.getOrCreate())
print("MEMORY", gateway._jvm().java.lang.Runtime.getRuntime().maxMemory() <= 600 << 20)
print("FORMAT", gateway.checkpoint_reader().checkpointFormat("none"))
"""
    lines = run(tmp_path, body, OTHER=str(other_jar))
    answer = 'FORMAT {"answer":{}}'
    assert lines == [answer, f"JARS other.jar {our_jar()}", "LOADS True", "EXTENSION True", "MEMORY True", answer]


def test_a_second_session_in_one_process_has_the_jar_too(tmp_path: Path, other_jar: Path) -> None:
    body = """
rockstate.configure(plain()).getOrCreate().stop()
state(rockstate.configure(plain().config("spark.jars", os.environ["OTHER"])).getOrCreate())
state(rockstate.configure(plain(), fetch_threads=3).getOrCreate())
print("THREADS", SparkSession.getActiveSession().conf.get("spark.sql.streaming.stateStore.rockstate.fetchThreads"))
"""
    state = [f"JARS other.jar {our_jar()}", "LOADS True", "EXTENSION True"]
    assert run(tmp_path, body, OTHER=str(other_jar)) == [*state, *state, "THREADS 3"]


def test_a_running_session_takes_the_jar_by_add_jar_for_an_aggregation(tmp_path: Path) -> None:
    body = """
spark = plain().config("spark.sql.shuffle.partitions", 1).getOrCreate()
spark.sql(f"ADD JAR '{rockstate.jar_path()}'")
rockstate.configure(plain()).getOrCreate()
numbers = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 9).load()
counts = numbers.groupBy((numbers.value % 3).alias("key")).count()
query = counts.writeStream.outputMode("update").format("noop").option("checkpointLocation", "checkpoint")
query = query.trigger(availableNow=True).start()
query.awaitTermination()
print("PUTS", query.lastProgress["stateOperators"][0]["customMetrics"]["rockstatePutCount"])
print("SOUND", rockstate.Checkpoint("checkpoint").verify().is_sound)
"""
    assert run(tmp_path, body) == ["PUTS 3", "SOUND True"]


@pytest.mark.parametrize("then", ["", ".stop()"], ids=["active session", "stopped session"])
def test_a_jvm_that_started_without_the_jar_is_refused(tmp_path: Path, then: str) -> None:
    body = f"""
plain().getOrCreate(){then}
try:
    rockstate.configure(plain())
except rockstate.JarNotLoaded as error:
    print("REFUSED", error.remedy)
"""
    lines = run(tmp_path, body)
    assert len(lines) == 1
    assert "before the first getOrCreate" in lines[0]
    assert "ADD JAR" in lines[0]


def test_a_submitted_script_without_the_jar_is_refused_with_the_way_to_submit_it(tmp_path: Path) -> None:
    body = """
try:
    rockstate.configure(plain())
except rockstate.JarNotLoaded as error:
    print("REFUSED", error.remedy)
"""
    lines = run(tmp_path, body, "spark-submit")
    assert len(lines) == 1
    assert "rockstate submit" in lines[0]


def test_a_script_submitted_with_a_properties_file_has_our_jar_its_own_with_a_space_and_spark_defaults(
    tmp_path: Path, other_jar: Path
) -> None:
    folder = tmp_path / "a folder"
    folder.mkdir()
    other_jar.rename(folder / "other.jar")
    (folder / "spark-defaults.conf").write_text("spark.from.defaults yes\n")
    command = [sys.executable, "-m", "rockstate", "conf", "--jars", str(folder / "other.jar")]
    command += ["--properties-file", str(folder / "rockstate.conf")]
    how = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    body = """
session = plain().getOrCreate()
state(session)
print("DEFAULTS", session.conf.get("spark.from.defaults"))
"""
    lines = run(tmp_path, body, *shlex.split(how), SPARK_CONF_DIR=str(folder))
    assert lines == [f"JARS other.jar {our_jar()}", "LOADS True", "EXTENSION True", "DEFAULTS yes"]


@whole  # test_wheel.py does the same with the installed wheel
def test_a_script_submitted_with_the_arguments_of_rockstate_conf_has_jar_and_extension(tmp_path: Path) -> None:
    conf = subprocess.run([sys.executable, "-m", "rockstate", "conf"], capture_output=True, text=True, check=True)
    lines = run(tmp_path, "state(plain().getOrCreate())", "spark-submit", *shlex.split(conf.stdout))
    assert lines == [f"JARS {our_jar()}", "LOADS True", "EXTENSION True"]
