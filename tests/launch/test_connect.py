"""`rockstate doctor --connect` with a real Spark Connect server, and what it says of one without Rockstate."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyspark
import pytest
from tests.launch.connect_server import connect_server, printed_conf

from rockstate.base.errors import Unreachable
from rockstate.launch.versions import spark_minor
from rockstate.options.keys import PROVIDER_CLASS, PROVIDER_KEY
from rockstate.session import connect

EXAMPLE = Path(__file__).parents[2] / "examples" / "connect_client.py"


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=dict(os.environ))


def doctor(*arguments: str) -> subprocess.CompletedProcess[str]:
    return python("-m", "rockstate", "doctor", *arguments)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that was started with what `rockstate conf` prints."""
    with connect_server(tmp_path_factory.mktemp("server") / "server.log", *printed_conf()) as url:
        yield url


@pytest.mark.slow
def test_a_server_started_with_what_conf_prints_is_well(server: str) -> None:
    done = doctor("--connect", server)
    assert done.returncode == 0, done.stdout + done.stderr
    spark, provider, query = done.stdout.splitlines()
    assert spark == f"ok      Spark of the server: {pyspark.__version__}"
    assert provider.startswith(f"ok      provider of the server: {PROVIDER_CLASS}, checkpoint format ")
    assert query.startswith("ok      query of the server: removed duplicates with its state in Rockstate")


@pytest.mark.slow
def test_the_example_keeps_its_state_on_the_server_and_reads_it_there(server: str, checkpoint: str) -> None:
    done = python(str(EXAMPLE), server, checkpoint)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "7 rows of state, 7 puts in Rockstate"
    counts = [int(line.split("|")[2]) for line in lines if line.count("|") == 3 and "number" not in line]
    assert (len(counts), sum(counts)) == (7, 100)


@pytest.mark.slow
def test_a_server_without_rockstate_is_a_problem_that_says_how_to_start_it(tmp_path: Path) -> None:
    with connect_server(tmp_path / "server.log") as url:
        done = doctor("--connect", url)
    assert done.returncode == 1
    (problem,) = [line for line in done.stdout.splitlines() if line.startswith("PROBLEM")]
    assert "New queries keep their state in org.apache.spark." in problem
    assert f"`rockstate conf --spark {spark_minor()}`" in problem


@pytest.mark.slow
def test_a_server_that_has_the_conf_and_not_the_jar_is_a_problem(tmp_path: Path) -> None:
    with connect_server(tmp_path / "server.log", "--conf", f"{PROVIDER_KEY}={PROVIDER_CLASS}") as url:
        done = doctor("--connect", url)
    assert done.returncode == 1
    (problem,) = [line for line in done.stdout.splitlines() if line.startswith("PROBLEM")]
    assert f"the server has no class {PROVIDER_CLASS}" in problem
    assert "Traceback" not in done.stderr


def test_where_nothing_listens_it_says_so_at_once() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"sc://127.0.0.1:{free.getsockname()[1]}"
        done = doctor("--connect", url)
    assert done.returncode == 1
    assert done.stdout.startswith(f"PROBLEM server: Nothing answers at {url.removeprefix('sc://')} (")


def test_another_kind_of_server_is_a_problem_and_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect, "_SECONDS_TO_ANSWER", 5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"sc://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(Unreachable, match="does not answer as a Spark Connect server"), connect.server_at(url):
            pass


@pytest.mark.parametrize("url", ["localhost:15002", "http://localhost", "sc://", "sc://host:port"])
def test_what_is_no_url_of_a_server_is_refused(url: str) -> None:
    done = doctor("--connect", url)
    assert done.returncode == 1
    assert "Give it as sc://host:15002" in done.stdout


@pytest.mark.parametrize("other", [["--spark", "4.1"], ["hdfs://nn/checkpoints"], ["--jars", "a.jar"]])
def test_the_server_decides_on_spark_and_storage(other: list[str]) -> None:
    done = doctor("--connect", "sc://localhost", *other)
    assert done.returncode == 2
    assert "Give neither --spark nor a folder" in done.stderr
