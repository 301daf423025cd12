"""What cannot be moved is refused with the old checkpoint untouched; what was cut off is started over."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path
from threading import Thread

import pytest
from pyspark.errors import IllegalArgumentException
from pyspark.sql import SparkSession
from tests.integration.cut_off import contents
from tests.integration.minors import MINOR, skip_before
from tests.integration.streams import EventFiles, Output, hours_of_events, run_to_end
from tests.integration.test_migrate import per_key_and_hour
from tests.integration.verification import is_sound, remove
from tests.minors.golden_queries import GOLDEN
from tests.minors.test_golden_checkpoints import Golden

from rockstate import Checkpoint, Damaged, Misuse, NotFound, Unsupported
from rockstate.cli import main
from rockstate.launch.versions import is_since
from rockstate.moving.move import PROVIDERS

HOURS = 3
LAST = HOURS
"""The last batch: one an hour, and one without events that moves the watermark."""


@pytest.fixture(scope="module")
def query(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> tuple[EventFiles, Path]:
    """The files of a finished query and its checkpoint."""
    folder = tmp_path_factory.mktemp("finished")
    files, checkpoint = EventFiles(folder / "events"), folder / "checkpoint"
    for events in hours_of_events(HOURS, per_hour=50):
        files.add(events)
    run(spark, files, checkpoint, Output())
    return files, checkpoint


def run(spark: SparkSession, files: EventFiles, checkpoint: Path, output: Output) -> None:
    stream = files.stream(spark).withWatermark("time", "1 hour")
    run_to_end(output.writer(per_key_and_hour(stream), "update"), str(checkpoint))


@pytest.fixture
def old(query: tuple[EventFiles, Path], tmp_path: Path) -> Path:
    """A copy of the checkpoint, to damage."""
    return Path(shutil.copytree(query[1], tmp_path / "old"))


@pytest.fixture
def new(tmp_path: Path) -> Path:
    return tmp_path / "new"


def test_before_spark_4_2_it_says_which_spark_can(old: Path, new: Path) -> None:
    if is_since(MINOR, "4.2"):
        pytest.skip("this one can")
    with pytest.raises(Unsupported, match=r"Spark 4\.2 or 4\.3"):
        Checkpoint(old).migrate(new, "rocksdb")
    with pytest.raises(Unsupported, match=r"Spark 4\.2 or 4\.3"):
        Checkpoint(old).repartition_in_place(3)
    assert not new.exists()


@pytest.fixture
def able() -> None:
    skip_before("4.2", "it cannot write a store anew")


@pytest.mark.usefixtures("able")
class TestWithASparkThatCan:
    def test_the_old_checkpoint_stays_as_it_is(self, old: Path, new: Path) -> None:
        before = contents(old)
        moved = Checkpoint(old).migrate(new, "rocksdb")
        assert contents(old) == before
        assert moved.batch == LAST
        assert moved.rows == sum(family.rows for family in moved.totals) > 0

    def test_a_dry_run_writes_nothing(self, old: Path, new: Path) -> None:
        before = contents(old)
        planned = Checkpoint(old).migrate(new, "rocksdb", dry_run=True)
        assert [(store.store, store.partitions) for store in planned.stores] == [("default", 2)]
        assert planned.totals == ()
        assert contents(old) == before
        assert not new.exists()

    def test_the_command_prints_what_was_moved(
        self, old: Path, new: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COLUMNS", "120")
        assert main(["migrate", str(old), str(new), "--to", "rocksdb", "--dry-run"]) == 0
        planned = " ".join(capsys.readouterr().out.split())
        assert "would move the state after batch 3" in planned
        assert "0 stateStoreSave │ default │ 2" in planned
        assert main(["migrate", str(old), str(new), "--to", "rocksdb", "--json"]) == 0
        moved = json.loads(capsys.readouterr().out)
        assert (moved["old_format"], moved["new_format"]) == (2, 1)
        assert moved["rows"] == moved["totals"][0]["rows"] > 0
        back = str(new.with_name("back"))
        assert main(["migrate", str(new), back, "--to", "rockstate"]) == 0
        printed = " ".join(capsys.readouterr().out.split())
        assert f"{moved['rows']} rows, read back from the new checkpoint" in printed
        assert "checkpointFormatVersion=2" in printed
        assert moved["totals"][0]["digest"][:8] in printed

    def test_a_folder_that_is_in_use_is_left_alone(self, old: Path, new: Path) -> None:
        new.mkdir()
        (new / "precious").write_text("")
        with pytest.raises(Misuse, match="is not empty"):
            Checkpoint(old).migrate(new, "rocksdb")
        assert [path.name for path in new.iterdir()] == ["precious"]

    @pytest.mark.parametrize("inside", ["state/new", "."])
    def test_no_checkpoint_is_made_within_another(self, old: Path, inside: str) -> None:
        before = contents(old)
        with pytest.raises(Misuse, match="beside each other"):
            Checkpoint(old).migrate(old / inside, "rocksdb")
        assert contents(old) == before

    def test_a_class_that_is_no_provider(self, old: Path, new: Path) -> None:
        for name in ("java.lang.String", "org.example.Missing"):
            with pytest.raises(Misuse, match=f"{name} is not a state store provider"):
                Checkpoint(old).migrate(new, name)
        assert not new.exists()

    def test_a_batch_that_was_not_committed(self, old: Path, new: Path) -> None:
        with pytest.raises(Misuse, match=f"the last one is {LAST}"):
            Checkpoint(old).migrate(new, "rocksdb", batch=LAST + 1)

    def test_a_batch_whose_logs_are_gone(self, old: Path, new: Path) -> None:
        remove(old, "commits/0")
        with pytest.raises(Misuse, match="Batch 0 is not kept any more; the first one that is, is 1"):
            Checkpoint(old).migrate(new, "rocksdb", batch=0)
        assert not new.exists()

    def test_damaged_state_is_named_and_nothing_starts_on_what_was_made(
        self, spark: SparkSession, query: tuple[EventFiles, Path], old: Path, new: Path
    ) -> None:
        (delta,) = (old / "state" / "0" / "1").glob(f"{LAST + 1}*.delta")
        for file in (delta, *(old / "state" / "0" / "1").glob("*.snapshot")):
            file.write_bytes(b"not this")
            file.with_name(f".{file.name}.crc").unlink(missing_ok=True)
        with pytest.raises((Damaged, NotFound), match=delta.name.split(".")[0]):
            Checkpoint(old).migrate(new, "rocksdb")
        assert not (new / "metadata").exists()
        with pytest.raises(IllegalArgumentException, match="The checkpoint is unfinished"):
            run(spark, query[0], new, Output())

    def test_state_in_column_families_does_not_fit_everywhere(self, tmp_path: Path, new: Path) -> None:
        join = Golden(GOLDEN / "4.2" / "join-in-format-3-f2").copy(tmp_path)
        with pytest.raises(Unsupported, match=r"column families, which .*HDFSBackedStateStoreProvider does not have"):
            Checkpoint(join).migrate(new, "hdfs")
        assert not new.exists()

    def test_state_variables_go_only_where_spark_takes_them(self, tmp_path: Path, new: Path) -> None:
        timers = Golden(GOLDEN / "4.2" / "transform-with-timers-f2").copy(tmp_path)
        with pytest.raises(Unsupported, match=r"state variables, for which Spark does not take .*HDFSBacked"):
            Checkpoint(timers).migrate(new, "hdfs")
        assert not new.exists()

    def test_a_query_that_goes_on_meanwhile(self, old: Path, new: Path) -> None:
        def go_on() -> None:
            while not (new / "offsets").exists():
                time.sleep(0.005)
            for log in ("offsets", "commits"):
                shutil.copy(old / log / str(LAST), old / log / str(LAST + 1))

        running = Thread(target=go_on)
        running.start()
        with pytest.raises(Misuse, match="The query went on while its checkpoint was moved"):
            Checkpoint(old).migrate(new, "rockstate")
        running.join()
        assert not (new / "metadata").exists()

    def test_what_is_whole_is_not_started_over(self, query: tuple[EventFiles, Path], new: Path) -> None:
        Checkpoint(query[1]).migrate(new, "rockstate")
        before = contents(new)
        (new / "rockstate-unfinished").write_text(f"file:{query[1]}", encoding="utf-8")
        is_sound(new)
        with pytest.raises(Misuse, match="is finished"):
            Checkpoint(query[1]).migrate(new, "rockstate")
        assert contents(new) == before

    def test_what_was_cut_off_is_started_over(self, query: tuple[EventFiles, Path], new: Path) -> None:
        whole = Checkpoint(query[1]).migrate(new, "rockstate")
        (new / "metadata").unlink()
        (new / "rockstate-unfinished").write_text(f"file:{query[1]}", encoding="utf-8")
        (new / "state" / "0" / "0" / "left-over").write_text("")
        again = Checkpoint(query[1]).migrate(new, "rockstate")
        assert again.totals == whole.totals
        assert not (new / "state" / "0" / "0" / "left-over").exists()
        assert not (new / "rockstate-unfinished").exists()
        is_sound(new)

    def test_an_earlier_batch_is_done_again_from_its_own_state(
        self, spark: SparkSession, query: tuple[EventFiles, Path], new: Path
    ) -> None:
        Checkpoint(query[1]).migrate(new, "rockstate", batch=0)
        is_sound(new)
        again, first = Output(), Output()
        run(spark, query[0], new, again)
        run(spark, query[0], new.with_name("from the start"), first)
        assert min(again.batches) == 1
        after = [row for batch, rows in first.batches.items() if batch > 0 for row in rows]
        assert set(again.upserted(2)) == {row for row in first.upserted(2) if row in after}

    def test_a_batch_that_was_planned_is_refused_or_done_as_planned(
        self, spark: SparkSession, query: tuple[EventFiles, Path], old: Path, new: Path
    ) -> None:
        remove(old, f"commits/{LAST}")
        with pytest.raises(Misuse, match=rf"Batch {LAST} was begun and not committed.*--batch {LAST - 1}"):
            Checkpoint(old).migrate(new, "rockstate")
        assert not new.exists()
        moved = Checkpoint(old).migrate(new, "rockstate", batch=LAST - 1)
        assert moved.batch == LAST - 1
        planned = json.loads((new / "offsets" / str(LAST)).read_text().splitlines()[1])["conf"]
        assert planned["spark.sql.streaming.stateStore.providerClass"] == PROVIDERS["rockstate"]
        output = Output()
        run(spark, query[0], new, output)
        assert list(output.batches) == [LAST]
