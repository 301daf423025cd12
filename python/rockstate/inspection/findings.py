"""What a checkpoint's state looks like from outside, as plain values. See `rockstate.Checkpoint`."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, replace
from typing import Any

#: The kinds of files that a store has, by their names in `Store`.
FILE_KINDS = ("deltas", "snapshots", "tables", "orphans", "others")

#: Spark's name for the one store of an operator that has no others.
DEFAULT_STORE = "default"

# What `LoggedCommit`, `LogProblems` and others of `inspect` say of what follows for the query.
_STOPS_RESTART = re.compile(r"the query (cannot restart|does not start|fails in batch|would run batch|writes there)")


@dataclass(frozen=True)
class Files:
    """How many files, and their size together in bytes."""

    files: int
    bytes: int


@dataclass(frozen=True)
class Problem:
    """Something wrong with a file of a store or of the query, and what to do about it.

    Attributes:
        file: relative to the store's folder, or to the checkpoint's; a whole URI where a summary has all problems.
        version: the store version that the file belongs to, if its name tells one: of batch `n`, version `n + 1`.
        problem: what is wrong, and what follows from it.
    """

    file: str
    version: int | None
    problem: str
    remedy: str

    @property
    def stops_restart(self) -> bool:
        """Whether the query cannot start again, or not without harm, before it is solved."""
        return _STOPS_RESTART.search(self.problem) is not None


@dataclass(frozen=True)
class Store:
    """One store of one partition of a stateful operator.

    Attributes:
        operator_id, operator: the operator's id and Spark's name for it, None where Spark wrote no metadata.
        partition, name: of the store; the name is "default" unless the operator has several stores.
        location: the URI of the store's folder.
        loadable: ranges of versions that can be loaded, both ends included: as far as file names tell, or for certain
            if `verified`. Version `n + 1` is the state after batch `n`.
        newest: the newest loadable version, None if there is none.
        rows: exact number of keys at `newest`, without internal column families; None for other providers' checkpoints.
        families: exact number of keys by column family at `newest`.
        newest_snapshot: the newest version with a snapshot, None if there is none.
        deltas, snapshots, tables: the store's files; `tables` are those that a snapshot names.
        orphans: table files that no snapshot names, and temporary files: of a writer that was cut off or is at work.
        others: files of neither kind.
        problems: what is damaged, missing or does not fit; empty for a sound store.
        verified: whether every file was read and checked.
        former: whether the query had the partition before it had fewer: only earlier batches have rows in it.
    """

    operator_id: int
    operator: str | None
    partition: int
    name: str
    location: str
    loadable: tuple[tuple[int, int], ...]
    newest: int | None
    rows: int | None
    families: dict[str, int]
    newest_snapshot: int | None
    deltas: Files
    snapshots: Files
    tables: Files
    orphans: Files
    others: Files
    problems: tuple[Problem, ...]
    verified: bool
    former: bool = False

    @property
    def bytes(self) -> int:
        """Size of all files of the store."""
        return sum(self.kind(name).bytes for name in FILE_KINDS)

    def kind(self, name: str) -> Files:
        """The files of one of `FILE_KINDS`."""
        files: Files = getattr(self, name)
        return files

    @property
    def snapshot_lag(self) -> int | None:
        """How many deltas a recovery of the newest version replays."""
        return None if self.newest is None else self.newest - (self.newest_snapshot or 0)

    @property
    def versions_text(self) -> str:
        """The loadable versions in words, such as "1-4, 7" or "none"."""
        ranges = (str(first) if first == last else f"{first}-{last}" for first, last in self.loadable)
        return ", ".join(ranges) or "none"

    def to_dict(self) -> dict[str, Any]:
        """As JSON-ready values."""
        return {**asdict(self), "bytes": self.bytes, "snapshot_lag": self.snapshot_lag}


@dataclass(frozen=True)
class Operator:
    """A stateful operator and its stores, ordered by partition and name."""

    operator_id: int
    name: str | None
    stores: tuple[Store, ...]

    @property
    def rows(self) -> int | None:
        """Exact number of keys in all its stores; None if they are not known."""
        known = [store.rows for store in self.stores if store.rows is not None]
        return sum(known) if len(known) == len(self.stores) else None

    @property
    def by_name(self) -> dict[str, tuple[Store, ...]]:
        """Its stores by name, those of one name by partition."""
        names = sorted({store.name for store in self.stores})
        ordered = sorted(self.stores, key=lambda store: store.partition)
        return {name: tuple(store for store in ordered if store.name == name) for name in names}

    @property
    def skew(self) -> float | None:
        """Rows of the largest partition divided by the mean; 1.0 is even, None without rows, or if any are unknown."""
        by_partition: dict[int, int] = {}
        for store in self.stores:
            if store.rows is None:
                return None
            if not store.former:
                by_partition[store.partition] = by_partition.get(store.partition, 0) + store.rows
        total = sum(by_partition.values())
        return max(by_partition.values()) * len(by_partition) / total if total else None

    @property
    def title(self) -> str:
        """Its id, name, rows and skew in words."""
        rows = "" if self.rows is None else f", {self.rows:,} rows"
        skew = "" if self.skew is None else f", largest partition {self.skew:.2f} times the mean"
        return f"operator {self.operator_id}: {self.name or 'unknown'}{rows}{skew}"


@dataclass(frozen=True)
class Findings:
    """A checkpoint's state: who wrote it, how far the query got, and its operators.

    Attributes:
        provider: the state store provider class that the offset log names; None before the first batch.
        last_planned, last_committed: the last batch in the offset log and in the commit log.
        query_problems: what is damaged or missing of the query's own files: its id, offsets, commits, the operators'
            metadata and schemas. Their names are relative to `location`.
    """

    location: str
    provider: str | None
    last_planned: int | None
    last_committed: int | None
    operators: tuple[Operator, ...]
    query_problems: tuple[Problem, ...] = ()

    @property
    def stores(self) -> tuple[Store, ...]:
        """The stores of all operators."""
        return tuple(store for operator in self.operators for store in operator.stores)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All that is wrong, with the query's own files and with those of stores; `file` is a whole URI."""
        of_query = (replace(problem, file=f"{self.location}/{problem.file}") for problem in self.query_problems)
        of_stores = (
            replace(problem, file=f"{store.location}/{problem.file}")
            for store in self.stores
            for problem in store.problems
        )
        return (*of_query, *of_stores)

    @property
    def provider_is_other(self) -> bool:
        """Whether the state is another provider's, whose files tell no more than their names."""
        return self.provider is not None and not self.provider.startswith("io.rockstate.")

    @property
    def provider_is_sparks(self) -> bool:
        """Whether the state is in a provider that comes with Spark, whose files' names say what they are."""
        return self.provider is not None and self.provider.startswith("org.apache.spark.")

    @property
    def is_sound(self) -> bool:
        """Whether nothing is known to be wrong."""
        return not self.problems

    @property
    def can_restart(self) -> bool | None:
        """Whether the query can start again as its checkpoint is; None if that is not known, since not all was read.

        What is damaged need not be in the way: a recovery goes by another file.
        """
        if any(problem.stops_restart for problem in self.problems):
            return False
        return True if self.stores and all(store.verified for store in self.stores) else None

    def to_dict(self) -> dict[str, Any]:
        """As JSON-ready values."""
        return {
            "location": self.location,
            "provider": self.provider,
            "last_planned": self.last_planned,
            "last_committed": self.last_committed,
            "is_sound": self.is_sound,
            "can_restart": self.can_restart,
            "query_problems": [asdict(problem) for problem in self.query_problems],
            "operators": [
                {
                    "operator_id": operator.operator_id,
                    "name": operator.name,
                    "rows": operator.rows,
                    "skew": operator.skew,
                    "stores": [store.to_dict() for store in operator.stores],
                }
                for operator in self.operators
            ],
        }


def count_text(count: int, what: str) -> str:
    """So many of something, in words: `1 store`, `2 stores`."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"
