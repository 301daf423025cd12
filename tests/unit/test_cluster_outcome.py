"""What the run on a cluster is judged by: kinds of files, versions that should be gone, failures, rows."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from tests.cluster.outcome import batches, compared, kinds, other_failures, stale, telling

UUID = "5f1f1f0a-1111-4222-8333-0123456789ab"
STORE = "/checkpoints/q/state/0/1"


def test_every_file_that_docs_name_has_a_kind() -> None:
    files = [
        f"{STORE}/3.delta",
        f"{STORE}/3_{UUID}.delta",
        f"{STORE}/left-keyToNumValues/20_{UUID}.snapshot",
        f"{STORE}/sst/{UUID}.sst",
        f"{STORE}/.3_{UUID}.delta.{UUID}.tmp",
        f"{STORE}/.3.delta.17.replacement",
        "/checkpoints/q/state/0/_metadata/metadata",
        f"/checkpoints/q/state/0/_stateSchema/default/0_{UUID}",
        "/checkpoints/q/state/0/0/_metadata/schema",
        "/checkpoints/q/commits/0",
        "/checkpoints/other/state/0/1/7.delta",
    ]
    numbers = {"delta": 2, "snapshot": 1, "table file": 1, "temporary file": 2, "of the operator": 3}
    assert kinds(files, "q") == numbers


@pytest.mark.parametrize("name", ["3.changelog", "x.delta", "sst/3.delta.tmp", "rockstate-unfinished"])
def test_what_nobody_names_counts_under_its_path(name: str) -> None:
    assert kinds([f"{STORE}/{name}"], "q") == {f"{STORE}/{name}": 1}


def test_versions_before_the_second_newest_snapshot_that_is_old_enough_are_stale() -> None:
    deltas = [f"{STORE}/{version}_{UUID}.delta" for version in range(1, 15)]
    snapshots = [f"{STORE}/{version}_{UUID}.snapshot" for version in (3, 6, 9, 12)]
    # 14 is the newest, so 10 must stay loadable: from 9, or if that is damaged from 6.
    assert stale([*deltas, *snapshots], "q") == {STORE: [1, 2, 3, 4, 5]}
    assert stale([*deltas, snapshots[0]], "q") == {STORE: []}


def test_batches_are_counted_though_old_entries_are_gone() -> None:
    commits = [f"/checkpoints/{query}/commits/{batch}" for query, batch in (("q", 8), ("q", 9), ("other", 20))]
    assert batches([*commits, "/checkpoints/q/commits/.10.tmp", "/checkpoints/q/offsets/10"], "q") == 10
    assert batches(commits, "nobody") == 0


def test_only_failures_of_hdfs_and_of_slow_pythons_are_expected(tmp_path: Path) -> None:
    file = tmp_path / "failures"
    assert other_failures(file) == []
    file.write_text("java.net.ConnectException: Connection refused\nCANNOT_LOAD_STATE_STORE: 3.delta is missing\n")
    assert other_failures(file) == ["CANNOT_LOAD_STATE_STORE: 3.delta is missing"]


def test_a_secret_is_found_wherever_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "work-0").mkdir()
    (tmp_path / "work-0" / "stderr").write_bytes(b"\xff said: the-secret.\n")
    (tmp_path / "driver-1.log").write_text("*********(redacted)\n")
    assert telling(tmp_path, "the-secret") == [str(tmp_path / "work-0" / "stderr")]
    assert telling(tmp_path, "another") == []


def test_a_row_that_is_missing_or_doubled_is_found() -> None:
    wanted = pd.DataFrame({"carrier": ["AA", "UA", "UA"], "flights": [1, 2, 2]})
    found = pd.concat([wanted, pd.DataFrame({"carrier": ["--"], "flights": [9]})])
    assert compared(wanted, found).empty
    assert len(compared(wanted, found[1:])) == 1
    assert len(compared(wanted, pd.concat([found, wanted[:1]]))) == 1
