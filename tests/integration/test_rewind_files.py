"""What forks and rollbacks move, keep, refuse, and finish after they were cut off."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.conftest import IS_WHOLE
from tests.integration.cut_off import contents, cut_off, stopped_at, without_checksums
from tests.integration.rewinds import HOURS, MIN_DELTAS, Query, Windows, finished, goes_on
from tests.integration.streams import Output, far_future_event
from tests.integration.verification import is_sound

from rockstate import Checkpoint, Misuse
from rockstate.cli import main


@pytest.fixture(scope="module")
def ended(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Query, Path, Output]]:
    spark.conf.set(MIN_DELTAS, "2")
    folder = tmp_path_factory.mktemp("finished")
    query, output = Windows(spark, folder), Output()
    yield query, finished(query, folder, output), output
    spark.conf.unset(MIN_DELTAS)


@pytest.fixture
def old(ended: tuple[Query, Path, Output], tmp_path: Path) -> Path:
    """A copy of the checkpoint, to change."""
    return Path(shutil.copytree(ended[1], tmp_path / "old"))


def test_a_dry_run_changes_nothing(old: Path, tmp_path: Path) -> None:
    before = contents(old)
    planned = Checkpoint(old).fork(tmp_path / "new", batch=1, dry_run=True)
    assert planned.query_id is None and planned.operators[0].files > 0
    assert planned.seconds and planned.seconds > 2
    assert not (tmp_path / "new").exists()
    kept = Checkpoint(old).rollback(1, dry_run=True)
    assert kept.kept_in is None
    assert contents(old) == before
    done = Checkpoint(old).rollback(1)
    assert (done.files, done.size, done.last_committed) == (kept.files, kept.size, kept.last_committed)
    forked = Checkpoint(old).fork(tmp_path / "new", batch=1)
    assert [replace(each, copied_rows=None) for each in forked.operators] == list(planned.operators)
    assert forked.operators[0].rows == forked.operators[0].copied_rows and forked.operators[0].rows
    for dry_run in (True, False):
        with pytest.raises(Misuse, match="is finished, or a query uses it"):
            Checkpoint(old).fork(tmp_path / "new", dry_run=dry_run)


def test_a_dry_run_of_what_is_done_with_kept_files_changes_nothing(
    old: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = Checkpoint(old).rollback(1)
    before = contents(old)
    for option, says in (("--undo", "would bring back"), ("--forget", "would delete")):
        assert main(["rollback", str(old), option, "--dry-run"]) == 0
        assert f"{says} {kept.files} files" in capsys.readouterr().out
        assert contents(old) == before


def test_a_rollback_can_be_undone_and_forgotten(old: Path) -> None:
    before = contents(old)
    first = Checkpoint(old).rollback(3)
    second = Checkpoint(old).rollback(1)
    assert (first.kept_in, second.kept_in) == ("rockstate-rolled-back/1", "rockstate-rolled-back/2")
    assert len([name for name in contents(old) if name.startswith("rockstate-rolled-back/1/commits")]) >= 2
    Checkpoint(old).undo_rollback()
    undone = Checkpoint(old).undo_rollback()
    assert (undone.folders, undone.files, undone.size) == ((first.kept_in,), first.files, first.size)
    assert contents(old) == before
    with pytest.raises(Misuse, match="Nothing is kept aside"):
        Checkpoint(old).undo_rollback()
    again = Checkpoint(old).rollback(1)
    forgotten = Checkpoint(old).forget_rollbacks()
    assert (forgotten.files, forgotten.size) == (again.files, again.size)
    assert not (old / "rockstate-rolled-back").exists()
    is_sound(old)


def test_the_tables_that_only_later_snapshots_name_are_kept_with_them(old: Path) -> None:
    """Maintenance deletes table files that no manifest names."""
    tables = {path.name for path in old.rglob("*.sst")}
    assert tables
    Checkpoint(old).rollback(0)
    assert not list((old / "state").rglob("*.sst"))
    assert {path.name for path in (old / "rockstate-rolled-back").rglob("*.sst")} == tables


def test_what_went_on_since_is_not_mixed_with_what_was_kept(old: Path, ended: tuple[Query, Path, Output]) -> None:
    Checkpoint(old).rollback(1)
    goes_on(ended[0], old, ended[2], 1)
    with pytest.raises(Misuse, match="went on since it was rolled back to batch 1"):
        Checkpoint(old).undo_rollback()
    is_sound(old)


def test_what_a_query_writes_that_was_not_stopped_belongs_to_what_was_kept(spark: SparkSession, tmp_path: Path) -> None:
    """It waits for rows while a rollback goes on under it, and then goes on after its own last batch."""
    query, output = Windows(spark, tmp_path), Output()
    checkpoint, last = tmp_path / "checkpoint", HOURS + 1
    running = output.writer(query.stream(), "append").option("checkpointLocation", str(checkpoint)).start()
    try:
        running.processAllAvailable()
        kept = Checkpoint(checkpoint).rollback(1)
        query.add(far_future_event())
        running.processAllAvailable()
    finally:
        running.stop()
    undone = Checkpoint(checkpoint).undo_rollback()
    assert undone.files == kept.files
    is_sound(checkpoint)
    assert {int(path.name) for path in (checkpoint / "commits").iterdir() if path.name.isdecimal()} >= set(range(last))
    query.add(far_future_event())
    assert goes_on(query, checkpoint, output, max(output.batches)) == {max(output.batches) + 1}


def test_a_file_in_the_way_of_what_comes_back_is_named(old: Path) -> None:
    Checkpoint(old).rollback(1)
    kept = next((old / "rockstate-rolled-back/1/state/0/1").glob("4[._]*.delta"))
    stray = old / "state/0/1" / kept.name
    stray.write_bytes(b"of a query that was cut off")
    before = contents(old)
    with pytest.raises(Misuse, match=rf"\[\S*{stray}\]. Stop the query and its Spark session, move this file out"):
        Checkpoint(old).undo_rollback()
    assert contents(old) == before
    stray.unlink()
    Checkpoint(old).undo_rollback()
    is_sound(old)


def test_what_is_not_there_is_refused(old: Path, tmp_path: Path) -> None:
    last = max(int(path.name) for path in (old / "commits").iterdir() if path.name.isdecimal())
    before = contents(old)
    for batch, why in ((last, "is the last one"), (last + 1, f"the last one is {last}"), (-1, "was not committed")):
        with pytest.raises(Misuse, match=why):
            Checkpoint(old).rollback(batch)
    with pytest.raises(Misuse, match=f"the last one is {last}"):
        Checkpoint(old).fork(tmp_path / "new", batch=last + 1)
    with pytest.raises(Misuse, match="beside each other"):
        Checkpoint(old).fork(old / "new")
    assert contents(old) == before


@pytest.mark.parametrize("damage", ["gone", "damaged"])
def test_state_that_cannot_be_loaded_is_named_before_anything_moves(old: Path, tmp_path: Path, damage: str) -> None:
    for file in (*(old / "state/0/1").glob("1[._]*"), *(old / "state/0/1").glob("*.snapshot")):
        file.write_bytes(b"not this") if damage == "damaged" else file.unlink()
        file.with_name(f".{file.name}.crc").unlink(missing_ok=True)
    before = contents(old)
    for attempt in (lambda: Checkpoint(old).rollback(1), lambda: Checkpoint(old).fork(tmp_path / "new", batch=1)):
        with pytest.raises(Exception, match=r"[12](_\S+)?\.(delta|snapshot)"):
            attempt()
    assert contents(old) == before
    assert not (tmp_path / "new" / "metadata").exists()


def test_a_damaged_snapshot_is_gone_round(old: Path, tmp_path: Path, ended: tuple[Query, Path, Output]) -> None:
    for table in (old / "state/0/1/sst").iterdir():
        table.write_bytes(b"not this")
    new = tmp_path / "new"
    Checkpoint(old).fork(new, batch=HOURS)
    is_sound(new)
    goes_on(ended[0], new, ended[2], HOURS)


def calls_of(spark: SparkSession, folder: Path, what: Callable[[], object], calls: int = 1_000_000) -> list[str]:
    """What it changes there, call by call, until it is cut off."""
    with cut_off(spark, folder, calls) as done, suppress(Exception):
        what()
    return done


def test_what_was_cut_off_is_finished(spark: SparkSession, old: Path) -> None:
    whole = Path(shutil.copytree(old, old.with_name("whole")))
    every = calls_of(spark, whole, partial(Checkpoint(whole).rollback, 1))
    undone = Path(shutil.copytree(whole, old.with_name("undone")))
    back = calls_of(spark, undone, Checkpoint(undone).undo_rollback)
    assert len(every) > 20 and len(back) > 20
    are_in_order(every)
    first = next(number for number, call in enumerate(every) if call.startswith("rename rockstate-rolled-back/1/"))
    assert every.index("rename rockstate-rollback") < every.index("rename rockstate-metadata-away") < first
    for calls in range(0, every.index("rename metadata") + 1, 1 if IS_WHOLE else 8):
        here = Path(shutil.copytree(old, old.with_name(f"cut-off-{calls}")))
        done = calls_of(spark, here, partial(Checkpoint(here).rollback, 1), calls)
        assert len(done) == calls and set(done) <= set(every)
        are_in_order(done)
        assert_is_left_well(here)
        Checkpoint(here).rollback(1)
        assert without_checksums(here) == without_checksums(whole)
        calls_of(spark, here, Checkpoint(here).undo_rollback, min(calls, len(back) - 1))
        assert_is_left_well(here)
        Checkpoint(here).undo_rollback()
        assert without_checksums(here) == without_checksums(old)
        shutil.rmtree(here)


def test_forgetting_that_was_cut_off_is_finished(spark: SparkSession, old: Path) -> None:
    Checkpoint(old).rollback(1)
    whole = Path(shutil.copytree(old, old.with_name("whole")))
    every = calls_of(spark, whole, Checkpoint(whole).forget_rollbacks)
    begun = every.index("create rockstate-forgetting") + 1
    for calls in range(len(every)):
        here = Path(shutil.copytree(old, old.with_name(f"cut-off-{calls}")))
        calls_of(spark, here, Checkpoint(here).forget_rollbacks, calls)
        is_sound(here)
        if calls >= begun:
            again = Path(shutil.copytree(here, old.with_name(f"undone-{calls}")))
            half_is_gone(again)
            for dry_run in (True, False):
                with pytest.raises(Misuse, match="Nothing is kept aside"):
                    Checkpoint(again).undo_rollback(dry_run=dry_run)
            assert without_checksums(again) == without_checksums(whole)
        Checkpoint(here).forget_rollbacks()
        assert without_checksums(here) == without_checksums(whole)


def half_is_gone(checkpoint: Path) -> None:
    """Of what a rollback has kept: a folder is deleted file by file."""
    for file in (checkpoint / "rockstate-rolled-back").rglob("*.delta"):
        file.unlink()


KEPT = "rockstate-rolled-back/1"
ROLLBACK = {
    "before the journal": "create rockstate-rollback-new",
    "in the middle of the journal": "write rockstate-rollback-new",
    "before the journal counts": "rename rockstate-rollback",
    "before the metadata go": "rename rockstate-metadata-away",
    "before the first file": f"rename {KEPT}/state/.*",
    "in the middle of the stores": " then ".join([f"rename {KEPT}/state/.*"] * 3),
    "before the commits": f"rename {KEPT}/commits/.*",
    "in the middle of the commits": " then ".join([f"rename {KEPT}/commits/.*"] * 3),
    "before the planned batches": f"rename {KEPT}/offsets/.*",
    "before the journal goes": "delete rockstate-rollback",
    "before the metadata come back": "rename metadata",
}
UNDO = {
    "in the middle of the journal": "write rockstate-rollback-new",
    "before the metadata go": "rename rockstate-metadata-away",
    "in the middle of the stores": "rename state/.* then rename state/.*",
    "before the planned batches": "rename offsets/.*",
    "before the commits": "rename commits/.*",
    "in the middle of the commits": "rename commits/.* then rename commits/.* then rename commits/.*",
    "before the journal goes": "delete rockstate-rollback",
    "before the metadata come back": "rename metadata",
    "before the folder goes": f"delete {KEPT}",
}


@pytest.mark.slow
@pytest.mark.parametrize("place", ROLLBACK if IS_WHOLE else ["in the middle of the stores"])
def test_a_killed_rollback(old: Path, ended: tuple[Query, Path, Output], place: str) -> None:
    whole = Path(shutil.copytree(old, old.with_name("whole")))
    Checkpoint(whole).rollback(1)
    with stopped_at(ROLLBACK[place], ["rollback", str(old), "--batch", "1"], old) as process:
        process.kill()
    assert_is_left_well(old)
    Checkpoint(old).rollback(1)
    assert without_checksums(old) == without_checksums(whole)
    goes_on(ended[0], old, ended[2], 1)


@pytest.mark.slow
@pytest.mark.parametrize("place", UNDO if IS_WHOLE else [])
def test_an_undoing_that_is_killed(old: Path, place: str) -> None:
    before = without_checksums(old)
    Checkpoint(old).rollback(1)
    with stopped_at(UNDO[place], ["rollback", str(old), "--undo"], old) as process:
        process.kill()
    assert_is_left_well(old)
    Checkpoint(old).undo_rollback()
    assert without_checksums(old) == before


def are_in_order(calls: list[str]) -> None:
    """Fails unless files are moved in an order in which a query that is started on less than all misses state."""
    moved = [
        call.partition("rockstate-rolled-back/1/")[2] for call in calls if call.startswith("rename rockstate-rolled")
    ]
    assert moved == sorted(moved, key=step_of)
    for store in {name.rpartition("/")[0] for name in moved if step_of(name) > 0}:
        names = [name.rpartition("/")[2] for name in moved if name.rpartition("/")[0] == store]
        versions = [int(found[0]) for found in (re.findall(r"^\.?(\d+)", name) for name in names) if found]
        assert versions == sorted(versions, reverse=True)


def step_of(name: str) -> int:
    """Table files, then what names them, commits, planned batches; checksums with their files."""
    if name.startswith("state/"):
        return 0 if "/sst/" in name else 1
    return 2 if name.startswith("commits/") else 3


def assert_is_left_well(checkpoint: Path) -> None:
    """Whole, or visibly not."""
    if (checkpoint / "metadata").exists() and not (checkpoint / "rockstate-rollback").exists():
        is_sound(checkpoint)
        return
    (problem,) = Checkpoint(checkpoint).verify().query_problems
    assert "is being rolled back" in problem.problem
    command = "--(batch|undo)" if (checkpoint / "rockstate-rollback").exists() else "rockstate rollback`"
    assert re.search(command, problem.remedy), problem.remedy
    with pytest.raises(Misuse, match=f"is being rolled back.*{command}"):
        Checkpoint(checkpoint).fork(checkpoint.with_name("new"))
    back = partial(Checkpoint(checkpoint).rollback, 0)
    for other in (back, partial(back, dry_run=True), Checkpoint(checkpoint).forget_rollbacks):
        if (checkpoint / "rockstate-rollback").exists():
            with pytest.raises(Misuse, match="was cut off"):
                other()


def test_only_the_last_step_is_missing(old: Path) -> None:
    Checkpoint(old).rollback(1)
    before = without_checksums(old)
    (old / "metadata").rename(old / "rockstate-metadata-away")
    done = Checkpoint(old).rollback(1)
    assert done.files > 0
    assert without_checksums(old) == before


def test_a_last_step_of_a_rollback_to_another_batch_is_none_of_this_one(old: Path) -> None:
    Checkpoint(old).rollback(1)
    (old / "metadata").rename(old / "rockstate-metadata-away")
    with pytest.raises(Misuse, match="Batch 3 was not committed; the last one is 1"):
        Checkpoint(old).rollback(3)
    is_sound(old)


def test_undoing_that_was_cut_off_is_finished(old: Path) -> None:
    before = without_checksums(old)
    Checkpoint(old).rollback(1)
    kept = "rockstate-rolled-back/1"
    (old / "metadata").rename(old / "rockstate-metadata-away")
    (old / "rockstate-rollback").write_text(f'{{"batch":1,"folder":"{kept}","isRollback":false}}')
    some = next(path for path in (old / kept / "state").rglob("*.delta"))
    some.rename(old / some.relative_to(old / kept))
    with pytest.raises(Misuse, match="Undoing the rollback to batch 1 was cut off"):
        Checkpoint(old).rollback(0)
    Checkpoint(old).undo_rollback()
    assert without_checksums(old) == before
