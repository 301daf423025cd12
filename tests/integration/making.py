"""The commands that make something new of a checkpoint: what each leaves when it is cut off, and how it ends."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

import pytest
from pyspark.sql.types import StructType
from tests.integration.cut_off import HOURS, FinishedQuery, names, without_checksums
from tests.integration.verification import found, is_sound

from rockstate import Checkpoint, Misuse
from rockstate.moving.export import Table
from rockstate.session.reading import reading_session

MARK = "rockstate-unfinished"


class Asked(ABC):
    """A command, and the same from Python. `places` are calls that it makes, as `Process` takes them, by when."""

    last = "metadata"
    places: ClassVar[dict[str, str]]

    @abstractmethod
    def run(self, old: Path, new: Path) -> object:
        """Makes it, and returns what is the same of every run."""

    @abstractmethod
    def command(self, old: Path, new: Path) -> list[str]:
        """What comes after `rockstate`."""

    @abstractmethod
    def is_whole(self, new: Path) -> None:
        """Fails unless what was made is sound."""

    @abstractmethod
    def is_unfinished(self, query: FinishedQuery, new: Path) -> None:
        """Fails unless all who look at it see that it is not finished."""

    def is_left_well(self, query: FinishedQuery, new: Path) -> None:
        """Fails unless the old checkpoint is as it was, and what is new finished, or unfinished for all to see."""
        query.is_untouched()
        if (new / self.last).exists():
            self.is_whole(new)
        else:
            self.is_unfinished(query, new)

    def ends_well(self, query: FinishedQuery, new: Path, whole: tuple[object, Path]) -> None:
        """Runs the same again. Fails unless this makes what a run makes that was never cut off."""
        wanted = names(whole[1])
        if not (new / self.last).exists():
            assert self.run(query.checkpoint, new) == whole[0]
            assert names(new) == wanted
        elif (new / MARK).exists():
            with pytest.raises(Misuse, match="is finished"):
                self.run(query.checkpoint, new)
            # Of the last files Hadoop's own local files may not have renamed or deleted the checksums.
            assert names(new) ^ wanted <= {f".{self.last}.crc", ".rockstate-last.crc", f".{MARK}.crc"}
        self.is_whole(new)
        query.is_untouched()


STORE = "state/0/[01]/(?!_metadata).*"
OF_CHECKPOINTS = {
    "before the mark": "create rockstate-unfinished",
    "before the first offsets": "mkdir offsets",
    "after the offsets": "mkdir state",
    "after the operator's metadata": "create state/0/0/_metadata/schema",
    "before the first store": f"create {STORE}",
    "in the middle of writing stores": f"rename {STORE}",
    "in the middle of a store's file": f"create {STORE} then write {STORE}",
    "after the rows": "mkdir sources",
    "before the commit": f"create commits/{HOURS}",
    "in the middle of the commit": f"write commits/{HOURS}",
    "before the metadata": "create rockstate-last",
    "before the metadata are renamed": "rename metadata",
    "before the mark goes": "delete rockstate-unfinished",
}


class NewCheckpoint(Asked):
    """What makes a checkpoint that a query can be started on."""

    def is_whole(self, new: Path) -> None:
        is_sound(new)

    def is_unfinished(self, query: FinishedQuery, new: Path) -> None:
        query.does_not_start(new)
        if not (new / MARK).exists():
            assert len(without_checksums(new)) <= 1
            return
        for summary in (Checkpoint(new).inspect(), Checkpoint(new).verify()):
            assert "is unfinished" in found(summary)[MARK].problem
            assert len(found(summary)) == 1
            assert not summary.is_sound
        with pytest.raises(Misuse, match="is unfinished"):
            Checkpoint(new).fork(new.with_name("other"))


class Moved(NewCheckpoint):
    """A move, whose rows are read back from the new checkpoint."""

    places: ClassVar = {
        **OF_CHECKPOINTS,
        "before reading back": f"write commits/{HOURS} then open {STORE}",
        "in the middle of reading back": f"write commits/{HOURS} then open {STORE} then open {STORE}",
    }

    def __init__(self, method: str, argument: str | int, option: str) -> None:
        self._method, self._argument, self._option = method, argument, option

    def __str__(self) -> str:
        return f"{self._method} {self._argument}"

    def run(self, old: Path, new: Path) -> object:
        return getattr(Checkpoint(old), self._method)(new, self._argument).totals

    def command(self, old: Path, new: Path) -> list[str]:
        return [self._method, str(old), str(new), self._option, str(self._argument)]


class Forked(NewCheckpoint):
    """A fork, whose stores' files are read back one store after the other."""

    places: ClassVar = {**OF_CHECKPOINTS, "in the middle of reading back": f"rename {STORE} then open {STORE}"}

    def __str__(self) -> str:
        return "fork"

    def run(self, old: Path, new: Path) -> object:
        return Checkpoint(old).fork(new).operators

    def command(self, old: Path, new: Path) -> list[str]:
        return ["fork", str(old), str(new)]


