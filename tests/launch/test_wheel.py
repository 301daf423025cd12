"""The wheel as a user gets it: in an empty virtual environment, with its dependencies from the package index."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.conftest import IS_WHOLE, whole
from tests.quick_spark import environment_without_spark

from rockstate.launch.versions import SUPPORTED_MINORS, conformance_jar_name, jar_name, spark_minor

ROOT = Path(__file__).parents[2]
WORD_COUNT = Path(__file__).parent / "jobs" / "word_count.py"
MINOR = spark_minor()
PROVIDER = "io.rockstate.RockStateStoreProvider"
FILES = ("a b a", "b c", "a d", "", "d d d")

pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    """The standard output of a command that must succeed; its standard error is in the failure's message."""
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert done.returncode == 0, (
        f"{command} exited with {done.returncode}\n{done.stdout[-4000:]}\n{done.stderr[-8000:]}"
    )
    return done.stdout


def clean_environment(bin_folder: Path) -> dict[str, str]:
    """An activated virtual environment, and nothing that points to this one or configures Spark."""
    kept = environment_without_spark("PYTHON")
    return {**kept, "PATH": f"{bin_folder}{os.pathsep}{kept['PATH']}", "VIRTUAL_ENV": str(bin_folder.parent)}


def names(wheel: Path) -> list[str]:
    return sorted(zipfile.ZipFile(wheel).namelist())


def jars_of(minors: Iterable[str]) -> set[str]:
    """Where the wheel has them."""
    return {f"rockstate/jars/{name(minor)}" for minor in minors for name in (jar_name, conformance_jar_name)}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that `make build` made, or else one built now."""
    if "ROCKSTATE_WHEEL" in os.environ:
        return Path(os.environ["ROCKSTATE_WHEEL"])
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", folder, ROOT)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs' folder of a virtual environment that holds the wheel and what it depends on."""
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder, with_pip=True)
    run(folder / "bin" / "python", "-m", "pip", "install", "--quiet", wheel)
    return folder / "bin"


@pytest.fixture
def words(tmp_path: Path) -> Path:
    """A folder of text files with one word a line."""
    folder = tmp_path / "words"
    folder.mkdir()
    for number, text in enumerate(FILES):
        (folder / f"{number}.txt").write_text("".join(f"{word}\n" for word in text.split()))
    return folder


def check_result(tmp_path: Path) -> None:
    """Stream, batch and plain Python agree, and the checkpoint says that it was Rockstate."""
    result = json.loads((tmp_path / "result.json").read_text())
    assert result["stream"] == result["batch"] == Counter(" ".join(FILES).split())
    assert PROVIDER in (tmp_path / "checkpoint" / "offsets" / "0").read_text()
    assert list((tmp_path / "checkpoint" / "state" / "0").glob("[01]/*.delta"))


def test_the_wheel_brings_its_jars_and_types(wheel: Path) -> None:
    inside = names(wheel)
    assert {name for name in inside if name.endswith(".jar")} == jars_of(SUPPORTED_MINORS)
    assert "rockstate/py.typed" in inside
    assert all(name.startswith(("rockstate/", "rockstate-")) for name in inside)
    # Two and a half megabytes for each Spark's jar, of which each has a bound of its own, and one for all else.
    assert wheel.stat().st_size < (5 * len(SUPPORTED_MINORS) + 2) << 19


def test_a_session_configured_in_python_keeps_its_state_in_rockstate(
    installed: Path, words: Path, tmp_path: Path
) -> None:
    job = (WORD_COUNT, words, tmp_path / "checkpoint", tmp_path / "result.json", "--configure")
    run(installed / "python", *job, cwd=tmp_path, env=clean_environment(installed))
    check_result(tmp_path)
    for command in ("inspect", "verify"):
        told = run(installed / "rockstate", command, tmp_path / "checkpoint", env=clean_environment(installed))
        assert PROVIDER in told


