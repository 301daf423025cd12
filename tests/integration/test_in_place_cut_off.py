"""What a change of the number of partitions in place refuses, leaves when it is cut off, and how it is taken back."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.errors import IllegalArgumentException, PySparkException
from pyspark.sql import SparkSession
from tests.conftest import IS_WHOLE
from tests.integration.cut_off import Process, contents, cut_off, stopped_at, without_checksums
from tests.integration.minors import MINOR
from tests.integration.moves import PROVIDER, SetConf
from tests.integration.rewinds import MIN_DELTAS, Windows, finished, goes_on, run
from tests.integration.streams import Output
from tests.integration.test_in_place import last
from tests.integration.verification import FORMAT, found, is_sound, remove, verified
from tests.quick_spark import LOCAL_FILES

from rockstate import Checkpoint, Misuse, RockstateError, Unsupported
from rockstate.cli import main
from rockstate.launch.versions import is_since
from rockstate.moving.move import PROVIDERS

pytestmark = pytest.mark.skipif(not is_since(MINOR, "4.2"), reason="Spark before 4.2 cannot write a store anew")
needs_local_files = pytest.mark.skipif(not LOCAL_FILES.is_file(), reason="`make` has not built the local files")

SOME = 3
"""So many of all calls it is cut off at, and at the last three, unless at each."""


LAST = 2
ATTEMPT = "rockstate-repartition"


class Ended:
    """A query that has stopped after batch `LAST`, with files to go on with, and what it emits in all its batches."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self.query, self.output = Windows(spark, folder), Output()
        self.checkpoint = finished(self.query, folder, self.output)
        Checkpoint(self.checkpoint).rollback(LAST)
        Checkpoint(self.checkpoint).forget_rollbacks()
        remove(self.checkpoint, f"offsets/{LAST + 1}")  # which was planned
        is_sound(self.checkpoint)

    def goes_on(self, checkpoint: Path) -> None:
        """Fails unless it emits from there what it did before."""
        is_sound(checkpoint)
        assert len(goes_on(self.query, checkpoint, self.output, LAST)) > 1


@pytest.fixture(scope="module", params=["1", "2"])
def ended(
    request: pytest.FixtureRequest, spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Ended]:
    before = spark.conf.get(FORMAT)
    spark.conf.set(MIN_DELTAS, "2")
    spark.conf.set(FORMAT, request.param)
    yield Ended(spark, tmp_path_factory.mktemp("finished"))
    spark.conf.unset(MIN_DELTAS)
    spark.conf.set(FORMAT, str(before))


@pytest.fixture
def old(ended: Ended, tmp_path: Path) -> Path:
    """A copy of the checkpoint, to change."""
    return Path(shutil.copytree(ended.checkpoint, tmp_path / "old"))