class Bootstrapped(NewCheckpoint):
    """A checkpoint like the old one, with the state of it as a table."""

    places: ClassVar = Moved.places

    def __str__(self) -> str:
        return "bootstrap"

    def run(self, old: Path, new: Path) -> object:
        return Checkpoint(old).bootstrap(new, self._tables(old)).totals

    def command(self, old: Path, new: Path) -> list[str]:
        ((name, folder),) = self._tables(old).items()
        return ["bootstrap", str(new), "--like", str(old), "--table", f"{name}={folder}"]

    def _tables(self, old: Path) -> dict[str, str]:
        out, name = old.with_name("tables"), "0-stateStoreSave/default"
        if not out.exists():
            Checkpoint(old).export(out)
        return {name: str(out / name)}


PART = r"_temporary/.*\.parquet"
TABLE = r"0-stateStoreSave/default/.*\.parquet"


class Exported(Asked):
    """The state as tables."""

    last = "manifest.json"
    places: ClassVar = {
        "before the mark": "create rockstate-unfinished",
        "before anything is written": "mkdir _temporary",
        "before the first file": f"create {PART}",
        "in the middle of a file": f"create {PART} then write {PART}",
        "before a task commits": "rename _temporary/0/task_.*",
        "in the middle of the tasks' commits": "rename _temporary/0/task_.* then rename _temporary/0/task_.*",
        "before the job commits": "rename 0-stateStoreSave",
        "in the middle of the job's commit": f"rename {TABLE}",
        "before temporary files go": "delete _temporary",
        "before reading back": f"open {TABLE}",
        "before the manifest": "create rockstate-last",
        "before the manifest is renamed": "rename manifest.json",
        "before the mark goes": "delete rockstate-unfinished",
    }

    def __str__(self) -> str:
        return "export"

    def run(self, old: Path, new: Path) -> object:
        return [self._rows(table) for table in Checkpoint(old).export(new).tables]

    def command(self, old: Path, new: Path) -> list[str]:
        return ["export", str(old), str(new)]

    def is_whole(self, new: Path) -> None:
        manifest = json.loads((new / self.last).read_text(encoding="utf-8"))
        session = reading_session()
        for table in manifest["tables"]:
            rows = session.read.parquet(str(new / table["path"]))
            assert rows.schema == StructType.fromJson(table["schema"])
            assert rows.count() == table["rows"] > 0
        made = {path.relative_to(new).parts[0] for path in new.rglob("*") if path.is_file()}
        files = {name for name in made if not name.endswith(".crc")}
        assert files - {MARK, "rockstate-attempt"} == {"0-stateStoreSave", self.last}

    def is_unfinished(self, query: FinishedQuery, new: Path) -> None:
        assert (new / MARK).exists() or not without_checksums(new)

    def _rows(self, table: Table) -> tuple[str, int, str | None, int]:
        return table.path, table.rows, table.digest, table.files


MIGRATE = Moved("migrate", "rockstate", "--to")
TO_ROCKSDB = Moved("migrate", "rocksdb", "--to")
TO_HDFS = Moved("migrate", "hdfs", "--to")
REPARTITION = Moved("repartition", 3, "--partitions")
FORK, BOOTSTRAP, EXPORT = Forked(), Bootstrapped(), Exported()
