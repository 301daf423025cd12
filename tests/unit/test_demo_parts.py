"""The demo's parts that need no Spark: duplicates, the fold into sessions, the sink's log, the progress file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from rockstate import Misuse
from rockstate.demo import compare, expected, job, processes, progress
from rockstate.demo.data import DUPLICATE_MAX_LAG_DAYS, inject_duplicates
from rockstate.demo.flights import read_flights, read_weather
from rockstate.demo.sessions import BY_GAP, BY_LAST_LEG, GAP, Leg, Session, fold

GAP_MICROS = int(GAP.total_seconds()) * 1_000_000


@pytest.fixture(scope="module")
def flights() -> pd.DataFrame:
    return read_flights(days=12)


def test_flights_are_all_there_and_in_order() -> None:
    flights = read_flights()
    assert len(flights) == 336_776
    assert flights["event_time"].is_monotonic_increasing
    assert flights["dep_delay"].isna().sum() == 8_255


def test_an_aircraft_has_a_last_leg_only_on_days_of_several(flights: pd.DataFrame) -> None:
    per_day = flights.groupby(["tailnum", "day"])["last_leg"].agg(["size", "sum"])
    assert (per_day["sum"] == (per_day["size"] > 1)).all()
    assert not flights.loc[flights["tailnum"].isna(), "last_leg"].any()


def test_duplicates_are_copies_that_come_at_most_four_days_late(flights: pd.DataFrame) -> None:
    days = [day for _, day in flights.groupby("day")]
    files = inject_duplicates(days)
    assert sum(map(len, files)) > len(flights)
    assert len(pd.concat(files).drop_duplicates()) == len(flights)
    for number, file in enumerate(files):
        lags = (pd.to_datetime(days[number]["day"].iloc[0]) - pd.to_datetime(file["day"])).dt.days
        assert lags.between(0, DUPLICATE_MAX_LAG_DAYS).all()
    for first, second in zip(files, inject_duplicates(days), strict=True):
        assert first.equals(second)


def leg(time: int, last_leg: bool = False) -> Leg:
    return Leg(time, last_leg, distance=100, dep_delay=5)


def test_a_last_leg_ends_a_session() -> None:
    finished, session = fold(Session(1), [leg(0), leg(1, last_leg=True), leg(2)])
    assert finished == [(Session(1, 0, 1, 2, 200, 10), BY_LAST_LEG)]
    assert session == Session(2, 2, 2, 1, 100, 5)


@pytest.mark.parametrize(("pause", "sessions"), [(GAP_MICROS, 0), (GAP_MICROS + 1, 1)])
def test_a_pause_longer_than_the_gap_ends_a_session(pause: int, sessions: int) -> None:
    finished, session = fold(Session(1), [leg(0), leg(pause)])
    assert [ended_by for _, ended_by in finished] == [BY_GAP] * sessions
    assert session.number == 1 + sessions


def test_the_fold_does_not_depend_on_how_legs_are_cut_into_batches() -> None:
    legs = [leg(n * GAP_MICROS // 3 + (n % 5) * GAP_MICROS, n % 7 == 0) for n in range(50)]
    whole = fold(Session(1), legs)
    for cut in range(len(legs)):
        first, between = fold(Session(1), legs[:cut])
        second, last = fold(between, legs[cut:])
        assert (first + second, last) == whole


@pytest.mark.parametrize(
    "query", ["carrier_hours", "aircraft_sessions", "aircraft_stays", "distinct_flights", "flights_in_weather"]
)
def test_every_kind_of_difference_is_found(flights: pd.DataFrame, query: str) -> None:
    wanted = getattr(expected, query)(flights, read_weather())
    shuffled = wanted.sample(frac=1, random_state=1)
    assert compare.differences(wanted, shuffled).empty
    assert compare.differences(wanted, shuffled.iloc[1:])[compare.TIMES].tolist() == [-1]
    assert compare.differences(wanted, pd.concat([shuffled, shuffled.iloc[:1]]))[compare.TIMES].tolist() == [1]
    for column in wanted.columns:
        values = wanted[column].unique()
        changed = wanted.astype({column: object})
        changed.loc[0, column] = next(value for value in values if value != wanted.loc[0, column])
        assert sorted(compare.differences(wanted, changed.astype(wanted.dtypes))[compare.TIMES]) == [-1, 1], column


def test_a_progress_line_cut_short_by_the_kill_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / "progress.jsonl"
    operator = {
        "numRowsTotal": 3,
        "numRowsUpdated": 2,
        "numRowsDroppedByWatermark": 0,
        "allUpdatesTimeMs": 1,
        "commitTimeMs": 4,
        "memoryUsedBytes": 5,
    }
    batch = {"name": "q", "batchId": 0, "batchDuration": 7, "numInputRows": 9, "stateOperators": [operator, operator]}
    line = progress.as_line(json.dumps(batch), start=1)
    file.write_text(line + line[:20] + "\n" + progress.as_line(json.dumps({**batch, "batchId": 1}), start=2))
    assert [(b.number, b.start, b.state_rows, b.commit_millis) for b in progress.read_batches(file)] == [
        (0, 1, 6, 8),
        (1, 2, 6, 8),
    ]


def test_killing_a_tree_reaches_processes_that_lead_their_own_group() -> None:
    inner = "import os, time; os.setpgid(0, 0); print('up', flush=True); time.sleep(600)"
    outer = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}])"
    tree = subprocess.Popen([sys.executable, "-c", outer], stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert tree.stdout is not None
    assert tree.stdout.readline() == "up\n"
    killed = processes.kill_tree(tree.pid)
    tree.wait()
    tree.stdout.close()
    assert len(killed) == 2
    assert not any(map(processes.is_alive, killed))


@pytest.mark.parametrize(
    ("flag", "name", "said"),
    [
        ("--plot", "plot.xyz", "A plot cannot be written as 'plot.xyz'"),
        ("--plot", "none/plot.png", "There is no folder"),
        ("--plot", "locked/plot.png", "{0} cannot be written. Name another, in a folder that can be"),
        ("--work-dir", "file", "Nothing can be kept in"),
        ("--work-dir", "file/below", "Nothing can be kept in"),
    ],
)
def test_a_place_for_the_demo_that_cannot_be_is_told_before_spark_starts(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    flag: str,
    name: str,
    said: str,
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "locked").mkdir()
    can = os.access
    monkeypatch.setattr("os.access", lambda path, mode: Path(path).name != "locked" and can(path, mode))
    monkeypatch.setattr(job, "read_flights", lambda _: pytest.fail("it has begun"))
    monkeypatch.setattr(job, "_check_java", lambda: None)
    assert (
        job.main([flag, str(tmp_path / name), *(["--plot", str(tmp_path / "p.png")] if flag != "--plot" else [])]) == 2
    )
    err = capsys.readouterr().err
    assert err.startswith(f"rockstate: {said.format(tmp_path / name)}")
    assert err.count("\n") == 1


def test_the_verdict_of_the_demo_comes_before_the_plot(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise Misuse("The disk is full", "Free some of it")

    for name in ("read_flights", "read_weather", "lay_out", "stream", "compare_results"):
        monkeypatch.setattr(job, name, lambda *_: [])
    for name in ("_check_java", "print_report"):
        monkeypatch.setattr(job, name, lambda *_: 0)
    monkeypatch.setattr(job, "lay_out", lambda *_: 0)
    monkeypatch.setattr(job, "write_plot", full)
    assert job.main(["--plot", str(tmp_path / "p.png"), "--work-dir", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert "every row equals the batch computation" in out
    assert err == "rockstate: The disk is full. Free some of it.\n"