def test_a_dry_run_changes_nothing_and_the_command_says_what_it_will_do(
    old: Path, ended: Ended, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(old)
    command = ["repartition", str(old), "--in-place", "--partitions", "3"]
    assert main([*command, "--dry-run"]) == 0
    planned = capsys.readouterr().out
    assert f"gets one more batch, {LAST + 1}" in planned and "in 3 partitions instead of 2" in planned
    assert contents(old) == before
    assert main(command) == 0
    assert capsys.readouterr().out.startswith(planned)
    assert last(old) == LAST + 1
    assert all(contents(old)[name] == held for name, held in before.items())


def test_what_is_refused(old: Path, tmp_path: Path) -> None:
    before = contents(old)
    checkpoint = Checkpoint(old)
    with pytest.raises(Misuse, match="has 2 shuffle partitions already"):
        checkpoint.repartition_in_place(2)
    with pytest.raises(Misuse, match="cannot be 0 partitions"):
        checkpoint.repartition_in_place(0)
    for command in (["--in-place", str(tmp_path / "new")], ["--in-place", "--batch", "1"]):
        assert main(["repartition", str(old), "--partitions", "3", *command]) == 2
    assert main(["repartition", str(old), "--partitions", "3"]) == 2
    assert contents(old) == before
    remove(old, f"commits/{LAST}")
    with pytest.raises(Misuse, match=f"Batch {LAST} was begun and not committed"):
        checkpoint.repartition_in_place(3)


def test_the_file_based_provider_is_refused(spark: SparkSession, with_conf: SetConf, tmp_path: Path) -> None:
    with_conf(PROVIDER, PROVIDERS["hdfs"])
    with_conf(FORMAT, "1")
    run(Windows(spark, tmp_path), tmp_path / "running", Output())
    old = Path(shutil.copytree(tmp_path / "running", tmp_path / "old"))
    before = contents(old)
    with pytest.raises(Unsupported, match=r"rockstate repartition .*old NEW --partitions 3"):
        Checkpoint(old).repartition_in_place(3)
    assert contents(old) == before


def test_a_query_that_runs_meanwhile_fails_in_its_next_batch(spark: SparkSession, ended: Ended, tmp_path: Path) -> None:
    """It was between two batches, where nothing tells that it runs."""
    folder, output = tmp_path / "events", Output()
    query = Windows(spark, tmp_path)
    held = sorted(folder.iterdir())[1:]
    kept = [(path, path.rename(tmp_path / path.name)) for path in held]
    checkpoint = tmp_path / "checkpoint"
    writer = output.writer(query.stream(), "append").option("checkpointLocation", str(checkpoint))
    running = writer.trigger(processingTime="0 seconds").start()
    try:
        running.processAllAvailable()
        batch = Checkpoint(checkpoint).repartition_in_place(3).batch
        for path, away in kept:
            away.rename(path)
        with pytest.raises(PySparkException, match="oncurrent"):
            running.awaitTermination(60)
    finally:
        running.stop()
    is_sound(checkpoint)
    goes_on(query, checkpoint, output, batch)


@pytest.mark.parametrize("goes_on_first", [False, True])
def test_a_rollback_takes_it_back(
    old: Path, ended: Ended, tmp_path: Path, with_conf: SetConf, goes_on_first: bool
) -> None:
    with_conf(MIN_DELTAS, "100")  # no snapshot is half written when it is copied
    before = without_checksums(old)
    assert Checkpoint(old).repartition_in_place(3).batch == LAST
    if goes_on_first:
        ended.goes_on(old)
    new = Path(shutil.copytree(old, tmp_path / "new"))
    whole = without_checksums(new)
    kept = Checkpoint(new).rollback(LAST)
    assert kept.undoes_repartition and (kept.last_committed > LAST + 1) == goes_on_first
    assert {name: held for name, held in without_checksums(new).items() if not name.startswith("rockstate-")} == before
    assert Checkpoint(new).undo_rollback().files == kept.files
    assert without_checksums(new) == whole
    Checkpoint(new).rollback(LAST)
    ended.goes_on(new)


def test_forks_before_and_after_it(old: Path, ended: Ended, tmp_path: Path) -> None:
    moved = Checkpoint(old).repartition_in_place(5)
    for batch in (moved.batch - 1, moved.batch, moved.batch + 1):
        new = tmp_path / f"fork-{batch}"
        Checkpoint(old).fork(new, batch=batch)
        is_sound(new)
        assert len([path for path in (new / "state/0").iterdir() if path.name.isdecimal()]) == (
            5 if batch > moved.batch else 2
        )
        run(ended.query, new, Output())
        is_sound(new)
    migrated = Checkpoint(old).migrate(tmp_path / "migrated", "rocksdb", batch=moved.batch)
    assert {store.partitions for store in migrated.stores} == {2}


def test_what_an_earlier_attempt_left_is_not_mixed_in(old: Path, ended: Ended) -> None:
    for partition in range(2):
        (old / f"state/0/{partition}/{LAST + 2}.delta").write_bytes(b"not this")
    Checkpoint(old).repartition_in_place(3)
    assert not list(old.glob(f"state/0/*/{LAST + 2}.delta"))
    ended.goes_on(old)


def test_a_lost_partition_is_noticed(old: Path) -> None:
    """Operators' metadata may have the number that the query began with."""
    Checkpoint(old).repartition_in_place(3)
    remove(old, "state/0/2")
    problems = verified(old)
    assert problems and all(file.startswith("state/0/2/") for file in problems)


def is_left_well(ended: Ended, old: Path) -> None:
    """Fails unless it is as it was, finished, or unfinished for all to see."""
    if last(old) > LAST or not (old / f"offsets/{LAST + 1}").exists():
        is_sound(old)
    else:
        for summary in (Checkpoint(old).inspect(), Checkpoint(old).verify()):
            assert list(found(summary)) == [f"offsets/{LAST + 1}"]
            assert "is being given 3 partitions instead of 2" in found(summary)[f"offsets/{LAST + 1}"].problem
            assert not summary.is_sound
        with pytest.raises(IllegalArgumentException, match="is being given 3 partitions"):
            run(ended.query, old, Output())
        with pytest.raises(Misuse, match="to have 3 partitions from batch 3 on, and that was cut off"):
            Checkpoint(old).repartition_in_place(4)
        with pytest.raises(Misuse, match="to have 3 partitions from batch 3 on, and that was cut off"):
            Checkpoint(old).migrate(old.with_name("other"), "rocksdb")


def ends_well(old: Path) -> None:
    """Runs the same again. Fails unless it is finished then; cut off after its commit it leaves its name."""
    is_committed = last(old) > LAST
    if not is_committed:
        assert Checkpoint(old).repartition_in_place(3).rows > 0
    is_sound(old)
    assert {path.name for path in old.glob("rockstate-*")} <= ({ATTEMPT} if is_committed else set())


def some(calls: int) -> list[int]:
    return (
        list(range(calls))
        if IS_WHOLE
        else sorted({calls // 2, *range(0, calls, calls // SOME), *range(calls - 3, calls)})
    )


@needs_local_files
@pytest.mark.parametrize("ended", ["1", "2"] if IS_WHOLE else ["1"], indirect=True)
def test_wherever_it_is_cut_off(spark: SparkSession, ended: Ended, tmp_path: Path) -> None:
    def copy(name: str) -> Path:
        return Path(shutil.copytree(ended.checkpoint, tmp_path / name))

    whole = copy("whole")
    with cut_off(spark, whole, calls=1_000_000) as calls:
        Checkpoint(whole).repartition_in_place(3)
    assert len(calls) > 20
    for call in some(len(calls)):
        old = copy(f"cut-off-{call}")
        with cut_off(spark, old, call) as done, pytest.raises(RockstateError):
            Checkpoint(old).repartition_in_place(3)
        assert len(done) == call
        is_left_well(ended, old)
        is_taken_back(ended, Path(shutil.copytree(old, tmp_path / f"back-{call}")))
        if call > 10:
            with cut_off(spark, old, len(calls) - 10), pytest.raises(RockstateError):
                Checkpoint(old).repartition_in_place(3)
            is_left_well(ended, old)
        ends_well(old)
        if IS_WHOLE or call == len(calls) // 2:
            ended.goes_on(old)


def is_taken_back(ended: Ended, old: Path) -> None:
    """Fails unless a rollback undoes what was begun, and that can be undone."""
    if last(old) > LAST or not (old / f"offsets/{LAST + 1}").exists():
        return
    kept = Checkpoint(old).rollback(LAST)
    assert kept.undoes_repartition and kept.last_committed == LAST
    Checkpoint(old).undo_rollback()
    is_left_well(ended, old)
    Checkpoint(old).rollback(LAST)
    is_sound(old)
    if IS_WHOLE:
        ended.goes_on(old)


STORE = "state/0/[012]/(?!_metadata).*"
PLACES = {
    "before it begins": "create offsets/.*",
    "before the first store": f"create {STORE}",
    "in the middle of writing stores": f"rename {STORE}",
    "in the middle of reading back": f"rename {STORE} then open {STORE} then open {STORE}",
    "before the commit": "rename commits/.*",
}


@needs_local_files
@pytest.mark.slow
@pytest.mark.parametrize("ended", ["1", "2"] if IS_WHOLE else ["1"], indirect=True)
@pytest.mark.parametrize("place", PLACES if IS_WHOLE else ["in the middle of writing stores"])
def test_a_killed_process(ended: Ended, old: Path, place: str) -> None:
    process = Process(PLACES[place], ["repartition", str(old), "--in-place", "--partitions", "3"], old)
    try:
        process.wait_for_place()
    finally:
        process.kill()
    is_left_well(ended, old)
    ends_well(old)
    ended.goes_on(old)


BESIDE = {
    "before it names itself": "rename rockstate-repartition",
    "when a store is written": f"rename {STORE} then rename {STORE}",
    "when all is written and read back": PLACES["before the commit"],
}


@needs_local_files
@pytest.mark.slow
@pytest.mark.parametrize("ended", ["1", "2"] if IS_WHOLE else ["2"], indirect=True)
@pytest.mark.parametrize("place", BESIDE if IS_WHOLE else ["when a store is written"])
def test_a_second_run_overtakes_the_first(ended: Ended, old: Path, place: str) -> None:
    with stopped_at(BESIDE[place], ["repartition", str(old), "--in-place", "--partitions", "3"], old) as first:
        Checkpoint(old).repartition_in_place(3)
        first.go_on()
        code, said = first.ended()
    assert code == 1 and ("Another run has begun" in said or "The query writes to the checkpoint" in said), said
    is_sound(old)
    assert not list(old.glob("rockstate-*"))
    ended.goes_on(old)


@needs_local_files
@pytest.mark.slow
@pytest.mark.parametrize("ended", ["1"], indirect=True)
@pytest.mark.parametrize("place", [f"open {STORE}", f"create {STORE}"], ids=["before it writes", "amid an upload"])
def test_tasks_of_a_run_that_is_overtaken_replace_nothing(ended: Ended, old: Path, place: str) -> None:
    """The files of both have the same names, and what is in them is another: the second asks for four partitions."""
    command = ["repartition", str(old), "--in-place", "--partitions", "3"]
    with stopped_at(f"rename {ATTEMPT} then {place}", command, old) as first:
        Checkpoint(old).rollback(LAST)
        Checkpoint(old).repartition_in_place(4)
        whole = without_checksums(old)
        first.go_on()
        code, said = first.ended()
    assert code == 1 and "Another run has begun" in said, said
    left = without_checksums(old)
    assert {name: held for name, held in left.items() if name in whole} == whole
    assert all("/sst/" in name for name in left.keys() - whole.keys())  # on their way when the other began
    ended.goes_on(old)


@needs_local_files
@pytest.mark.slow
@pytest.mark.parametrize("ended", ["2"], indirect=True)
def test_a_commit_beside_another_run_that_has_begun_is_taken_back(ended: Ended, old: Path) -> None:
    arguments = ["repartition", str(old), "--in-place", "--partitions", "3"]
    with stopped_at(PLACES["before the commit"], arguments, old) as first:
        remove(old, ATTEMPT)
        (old / ATTEMPT).write_text("another's")
        first.go_on()
        code, said = first.ended()
    assert code == 1 and "Another run has begun" in said, said
    assert (old / ATTEMPT).exists()
    is_left_well(ended, old)
    ends_well(old)
