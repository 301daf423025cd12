"""`rockstate submit` splits its own options from what spark-submit and the application get."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyspark
import pytest

import rockstate
from rockstate.cli import main
from rockstate.launch.versions import jar_name, spark_minor
from rockstate.options.catalogue import confs

#: Those of `SparkSubmitOptionParser` with a value, but for --jars.
SPARKS_FLAGS = [
    "--archives",
    "--class",
    "--conf",
    "--deploy-mode",
    "--driver-class-path",
    "--driver-cores",
    "--driver-default-class-path",
    "--driver-java-options",
    "--driver-library-path",
    "--driver-memory",
    "--exclude-packages",
    "--executor-cores",
    "--executor-memory",
    "--extra-properties-file",
    "--files",
    "--keytab",
    "--kill",
    "--master",
    "--name",
    "--num-executors",
    "--packages",
    "--principal",
    "--properties-file",
    "--proxy-user",
    "--py-files",
    "--queue",
    "--remote",
    "--repositories",
    "--status",
    "--total-executor-cores",
]


class Replaced(BaseException):
    """Another program would be in this process's place."""


class Command(list[str]):
    """The words of a command, and the environment that it gets."""

    environ: dict[str, str]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Command]:
    """What would have been run."""
    ran = Command()

    def execute(path: str, words: list[str], environ: dict[str, str]) -> None:
        assert path == words[0]
        ran.extend(words)
        ran.environ = environ
        raise Replaced

    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    for name in ("SPARK_HOME", "PYSPARK_GATEWAY_PORT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "pyspark-shell")
    monkeypatch.setattr("os.execve", execute)
    monkeypatch.setattr("subprocess.Popen", lambda words, env, **_: execute(words[0], words, env))
    ignored = signal.getsignal(signal.SIGPIPE)
    yield ran
    signal.signal(signal.SIGPIPE, ignored)


def run(*argv: str) -> None:
    with pytest.raises(Replaced):
        main(argv)


def test_our_options_come_first_and_the_rest_is_passed_on_as_it_is(command: list[str]) -> None:
    theirs = ["--master", "local[2]", "app.py", "--memory-budget", "the app's own", "--jars", "its"]
    run("submit", "--memory-budget", "64m", "--jars=mine.jar", *theirs)
    assert Path(command[0]).name == "spark-submit"
    assert Path(command[0]).is_file()
    assert command[-len(theirs) :] == theirs
    assert command[1:3] == ["--jars", f"mine.jar,{rockstate.jar_path()}"]
    assert {f"{key}={value}" for key, value in confs({"memory_budget": "64m"}, spark_minor()).items()} <= set(command)


def test_spark_home_is_what_runs_and_decides_the_jar(
    command: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    home, package = tmp_path / "spark", tmp_path / "package"
    for folder in (home / "jars", package / "jars"):
        folder.mkdir(parents=True)
    (home / "jars" / "spark-core_2.13-4.1.3.jar").touch()
    for minor in ("4.0", "4.1"):
        (package / "jars" / jar_name(minor)).touch()
    monkeypatch.setenv("SPARK_HOME", str(home))
    monkeypatch.setattr("rockstate.launch.jars.PACKAGE", package)
    run("submit", "app.py")
    assert command[:3] == [str(home / "bin" / "spark-submit"), "--jars", str(package / "jars" / jar_name("4.1"))]
    command.clear()
    run("submit", "--spark", "4.0.4", "--master", "yarn", "app.py")
    assert command[2] == str(package / "jars" / jar_name("4.0"))
    assert "spark.sql.streaming.stateStore.checkpointFormatVersion=1" in command
    assert command[-3:] == ["--master", "yarn", "app.py"]


@pytest.mark.parametrize(
    "theirs",
    [
        "--master local --jars mine.jar app.py",
        "--py-files helpers.py --jars mine.jar app.py",
        "--verbose --jars=mine.jar app.py",
    ],
)
def test_jars_that_would_replace_ours_are_refused(
    command: list[str], capsys: pytest.CaptureFixture[str], theirs: str
) -> None:
    assert main(["submit", *shlex.split(theirs)]) == 2
    assert "--jars first" in capsys.readouterr().err
    assert not command


@pytest.mark.parametrize("argv", [[], ["--memory-budget", "64m"]])
def test_without_an_application_it_says_how_to_call_it(
    command: list[str], capsys: pytest.CaptureFixture[str], argv: list[str]
) -> None:
    assert main(["submit", *argv]) == 2
    assert "rockstate submit app.py" in capsys.readouterr().err
    assert not command


@pytest.mark.parametrize("flags", ["--py-files helpers.py", "--py-files=helpers.py", "-v --supervise --archives a.zip"])
def test_the_application_is_the_first_word_that_belongs_to_no_flag(command: list[str], flags: str) -> None:
    theirs = [*shlex.split(flags), "app.py", "--jars", "its"]
    run("submit", *theirs)
    assert command[-len(theirs) :] == theirs
    run("bootstrap", "NEW", "--query", *theirs)
    assert command[-4:] == ["--query", "app.py", "--jars", "its"]
    assert shlex.join(command).count(flags) == 2


@pytest.mark.parametrize("flag", SPARKS_FLAGS)
def test_no_flag_of_spark_submit_is_taken_for_one_of_ours(command: list[str], flag: str) -> None:
    run("submit", flag, "value", "app.jar")
    assert command[-3:] == [flag, "value", "app.jar"]


def test_flags_of_bootstrap_go_with_options_of_ours_in_the_query(command: list[str]) -> None:
    flags = ["--jars", "mine.jar", "--packages", "a:b:1", "--conf", "spark.a=1"]
    run("bootstrap", "NEW", *flags, "--query", "--memory-budget", "64m", "--master", "yarn", "app.py")
    assert "--memory-budget" not in command
    assert {f"{key}={value}" for key, value in confs({"memory_budget": "64m"}, spark_minor()).items()} <= set(command)
    assert command[1:3] == ["--jars", f"mine.jar,{rockstate.jar_path()}"]
    assert "--packages a:b:1 --conf spark.a=1 --master yarn" in shlex.join(command)


@pytest.mark.parametrize("own", ["-- x", "--query y -- x", "x -- --debug", "--like z"])
def test_the_programs_own_arguments_may_be_any(command: list[str], own: str) -> None:
    theirs = ["app.py", *shlex.split(own)]
    run("bootstrap", "NEW", "--table", "a=b", "--query", *theirs)
    assert command[-len(theirs) - 1 :] == ["--query", *theirs]
    at = command.index("--in-submit")
    child = ["bootstrap", *command[at + 2 :]]
    command.clear()
    run(*child)
    assert command[-len(theirs) - 1 :] == ["--query", *theirs]
    command.clear()
    run("submit", *theirs)
    assert command[-len(theirs) :] == theirs


def test_a_bootstrap_with_debug_has_it_within_spark_submit_too(command: list[str]) -> None:
    run("--debug", "bootstrap", "NEW", "--query", "app.py")
    assert command[command.index("bootstrap") - 1] == "--debug"
    command.clear()
    run("bootstrap", "NEW", "--query", "app.py", "--debug")
    assert command[command.index("bootstrap") - 1] != "--debug"


PYTHONS = ("PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON")


def pythons_of(command: Command) -> dict[str, str]:
    return {name: command.environ[name] for name in PYTHONS if name in command.environ}


@pytest.mark.parametrize(
    ("flags", "defaults", "name"),
    [
        ("", "", "PYSPARK_PYTHON"),
        ("--master local[2]", "spark.master yarn", "PYSPARK_PYTHON"),
        ("--conf spark.master=local", "spark.master yarn", "PYSPARK_PYTHON"),
        ("--master yarn", "", "PYSPARK_DRIVER_PYTHON"),
        ("--master=k8s://host --deploy-mode client", "", "PYSPARK_DRIVER_PYTHON"),
        ("", "spark.master spark://host:7077", "PYSPARK_DRIVER_PYTHON"),
        ("--master yarn --deploy-mode cluster", "", None),
        ("-c spark.master=yarn -c spark.submit.deployMode=cluster", "", None),
        ("", "spark.master yarn\nspark.submit.deployMode cluster", None),
    ],
)
def test_a_cluster_has_pythons_of_its_own(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, flags: str, defaults: str, name: str | None
) -> None:
    for variable in (*PYTHONS, "MASTER", "DEPLOY_MODE"):
        monkeypatch.delenv(variable, raising=False)
    (tmp_path / "spark-defaults.conf").write_text(f"{defaults}\n")
    run("submit", *shlex.split(flags), "app.py", "--master", "of-the-app")
    assert pythons_of(command) == ({name: sys.executable} if name else {})
    for own in PYTHONS:
        monkeypatch.setenv(own, "mine")
    run("submit", *shlex.split(flags), "app.py")
    assert pythons_of(command) == dict.fromkeys(PYTHONS, "mine")
    monkeypatch.delenv("PYSPARK_DRIVER_PYTHON")
    run("submit", *shlex.split(flags), "app.py")
    assert pythons_of(command) == {"PYSPARK_PYTHON": "mine"}


def test_an_application_may_be_a_connect_client(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARK_API_MODE", "connect")
    run("submit", "app.py")
    assert command.environ["SPARK_API_MODE"] == "connect"


@pytest.mark.parametrize("home", [None, ""])
def test_spark_submit_is_told_which_spark_it_belongs_to(
    command: Command, monkeypatch: pytest.MonkeyPatch, home: str | None
) -> None:
    if home is not None:
        monkeypatch.setenv("SPARK_HOME", home)
    run("submit", "--master", "yarn", "--deploy-mode", "cluster", "app.py")
    assert Path(command[0]) == Path(command.environ["SPARK_HOME"]) / "bin" / "spark-submit"


@pytest.mark.parametrize("argv", [["submit"], ["bootstrap", "NEW", "--query"]], ids=lambda argv: argv[0])
@pytest.mark.parametrize(
    ("flags", "kept"),
    [
        ("", "default.jar"),
        ("--conf spark.jars=mine.jar", "mine.jar"),
        ("--conf=spark.jars=mine.jar", "mine.jar"),
        ("--verbose --properties-file {0}/own.conf", "own.jar"),
        ("--properties-file={0}/own.conf -c spark.jars=mine.jar", "mine.jar"),
        ("--load-spark-defaults --properties-file {0}/empty.conf", "default.jar"),
        ("--properties-file {0}/empty.conf", ""),
        ("--name app.py --conf spark.jars.packages=a:b:1", "default.jar"),
    ],
)
def test_jars_that_spark_submit_is_told_of_stay(
    command: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, argv: list[str], flags: str, kept: str
) -> None:
    for name, text in (("spark-defaults", "default"), ("own", "own"), ("other", "other")):
        (tmp_path / f"{name}.conf").write_text(f"spark.jars {text}.jar\n")
    (tmp_path / "empty.conf").touch()
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", f"--properties-file {tmp_path}/other.conf pyspark-shell")
    run(*argv, *shlex.split(flags.format(tmp_path)), "app.py", "--conf", "spark.jars=of-the-app.jar")
    assert command[1:3] == ["--jars", ",".join(filter(None, [kept, str(rockstate.jar_path())]))]
    command.clear()
    if argv == ["submit"]:
        run(*argv, "--jars", "given.jar", *shlex.split(flags.format(tmp_path)), "app.py")
        assert command[1:3] == ["--jars", f"given.jar,{rockstate.jar_path()}"]


def test_a_bootstrap_that_a_submitted_job_runs_starts_a_spark_of_its_own_once(
    command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class InSubmit(Exception):
        """It runs the program in this process."""

    def begun(_: object) -> None:
        raise InSubmit(os.environ["PYSPARK_GATEWAY_PORT"])

    monkeypatch.setattr("rockstate.cli.bootstrap._begun", begun)
    monkeypatch.setenv("PYSPARK_GATEWAY_PORT", "1")
    run("bootstrap", "NEW", "--query", "app.py", "--its", "own")
    monkeypatch.setenv("PYSPARK_GATEWAY_PORT", "2")
    own = command[command.index(str(Path(rockstate.__file__).with_name("__main__.py"))) + 1 :]
    with pytest.raises(InSubmit, match="2"):
        main(own)


FAKE_SUBMIT = """\
#!/bin/bash
end() { sleep 1; echo "$1" > ended; exit 7; }
trap 'end INT' INT
trap 'end TERM' TERM
trap -p PIPE > ignored
touch began
for at in {1..300}; do sleep 0.1; done
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A Spark of the version here, whose spark-submit waits for a signal and takes a second to end."""
    home = tmp_path / "spark"
    for file in (home / "jars" / f"spark-core_2.13-{pyspark.__version__}.jar", home / "bin" / "spark-submit"):
        file.parent.mkdir(parents=True)
        file.write_text(FAKE_SUBMIT)
        file.chmod(0o755)
    return home


@pytest.mark.parametrize("argv", [["submit"], ["bootstrap", "NEW", "--query"]], ids=lambda argv: argv[0])
@pytest.mark.parametrize(("name", "send"), [("INT", os.killpg), ("TERM", os.kill)], ids=["Ctrl-C", "kill"])
def test_what_ends_the_command_lets_the_driver_end(
    home: Path, name: str, send: Callable[[int, int], None], argv: list[str]
) -> None:
    submitted = subprocess.Popen(
        [sys.executable, "-m", "rockstate", *argv, "app.py"],
        env={**os.environ, "SPARK_HOME": str(home)},
        cwd=home,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # which a shell's `&` would ignore
    )
    deadline = time.monotonic() + 60
    while not (home / "began").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    send(submitted.pid, getattr(signal, f"SIG{name}"))
    assert submitted.wait(timeout=60) == 7
    assert (home / "ended").read_text().strip() == name
    assert (home / "ignored").read_text() == ""


def test_a_spark_without_spark_submit_is_an_error_that_says_so(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "bin" / "spark-submit").unlink()
    monkeypatch.setenv("SPARK_HOME", str(home))
    assert main(["submit", "app.py"]) == 1
    assert "spark-submit does not run (No such file or directory). Set SPARK_HOME" in capsys.readouterr().err
