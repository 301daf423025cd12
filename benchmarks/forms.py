"""How thoroughly to ask: which questions share a process, how many rounds and batches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from benchmarks.contenders import CHANGELOG, CONTENDERS, KEY_CONTENDERS, ROCKSTATE
from benchmarks.questions import QUESTIONS, pyspark_questions

ALL_CONTENDERS = tuple(contender.name for contender in CONTENDERS)


@dataclass(frozen=True)
class Form:
    """One form of the suite.

    `sittings` are questions that one process is asked one after the other, `sittings_once` are held in the first round
    only. `contenders` take part in the first round, `every_round` in all. `sizes` are those of the JVM's Plan (rows and
    counts). `pyspark` are end-to-end questions, each asked with batches of every size in `pyspark_batches`, which
    gives their number.
    """

    name: str
    rounds: int
    sittings: tuple[tuple[str, ...], ...]
    sizes: Mapping[str, int]
    contenders: tuple[str, ...] = ALL_CONTENDERS
    every_round: tuple[str, ...] = ALL_CONTENDERS
    sittings_once: tuple[tuple[str, ...], ...] = ()
    pyspark: tuple[str, ...] = ()
    pyspark_batches: Mapping[int, int] = field(default_factory=lambda: {100_000: 10, 1_000: 60})

    def in_round(self, number: int) -> tuple[str, ...]:
        """Contenders of a round, each round starting with another one."""
        names = [name for name in self.contenders if number == 1 or name in self.every_round]
        shift = (number - 1) % len(names)
        return (*names[shift:], *names[:shift])

    def sittings_in_round(self, number: int) -> tuple[tuple[str, ...], ...]:
        return (*self.sittings, *self.sittings_once) if number == 1 else self.sittings


QUICK = Form(
    "quick",
    rounds=3,
    sittings=(("load", "update", "aggregation", "skewed_update", "small_batches", "full_scan", "abort", "evict"),),
    sizes={"batches": 10, "warmup": 2, "warmup_seconds": 1, "small_batches": 200, "trials": 3},
    every_round=KEY_CONTENDERS,
    sittings_once=(
        ("prefix_scan", "joins", "timers"),
        *((name,) for name in ("recovery_5", "restart_cold", "restart_warm", "new_jvm")),
        *((name,) for name in ("first_joins", "one_core_update")),
    ),
)
FULL = Form(
    "full",
    rounds=3,
    sittings=(
        ("load", "update", "skewed_update", "aggregation"),
        ("small_batches", "multi_get", "full_scan", "abort", "evict"),
        *((name,) for name in ("prefix_scan", "range_scan", "joins", "timers")),
        *((name,) for name in ("first_updates", "first_joins", "first_timers")),
        *((name,) for name in ("recovery_5", "recovery_50", "restart_cold", "restart_warm", "restart_ordered")),
        *((name,) for name in ("new_jvm", "new_jvm_warm", "one_core_new_jvm")),
        ("one_core_update", "one_core_aggregation", "one_core_small_batches"),
        *((f"one_core_{name}",) for name in ("first_updates", "first_joins", "restart_cold")),
    ),
    sittings_once=tuple((question.name,) for question in QUESTIONS if question.once),
    sizes={"batches": 30, "warmup": 8, "warmup_seconds": 5, "small_batches": 1000, "trials": 3},
    pyspark=pyspark_questions(),
)
#: A few thousand keys, for tests of the suite itself: its figures mean nothing.
TINY = Form(
    "tiny",
    rounds=1,
    sittings=(("load", "update", "small_batches", "full_scan", "abort"), ("one_core_update",), ("new_jvm",)),
    sizes={"keys": 4000, "batch_rows": 1000, "batches": 3, "warmup": 1, "small_batches": 12, "trials": 1},
)
#: What CI runs: ratios with generous bounds.
REGRESSION = Form(
    "regression",
    rounds=1,
    sittings=(("load", "update", "small_batches"),),
    sizes={"keys": 200_000, "batches": 10, "warmup": 4, "small_batches": 60, "trials": 1},
    contenders=(ROCKSTATE, CHANGELOG),
)
#: What a process holds after half an hour; docs/reliability.md has its plot.
SOAK = Form("soak", rounds=1, sittings=(("soak",),), sizes={}, contenders=(ROCKSTATE,))
FORMS = {form.name: form for form in (QUICK, FULL, TINY, REGRESSION, SOAK)}
