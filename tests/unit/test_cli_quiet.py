"""Commands that start Spark are quiet: its log is shown with --debug only."""

from __future__ import annotations

import pytest

from rockstate.base.errors import NotFound
from rockstate.cli import main

MOVES = [
    ["export", "old", "new"],
    ["fork", "old", "new"],
    ["rollback", "old", "--batch", "1"],
    ["rollback", "old", "--undo"],
    ["rollback", "old", "--forget"],
    ["migrate", "old", "new", "--to", "hdfs"],
    ["repartition", "old", "new", "--partitions", "3"],
    ["repartition", "old", "--in-place", "--partitions", "3"],
    ["bootstrap", "new", "--like", "old"],
]


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is started, in order: a JVM whose log nobody sees, a session."""
    seen: list[str] = []

    def session() -> None:
        seen.append("session")
        raise NotFound("There is no Spark", "This is a test")

    monkeypatch.setattr("rockstate.session.gateway.start_quietly", lambda: seen.append("quiet JVM"))
    monkeypatch.setattr("rockstate.moving.moves.reading_session", session)
    return seen


@pytest.mark.parametrize("argv", MOVES, ids=" ".join)
def test_a_session_is_made_in_a_jvm_whose_log_is_kept_back(steps: list[str], argv: list[str]) -> None:
    assert main(argv) == 1
    assert steps == ["quiet JVM", "session"]


@pytest.mark.parametrize("argv", MOVES, ids=" ".join)
def test_debug_shows_the_log(steps: list[str], argv: list[str]) -> None:
    assert main(["--debug", *argv]) == 1
    assert steps == ["session"]


@pytest.mark.parametrize("flags", [["--debug"], []], ids=str)
@pytest.mark.parametrize("argv", [["inspect", "/x"], ["verify", "/x"], ["doctor"]], ids=" ".join)
def test_debug_shows_the_log_of_a_jvm_without_a_session(
    monkeypatch: pytest.MonkeyPatch, argv: list[str], flags: list[str]
) -> None:
    class Started(Exception):
        """It got as far as to Spark's JVM."""

    def launch(popen_kwargs: dict[str, object]) -> None:
        raise Started("log kept back" if "stderr" in popen_kwargs else "log shown")

    monkeypatch.setattr("pyspark.SparkContext._gateway", None)
    monkeypatch.delenv("PYSPARK_GATEWAY_PORT", raising=False)
    monkeypatch.setattr("pyspark.java_gateway.launch_gateway", launch)
    with pytest.raises(Started, match="shown" if flags else "kept back"):
        main([*flags, *argv])


@pytest.mark.parametrize("argv", MOVES, ids=" ".join)
def test_ctrl_c_claims_nothing_of_a_folder_in_which_nothing_may_have_been_begun(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], argv: list[str]
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rockstate.session.gateway.start_quietly", interrupted)
    with pytest.raises(SystemExit, match="130"):
        main(argv)
    said = capsys.readouterr().err
    assert said.startswith("rockstate: cancelled")
    assert "new is left" not in said
    assert "What it has written to new" in said or "new" not in argv
