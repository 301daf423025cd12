"""What reads a checkpoint's rows in a session that is there already: in a process of its own, with one JVM."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.quick_spark import environment_without_spark, quick_spark

pytestmark = pytest.mark.slow

SCRIPT = """
import json
from argparse import Namespace
from threading import Thread

import rockstate
from pyspark.sql import SparkSession
from rockstate.cli.rows import _text
from rockstate.moving.bootstrap import read
from rockstate.session.reading import reading_session

confs = {"spark.driver.host": "127.0.0.1", "spark.sql.session.timeZone": "Asia/Kolkata"}
session = rockstate.configure(SparkSession.builder.master("local[1]").config(map=confs)).getOrCreate()
session.conf.set("spark.sql.streaming.stateStore.providerClass", "others")
before = dict(session.conf.getAll)
found = []
thread = Thread(target=lambda: found.append(reading_session()))
thread.start()
thread.join()


def refused(location, format):
    try:
        read(session, "t", location, format)
    except rockstate.Misuse as error:
        return str(error)


times = session.sql("SELECT timestamp'2026-01-02 03:04:05.000006' AS at, timestamp_ntz'2026-01-02 03:04:05' AS ntz")
text = _text(Namespace(debug=False, where=None, json=True, limit=9), times)
is_same = found[0] is session and dict(session.conf.getAll) == before
print("FOUND", json.dumps([is_same, json.loads(text), refused("nowhere", "parquet"), refused(".", "odd")]))
session.stop()
"""


def test_another_thread_timestamps_and_tables_that_cannot_be_read(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**environment_without_spark(), **quick_spark()},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-8000:]
    found = next(line for line in done.stdout.splitlines() if line.startswith("FOUND "))
    is_same, times, no_folder, no_format = json.loads(found.removeprefix("FOUND "))
    assert is_same
    assert times == {"at": "2026-01-02T03:04:05.000006+05:30", "ntz": "2026-01-02T03:04:05.000000"}
    assert "Table t cannot be read from nowhere as parquet: Path does not exist" in no_folder
    assert "Table t cannot be read from . as odd: Failed to find the data source: odd" in no_format
    assert "\n" not in no_folder + no_format