def test_a_session_is_configured_by_a_wheel_that_is_not_installed(
    installed: Path, wheel: Path, words: Path, tmp_path: Path
) -> None:
    """As with `spark-submit --py-files` where the cluster's Python lacks the package."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    env = {**clean_environment(installed), "PYTHONPATH": str(wheel), "TMPDIR": str(folder)}
    told = "import rockstate; jar = rockstate.jar_path(); print(rockstate.__file__, jar.name, jar.stat().st_size)"
    file, jar, size = run(installed / "python", "-c", told, cwd=tmp_path, env=env).split()
    assert Path(file) == wheel / "rockstate" / "__init__.py"
    assert int(size) == zipfile.ZipFile(wheel).getinfo(f"rockstate/jars/{jar}").file_size
    job = (WORD_COUNT, words, tmp_path / "checkpoint", tmp_path / "result.json", "--configure")
    run(installed / "python", *job, cwd=tmp_path, env=env)
    check_result(tmp_path)
    assert not list(folder.glob("rockstate-jar-*"))


def test_the_doctor_finds_nothing_amiss(installed: Path, tmp_path: Path) -> None:
    assert "PROBLEM" not in run(installed / "rockstate", "doctor", tmp_path, env=clean_environment(installed))


@pytest.mark.parametrize(
    "also",
    [["--configure"], pytest.param([], marks=whole)],
    ids=["script that configures as well", "plain script"],
)
def test_the_arguments_of_rockstate_conf_work_with_spark_submit(
    installed: Path, words: Path, tmp_path: Path, also: list[str]
) -> None:
    job = [WORD_COUNT, words, tmp_path / "checkpoint", tmp_path / "result.json", *also]
    line = f"spark-submit $(rockstate conf --memory-budget 32m) {shlex.join(map(str, job))}"
    run("bash", "-c", line, cwd=tmp_path, env=clean_environment(installed))
    check_result(tmp_path)


def test_the_installed_command_finds_the_installed_jar(installed: Path) -> None:
    jar = Path(run(installed / "rockstate", "jar").strip())
    assert jar.is_file()
    assert jar.is_relative_to(installed.parent.resolve())


def test_the_installed_command_judges_a_provider_once_the_extra_is_there(
    installed: Path, wheel: Path, tmp_path: Path
) -> None:
    command = (installed / "rockstate", "conformance", "--provider", PROVIDER, "--only", "R15")
    environment = clean_environment(installed)
    refused = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "pip install 'rockstate[conformance]'" in refused.stderr
    run(installed / "python", "-m", "pip", "install", "--quiet", f"{wheel}[conformance]")
    assert "read your writes" in run(*command, cwd=tmp_path, env=environment)


@pytest.fixture(scope="module")
def from_source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Holds a source distribution and, as that compiles everything anew, in `make test-all` the wheel built from it."""
    folder = tmp_path_factory.mktemp("from-source")
    # Without isolation: hatchling is in this environment already. No sbt on the path: the wrapper must do.
    environment = {**without_sbt(), "ROCKSTATE_MINORS": MINOR}  # to build the jars of all takes long
    what = [] if IS_WHOLE else ["--sdist"]
    run(sys.executable, "-m", "build", "--no-isolation", *what, "--outdir", folder, ROOT, env=environment)
    return folder


@pytest.mark.skipif(not IS_WHOLE, reason="compiles everything anew: `make test-all`, and every release")
def test_a_wheel_built_from_the_source_distribution_holds_the_same_files(wheel: Path, from_source: Path) -> None:
    (built,) = from_source.glob("*.whl")
    others = jars_of(minor for minor in SUPPORTED_MINORS if minor != MINOR)
    assert names(built) == [name for name in names(wheel) if name not in others]


def test_the_source_distribution_has_what_every_minors_jars_are_built_from(from_source: Path) -> None:
    (archive,) = from_source.glob("rockstate-*.tar.gz")
    with tarfile.open(archive) as files:
        inside = {name.partition("/")[2] for name in files.getnames()}
    sources = [
        file
        for module in ("core", "spark", "conformance")
        for file in (ROOT / "jvm" / module / "src" / "main").rglob("*")
    ]
    build = [
        ROOT / "build.sbt",
        *(ROOT / "jvm" / name for name in ("sbt", "pyspark_jars")),
        *(ROOT / "project").glob("*.*"),
    ]
    assert {file.relative_to(ROOT).as_posix() for file in (*sources, *build) if file.is_file()} <= inside


def without_sbt() -> dict[str, str]:
    """The environment with every folder that has sbt taken off the PATH."""
    path = [entry for entry in os.environ["PATH"].split(os.pathsep) if shutil.which("sbt", path=entry) is None]
    return {**os.environ, "PATH": os.pathsep.join(path)}
