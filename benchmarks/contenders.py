"""Who is measured: provider classes and the Spark confs that they are given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rockstate.base.units import parse_bytes
from rockstate.options.catalogue import option
from rockstate.options.keys import PROVIDER_CLASS, STATE_STORE

SPARKS = "org.apache.spark.sql.execution.streaming.state."
ROCKSDB = STATE_STORE + "rocksdb."

ROCKSTATE, ROCKSDB_AS_IT_COMES = "rockstate", "rocksdb"
CHANGELOG, TUNED = "changelog", "tuned"

#: Rockstate's budget, in bytes, unless a question has another: what equal memory means.
DEFAULT_BUDGET = 512 << 20


def auto_budget(heap: str) -> int:
    """What `memory_budget="auto"` comes to on a driver with so much heap, in bytes: see MemoryAsked.scala."""
    heap_bytes = parse_bytes(heap)
    return (256 << 20) + max(min(384 << 20, heap_bytes // 4), heap_bytes // 5)


@dataclass(frozen=True)
class Contender:
    """One contender.

    `memory` says what it has beside the heap that all have; `confs` gives its Spark confs for a memory budget in bytes;
    `answers` limits its questions, None for all.
    """

    name: str
    provider: str
    description: str
    memory: str
    confs: Callable[[int], Mapping[str, str]]
    answers: frozenset[str] | None = None

    def can_answer(self, question: str) -> bool:
        return self.answers is None or question in self.answers


def _rockstate(budget: int) -> dict[str, str]:
    # What `rockstate.configure` sets but for the budget, which by default is what the JVM has to give.
    chosen = {"compression_codec": option("compression_codec").default, "memory_budget": str(budget)}
    return {option(name).key: option(name).conf_value(value) for name, value in chosen.items()}


def _changelog(_: int) -> dict[str, str]:
    return {ROCKSDB + "changelogCheckpointing.enabled": "true"}


def _tuned(budget: int) -> dict[str, str]:
    megabytes = str(budget >> 20)
    memory = {ROCKSDB + "blockCacheSizeMB": megabytes}
    if budget < DEFAULT_BUDGET:  # equal memory: write buffers are within it, too
        memory = {ROCKSDB + "boundedMemoryUsage": "true", ROCKSDB + "maxMemoryUsageMB": megabytes}
    return {**_changelog(budget), ROCKSDB + "trackTotalNumberOfRows": "false", **memory}


_MEGABYTES = DEFAULT_BUDGET >> 20
_WRITE_BUFFERS = "two write buffers of 64 MB"
_SPARKS_OWN = f"a block cache of 8 MB and {_WRITE_BUFFERS} per store"

CONTENDERS = (
    Contender(
        ROCKSTATE,
        PROVIDER_CLASS,
        "Rockstate as `rockstate.configure` sets it, with a memory budget",
        f"{_MEGABYTES} MB for all stores",
        _rockstate,
    ),
    Contender("in-heap", SPARKS + "HDFSBackedStateStoreProvider", "Spark's default provider", "none", lambda _: {}),
    Contender(
        ROCKSDB_AS_IT_COMES,
        SPARKS + "RocksDBStateStoreProvider",
        "Spark's RocksDB provider as it comes",
        _SPARKS_OWN,
        lambda _: {},
    ),
    Contender(
        CHANGELOG,
        SPARKS + "RocksDBStateStoreProvider",
        "Spark's RocksDB provider with changelog checkpointing",
        _SPARKS_OWN,
        _changelog,
    ),
    Contender(
        TUNED,
        SPARKS + "RocksDBStateStoreProvider",
        "the same, no row tracking, a block cache as large as Rockstate's whole budget",
        f"a block cache of {_MEGABYTES} MB and {_WRITE_BUFFERS} per store",
        _tuned,
    ),
    Contender(
        "bare",
        "io.rockstate.benchmarks.BareRocksDbProvider",
        "rocksdbjni in a loop: the floor, nothing is stored",
        f"a block cache of 256 MB and {_WRITE_BUFFERS}",  # BareRocksDbProvider.CacheBytes
        lambda _: {},
        frozenset({"load", "update", "aggregation", "skewed_update", "full_scan", "evict", "memory_1m", "memory_5m"}),
    ),
)

#: Those that the goals are against, after Rockstate.
KEY_CONTENDERS = (ROCKSTATE, CHANGELOG, TUNED)


def named(name: str) -> Contender:
    """The contender of that name, or a provider class as a contender: `name=class`. Raises ValueError."""
    if "=" in name:
        label, provider = name.split("=", 1)
        return Contender(label, provider, provider, "unknown", lambda _: {})
    for contender in CONTENDERS:
        if contender.name == name:
            return contender
    raise ValueError(f"no contender {name}; there are {', '.join(each.name for each in CONTENDERS)}, and name=class")


def spelled(contender: Contender) -> str:
    """What `named` finds it by."""
    return contender.name if contender in CONTENDERS else f"{contender.name}={contender.provider}"
