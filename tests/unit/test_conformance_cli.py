"""`rockstate conformance`: arguments, and what comes of a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.conformance_fake import GOOD, LOSES_PUTS, FakeDriver, made_check

from rockstate.cli import main
from rockstate.conformance import Lab, Version, expect
from rockstate.conformance.rules import RULES
from rockstate.conformance.running.plan import Arguments, make_plan


class ClosableDriver(FakeDriver):
    def close(self) -> None:
        pass


def read_back(lab: Lab) -> None:
    store = lab.open().begin(Version.EMPTY)
    store.put(["k"], ["v", 1])
    expect(store.get(["k"]), ["v", 1], "a value")


@pytest.fixture(autouse=True)
def no_jvm(monkeypatch: pytest.MonkeyPatch) -> None:
    def driver(*_: Any) -> ClosableDriver:
        return ClosableDriver()

    monkeypatch.setattr("rockstate.conformance.running.suite.driver_for", driver)
    monkeypatch.setattr("rockstate.conformance.running.plan.all_checks", lambda: [made_check("reads_back", read_back)])


def code(*argv: str) -> int:
    try:
        return main(["conformance", *argv])
    except SystemExit as exit_:
        return int(exit_.code or 0)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ([], "--provider"),
        (["--provider", "x", "--rules"], "--rules excludes --provider"),
        (["--provider", "x", "--only", "R77,R01"], "There is no rule R77"),
        (["--provider", "x", "--conf", "key"], "--conf key is not of the form KEY=VALUE"),
        (["--provider", "x", "--declare", "flying"], "There is no capability flying"),
        (["--provider", "x", "--require", "flying"], "There is no capability flying"),
        (["--provider", "x", "--jars", "nowhere.jar"], "There is no jar nowhere.jar"),
        (["--provider", "x", "--examples", "0"], "--examples takes a whole number from 1 on, not 0"),
        (["--provider", "x", "--badge", "badge.png"], "There is no badge"),
        (["--provider", "x", "--checkpoint-format", "3"], "--checkpoint-format takes 1 or 2, not 3"),
        (["--provider", "org.example.Nowhere"], "org.example.Nowhere is no state store provider"),
    ],
)
def test_arguments_that_make_no_sense_exit_with_two(
    argv: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert code(*argv) == 2
    assert message in capsys.readouterr().err


def test_the_rules_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert code("--rules") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(RULES)


def test_the_rules_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert code("--rules", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [rule["id"] for rule in told] == list(RULES)
    assert told[0] | {"title": RULES["R01"].title, "needs": sorted(RULES["R01"].needs)} == told[0]
    assert code("--rules", "--json", str(tmp_path / "rules.json")) == 0
    assert capsys.readouterr().out == ""
    assert json.loads((tmp_path / "rules.json").read_text()) == told


def test_flags_are_those_of_the_other_commands(capsys: pytest.CaptureFixture[str]) -> None:
    code("--help")
    shown = capsys.readouterr().out
    assert all(flag in shown for flag in ("--jars LIST", "--packages LIST", "--conf KEY=VALUE", "-c KEY=VALUE"))


def test_packages_are_a_conf_of_sparks(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    made = make_plan

    def plan(given: Arguments) -> Any:
        seen.append(given)
        return made(given)

    monkeypatch.setattr("rockstate.conformance.running.plan.make_plan", plan)
    assert code("--provider", GOOD, "--packages", "a:b:1", "-c", "spark.a=1") == 0
    assert list(seen[0].conf) == ["spark.a=1", "spark.jars.packages=a:b:1"]


def test_a_good_provider_exits_with_zero(capsys: pytest.CaptureFixture[str]) -> None:
    assert code("--provider", GOOD) == 0
    assert "1 passed" in capsys.readouterr().out


def test_a_broken_one_exits_with_one_and_is_in_every_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {name: tmp_path / f"report.{name}" for name in ("junit", "html", "json")}
    files["badge"] = tmp_path / "badge.svg"
    assert code("--provider", LOSES_PUTS, *(word for name in files for word in (f"--{name}", str(files[name])))) == 1
    assert "0 of 1 rules" in files["badge"].read_text()
    assert "assert s1.get(['k']) == ['v', 1]" in capsys.readouterr().out
    assert 'failures="1"' in files["junit"].read_text()
    assert "1 failed" in files["html"].read_text()
    assert json.loads(files["json"].read_text())["results"][0]["verdict"] == "failed"


def test_json_without_a_file_is_all_of_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    assert code("--provider", GOOD, "--json") == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["results"][0]["verdict"] == "passed"
    assert "1 passed" in told.err


def test_a_folder_that_is_not_there_is_said_before_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert code("--provider", GOOD, "--html", str(tmp_path / "nowhere" / "report.html")) == 2
    assert "nowhere" in capsys.readouterr().err


def test_a_folder_is_no_file_and_that_is_said_before_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert code("--provider", GOOD, "--junit", str(tmp_path)) == 2
    assert f"{tmp_path} is a folder" in capsys.readouterr().err


def test_a_report_that_cannot_be_written_costs_none_of_the_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("rockstate.cli.conformance.require_folders", lambda *_: None)  # the disk is full only later
    told = tmp_path / "report.json"
    assert code("--provider", GOOD, "--junit", str(tmp_path), "--json", str(told)) == 1
    assert f"rockstate: {tmp_path} cannot be written" in capsys.readouterr().err
    assert json.loads(told.read_text())["results"][0]["verdict"] == "passed"


@pytest.mark.parametrize("jar", ["file:/opt/x.jar", "local:/opt/x.jar", "hdfs://nn/x.jar"])
def test_a_uri_of_any_kind_names_a_jar(jar: str) -> None:
    assert make_plan(Arguments("x", jars=jar)).jars == (jar,)


def test_a_program_of_a_failure_has_a_jvm_with_the_sessions_confs(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted: list[object] = []
    monkeypatch.setattr("rockstate.conformance.lab.lab.shared_driver", lambda *given: wanted.append(given))
    with pytest.raises(AttributeError, match="None"):
        Lab("x", {"spark.jars.packages": "a:b:1", "spark.sql.streaming.minBatchesToRetain": "2"}, jars=["y.jar"]).open()
    assert wanted == [(["y.jar"], {"spark.jars.packages": "a:b:1"})]


def test_the_checkpoint_format_is_a_conf() -> None:
    plan = make_plan(Arguments("x", conf=["a=b=c"], checkpoint_format="2"))
    assert plan.conf == {"a": "b=c", "spark.sql.streaming.stateStore.checkpointFormatVersion": "2"}


def test_rules_are_numbered_without_gaps() -> None:
    assert [rule.number for rule in RULES.values()] == list(range(1, len(RULES) + 1))
