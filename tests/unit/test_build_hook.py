from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

from rockstate.launch.versions import ROCKSTATE_VERSION, SUPPORTED_MINORS

ROOT = Path(__file__).parents[2]


@pytest.fixture
def hook() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "python" / "build_hook.py"))


def fake_program(folder: Path, name: str, script: str) -> None:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)


def test_without_java_the_error_says_what_to_install(
    hook: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match="Install a JDK, 17 or newer"):
        hook["check_java"]()


@pytest.mark.parametrize("banner", ['openjdk version "11.0.2"', 'java version "1.8.0_292"', "gibberish"])
def test_an_old_java_is_refused(
    hook: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, banner: str
) -> None:
    fake_program(tmp_path / "bin", "java", f"echo '{banner}' >&2")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(SystemExit, match="too old"):
        hook["check_java"]()


@pytest.mark.parametrize("banner", ['openjdk version "17.0.15" 2025-04-15', 'openjdk version "21" 2023-09-19'])
def test_a_recent_java_is_accepted(
    hook: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, banner: str
) -> None:
    fake_program(tmp_path / "bin", "java", f"echo '{banner}' >&2")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    hook["check_java"]()


def test_without_maven_and_sbt_the_error_says_what_to_install(
    hook: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match="Install Maven"):
        hook["check_sbt_or_maven"]()
    fake_program(tmp_path, "mvn", "")
    hook["check_sbt_or_maven"]()


def test_all_minors_are_built_unless_some_are_named(hook: dict[str, Any]) -> None:
    wanted = hook["wanted_minors"]
    assert wanted(SUPPORTED_MINORS, {}) == wanted(SUPPORTED_MINORS, {"ROCKSTATE_MINORS": ""}) == [*SUPPORTED_MINORS]
    assert wanted(SUPPORTED_MINORS, {"ROCKSTATE_MINORS": "4.2, 4.3"}) == ["4.2", "4.3"]
    with pytest.raises(SystemExit, match=r"4\.4"):
        wanted(SUPPORTED_MINORS, {"ROCKSTATE_MINORS": "4.2,4.4"})


def test_one_sbt_leaves_two_jars_of_each_minor(
    hook: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """sbt is a script here, which leaves the jars where sbt would, and its arguments."""
    made = 'echo "$@" >> calls; minor=${1#*=}; for arg; do case $arg in "minor "*) minor=${arg#* };; */package)'
    made += " module=${arg%/package}; dir=jvm/$module/target/spark-$minor/scala-2.13; mkdir -p $dir;"
    made += f" touch $dir/rockstate-$module-${{minor}}_2.13-{ROCKSTATE_VERSION}.jar;; esac; done"
    fake_program(tmp_path / "jvm", "sbt", made)
    for check in ("check_java", "check_sbt_or_maven"):
        monkeypatch.setitem(hook["build_jars"].__globals__, check, lambda: None)
    monkeypatch.delenv("ROCKSTATE_MINORS", raising=False)
    jars = hook["build_jars"](tmp_path)
    assert len(set(jars)) == 2 * len(SUPPORTED_MINORS)
    calls = [f"minor {minor} spark/package conformance/package" for minor in SUPPORTED_MINORS]
    assert (tmp_path / "calls").read_text() == f"-Drockstate.spark={SUPPORTED_MINORS[0]} {' '.join(calls)}\n"


def test_a_fat_jar_is_refused(hook: dict[str, Any], tmp_path: Path) -> None:
    jar = tmp_path / "fat.jar"
    jar.write_bytes(b"x" * hook["MAXIMUM_JAR_BYTES"])
    with pytest.raises(SystemExit, match="thin jar"):
        hook["checked"](jar)


def test_a_missing_jar_is_refused(hook: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="left no"):
        hook["checked"](tmp_path / "none.jar")
