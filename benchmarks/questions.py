"""What is asked, and what memory a process gets for it. How it is asked: provider/ (JVM) and pyspark/ (end to end)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks.contenders import CHANGELOG, DEFAULT_BUDGET, ROCKSDB_AS_IT_COMES, ROCKSTATE, TUNED, auto_budget
from rockstate.base.units import parse_bytes

PYSPARK = Path(__file__).parent / "pyspark"
DEFAULT_HEAP = "2g"  # the built-in in-heap store holds 1 M keys in it
SQUEEZED_BUDGET = 16 << 20  # the least that Rockstate takes
SOAKED_BUDGET = 256 << 20
# All on RocksDB: the in-heap provider's snapshots would take a quarter of an hour where there are thousands of batches.
ROCKSDBS = (ROCKSTATE, ROCKSDB_AS_IT_COMES, CHANGELOG, TUNED)
TO_BEAT = (ROCKSTATE, CHANGELOG, TUNED)
GROWING = (ROCKSTATE, CHANGELOG)  # growth compares a contender with itself


@dataclass(frozen=True)
class Question:
    """One question of the JVM part: heap of its process, memory budget in bytes, and who is asked (None: all).

    One round is enough (`once`) for what takes long, does not vary between rounds, or is compared with itself. With
    `is_auto` Rockstate is told "auto", and `budget` is what that comes to. With `of` it is that question in another
    form: with `one_core` all threads of the process, the JVM's own included, share one; with `contained` it has a
    gigabyte beyond heap and budget for all else, the page cache of its files included, which are on disk then. With
    `after` a process that was asked that has written the checkpoint before, and the JVM is as new as a user's; with
    `same_disk` it finds what that process has left on the local disk.
    """

    name: str
    heap: str = DEFAULT_HEAP
    budget: int = DEFAULT_BUDGET
    contenders: tuple[str, ...] | None = None
    once: bool = False
    is_auto: bool = False
    of: str | None = None
    one_core: bool = False
    contained: bool = False
    after: str | None = None
    same_disk: bool = False

    @property
    def asked_as(self) -> str:
        """The name that the JVM knows it by."""
        return self.of or self.name

    @property
    def container_bytes(self) -> int | None:
        """What the process may hold in memory; None if nothing bounds it."""
        return parse_bytes(self.heap) + self.budget + (1 << 30) if self.contained else None


def _on_one_core(name: str, after: str | None = None) -> Question:
    return Question(f"one_core_{name}", of=name, one_core=True, after=after)


QUESTIONS = (
    Question("load"),
    Question("update"),
    Question("aggregation"),
    Question("skewed_update"),
    Question("small_batches"),
    Question("multi_get"),
    Question("full_scan"),
    Question("abort"),
    Question("evict"),
    Question("prefix_scan"),
    Question("range_scan"),
    Question("joins"),
    Question("timers"),
    Question("first_updates"),
    Question("first_joins"),
    Question("first_timers"),
    *map(_on_one_core, ("update", "aggregation", "small_batches", "first_updates", "first_joins", "restart_cold")),
    Question("recovery_5"),
    Question("recovery_50"),
    Question("restart_cold"),
    Question("restart_warm"),
    Question("restart_ordered"),
    Question("new_jvm", contenders=TO_BEAT, after="checkpoint"),
    Question("new_jvm_warm", contenders=TO_BEAT, after="checkpoint", same_disk=True),
    Question("new_jvm_small_batches", contenders=TO_BEAT, after="checkpoint_small_batches", once=True),
    Question("new_jvm_10m", heap="6g", contenders=TO_BEAT, after="checkpoint_10m", once=True),
    _on_one_core("new_jvm", after="checkpoint"),
    Question("restart_cold_10m", heap="6g", contenders=(ROCKSTATE, CHANGELOG), once=True),
    Question("restart_warm_10m", heap="6g", contenders=(ROCKSTATE,), once=True),
    Question("squeezed_update", budget=SQUEEZED_BUDGET, contenders=(ROCKSTATE, TUNED), once=True),
    Question("storage_large", once=True),
    Question("storage_small", contenders=ROCKSDBS, once=True),
    Question("memory_1m", once=True),
    Question("memory_5m", heap="4g", once=True),
    Question("keys_100k", contenders=GROWING, once=True),
    Question("keys_1m", contenders=GROWING, once=True),
    Question("keys_10m", heap="6g", contenders=GROWING, once=True),
    Question(
        "keys_10m_auto",
        heap="6g",
        budget=auto_budget("6g"),
        contenders=TO_BEAT,
        once=True,
        is_auto=True,
    ),
    Question("keys_10m_contained", heap="6g", contenders=TO_BEAT, once=True, of="keys_10m", contained=True),
    Question("keys_50m", heap="6g", contenders=(ROCKSTATE, TUNED), once=True),
    Question("stores_1", contenders=GROWING, once=True),
    Question("stores_4", contenders=GROWING, once=True),
    Question("stores_16", contenders=GROWING, once=True),
    Question("stores_64", contenders=GROWING, once=True),
    Question("soak", budget=SOAKED_BUDGET, contenders=(ROCKSTATE,)),
)


def named(name: str) -> Question:
    """The question of that name. Raises ValueError."""
    for question in QUESTIONS:
        if question.name == name:
            return question
    raise ValueError(f"no question {name}; there are {', '.join((*(q.name for q in QUESTIONS), *pyspark_questions()))}")


def pyspark_questions() -> tuple[str, ...]:
    """Names of the end-to-end questions: the scripts in pyspark/ but those whose names start with an underscore."""
    return tuple(sorted(path.stem for path in PYSPARK.glob("*.py") if not path.name.startswith("_")))
