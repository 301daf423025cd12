"""Workflows, issue forms and their like: they parse, and have what GitHub and pre-commit insist on."""

from __future__ import annotations

import configparser
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from rockstate.launch.versions import SPARK_MINORS

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted(set((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")) - {ROOT / ".github/ISSUE_TEMPLATE/config.yml"})
PYTHONS = ["3.10", "3.11", "3.12", "3.13", "3.14"]


def load(path: Path) -> dict[Any, Any]:
    found = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_has_what_github_wants(path: Path) -> None:
    workflow = load(path)
    assert workflow["name"]
    assert workflow[True], "`on` is a boolean to YAML 1.1"
    assert workflow["permissions"] == {"contents": "read"}, "more only for the job that needs it"
    jobs = workflow["jobs"]
    for name, job in jobs.items():
        needs = job.get("needs", [])
        assert {needs} <= set(jobs) if isinstance(needs, str) else set(needs) <= set(jobs)
        if "uses" in job:
            assert (ROOT / job["uses"]).is_file(), name
            continue
        assert job["runs-on"]
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step), step
            assert "uses" not in step or re.fullmatch(r"[\w-]+/[\w-]+@[\w./-]+", step["uses"])
            for script in re.findall(r"\.ci/\w+(?:\.py)?", step.get("run", "")):
                assert (ROOT / script).is_file(), script


def test_ci_has_each_python_and_both_jdks() -> None:
    settings = load(ROOT / ".github/workflows/ci.yml")["jobs"]["test"]["strategy"]["matrix"]["include"]
    assert [each["python"] for each in settings] == PYTHONS
    assert {each["java"] for each in settings} == {"17", "21"}


def usual_minor() -> str:
    """The Spark minor of .venv."""
    found = re.search(r"^pyspark==(\d+\.\d+)", (ROOT / "requirements-dev.lock").read_text("utf-8"), re.MULTILINE)
    assert found is not None
    return found[1]


def test_ci_has_each_other_minor_on_its_oldest_and_its_newest_python() -> None:
    settings = load(ROOT / ".github/workflows/ci.yml")["jobs"]["minors"]["strategy"]["matrix"]["include"]
    wanted = [
        (row.minor, ".".join(map(str, python)))
        for row in SPARK_MINORS.values()
        if row.minor != usual_minor()
        for python in (row.minimum_python, row.newest_python)
    ]
    assert [(each["spark"], each["python"]) for each in settings] == wanted
    assert {each["java"] for each in settings} == {"17", "21"}


def make(*arguments: str) -> subprocess.CompletedProcess[str]:
    """What `make` says of one thing; the environment of an outer `make` is not handed on."""
    kept = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    command = ["make", "--silent", "-C", str(ROOT), "--no-print-directory", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=kept)


def test_make_knows_the_minors_that_the_build_knows() -> None:
    table = (ROOT / "project" / "SparkVersions.scala").read_text(encoding="utf-8")
    minors = re.findall(r'SparkVersion\("([0-9.]+)",', table)
    refused = make("help", "SPARK=3.5")
    assert refused.returncode != 0
    assert f"SPARK=3.5 is not one of {' '.join(minors)}" in refused.stderr
    for minor in minors:
        assert make("help", f"SPARK={minor}").returncode == 0


def test_make_tests_the_oldest_and_the_newest_minor_beside_the_usual_one() -> None:
    here = [row.minor for row in SPARK_MINORS.values() if row.runs_with(sys.version_info[:2])]
    assert usual_minor() in here
    ends = (next(iter(SPARK_MINORS)), next(reversed(SPARK_MINORS)))
    assert make("others").stdout.split() == [minor for minor in ends if minor in here and minor != usual_minor()]


def test_each_run_of_a_minors_tests_leaves_reports_for_the_tables_of_compatibility() -> None:
    for target, report in (
        ("test-minor", "junit-4.0.xml"),
        ("test-python", f"junit-{usual_minor()}.xml"),
        ("test-apart", f"junit-{usual_minor()}-apart.xml"),
    ):
        commands = make("--dry-run", target, "SPARK=4.0").stdout
        assert commands.count(f"rm -f target/{report}") == commands.count(f"--junitxml=target/{report}") == 1
    assert (
        "rm -rf jvm/spark/target/spark-4.0/test-reports\n" in make("--dry-run", "test-scala-minor", "SPARK=4.0").stdout
    )


def test_classifiers_name_the_pythons_of_ci() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert re.findall(r'"Programming Language :: Python :: (3\.\d+)"', project) == PYTHONS
    assert f'requires-python = ">={PYTHONS[0]}"' in project


def test_a_release_publishes_only_what_was_checked_and_tested() -> None:
    jobs = load(ROOT / ".github/workflows/release.yml")["jobs"]
    assert set(jobs["pypi"]["needs"]) == {"test", "build"}
    assert jobs["assets"]["needs"] == "pypi"
    assert jobs["test"]["needs"] == jobs["build"]["needs"] == "check"
    assert jobs["pypi"]["permissions"] == {"id-token": "write"}


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_an_issue_form_has_what_github_wants(path: Path) -> None:
    form = load(path)
    assert form["name"] and form["description"] and form["body"]
    ids = [field["id"] for field in form["body"]]
    assert len(set(ids)) == len(ids)
    for field in form["body"]:
        assert field["type"] in ("textarea", "input", "dropdown", "checkboxes")
        assert field["attributes"]["label"]
        assert field["type"] != "dropdown" or field["attributes"]["options"]


def test_the_chooser_of_issues_has_what_github_wants() -> None:
    chooser = load(ROOT / ".github/ISSUE_TEMPLATE/config.yml")
    assert all(link["name"] and link["url"] and link["about"] for link in chooser["contact_links"])


def test_dependabot_has_what_github_wants() -> None:
    found = load(ROOT / ".github/dependabot.yml")
    assert found["version"] == 2
    assert {update["package-ecosystem"] for update in found["updates"]} == {"github-actions", "pip"}
    assert all(update["directory"] and update["schedule"]["interval"] for update in found["updates"])


def test_hooks_are_the_projects_own_commands() -> None:
    repos = load(ROOT / ".pre-commit-config.yaml")["repos"]
    assert [repo["repo"] for repo in repos] == ["local"], "hooks of others come from the network"
    hooks = repos[0]["hooks"]
    assert {hook["id"] for hook in hooks} == {"ruff-check", "ruff-format", "mypy", "scalafmt"}
    assert all(hook["language"] == "system" and hook["name"] for hook in hooks)
    assert {hook["entry"].split()[0] for hook in hooks} == {".venv/bin/ruff", ".venv/bin/mypy", "jvm/sbt"}


def test_editors_wrap_where_the_formatters_do() -> None:
    text = (ROOT / ".editorconfig").read_text(encoding="utf-8")
    found = configparser.ConfigParser()
    found.read_string("[top]\n" + text)
    assert found["top"]["root"] == "true"
    assert found["*"]["max_line_length"] == "120"
    assert found["*.py"]["indent_size"] == "4"


def test_the_lock_pins_every_dependency_and_names_no_host() -> None:
    lock = (ROOT / "requirements-dev.lock").read_text(encoding="utf-8")
    assert "://" not in lock
    pinned = set(re.findall(r"^([\w.-]+)==", lock, re.MULTILINE))
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    lists = re.findall(r"^(?:dependencies|plot|demo|dev|docs|conformance|connect) = \[(.*)\]$", project, re.MULTILINE)
    wanted = {name.lower() for each in lists for name in re.findall(r'"([\w.-]+)', each)}
    assert wanted >= {"pyspark", "mkdocs-material", "pre-commit", "pandas"}
    assert wanted <= pinned
