"""The first words of docs/scale.md: what to do, with the figures that say so."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.scale import costs
from benchmarks.scale.tables import number

_USUAL = costs.Setup(partitions=1_000, interval=10)
_BEST = "rockstate-abortable"


def advice(data: Mapping[str, Any]) -> str:
    """A list, the most worth first; each line wraps where prose does."""
    return "\n".join(line for point in _points(data) for line in _wrapped(point))


def _points(data: Mapping[str, Any]) -> Iterator[str]:
    counts = data["counts"]
    plain, best = (
        sum(costs.driver_batch(counts[name]["aggregation"]).values()) for name in ("rockstate-rename", _BEST)
    )
    yield (
        f"**Name the checkpoint file manager.** A commit of one partition is {number(_partition(data, _BEST))} request "
        f"to Rockstate either way, but the driver's logs take {number(plain)} requests a batch with Spark's default "
        f"and {number(best)} with `AbortableStreamBased`, one after the other: "
        "[how](#the-checkpoint-file-manager)."
    )
    slow = costs.batch(counts[_BEST]["aggregation"], data["partitions"], costs.Setup(1_000, 60))
    yield (
        "**Batches no shorter than results are wanted.** Cost goes with partitions times batches: a query "
        f"of 1,000 partitions costs {_day(data, _BEST)} a day with a batch every 10 s, and "
        f"${number(costs.dollars_a_day(slow, 60))} with one every minute."
    )
    yield (
        "**No more partitions than cores need.** Each costs its requests in every batch, whether it has rows or not. "
        "[`repartition`](moving.md) gives a checkpoint fewer."
    )
    if "join_4" in counts[_BEST]:
        four, one = (_partition(data, _BEST, query) for query in ("join", "join_4"))
        yield (
            "**Joins in state format 4 have one store where others have four**: requests for a partition and batch are "
            f"{number(one)} instead of {number(four)}. But no Spark begins one on Rockstate: 4.2 has the format for "
            "tests, and 4.3 gives it to its own provider alone. So give a join fewer partitions: [how](#joins)."
        )
    found = {each["name"]: each for each in data["simulation"]}
    usual = found["as it comes"]
    behind = [found[name]["behind_a_day_s"] / 60 for name in ("`fetch_threads=4`", "as it comes", "`fetch_threads=16`")]
    yield (
        "**On a cluster whose executors come and go, leave `fetch_threads` at 8 or raise it.** Recoveries wait for "
        "storage's answers more than for bytes: simulated, they put the query behind for "
        f"{number(behind[0])} minutes a day with 4, {number(behind[1])} with 8 and {number(behind[2])} with 16."
    )
    cold = found["`warm_restart_disk=0`"]
    yield (
        f"**Leave warm restarts on.** Without them {number(cold['moved_gb_a_day'])} GB a day move instead of "
        f"{number(usual['moved_gb_a_day'])}."
    )


def _partition(data: Mapping[str, Any], name: str, query: str = "aggregation") -> float:
    return sum(costs.partition_batch(data["counts"][name][query], data["partitions"]).values())


def _day(data: Mapping[str, Any], name: str) -> str:
    requests = costs.batch(data["counts"][name]["aggregation"], data["partitions"], _USUAL)
    return f"${number(costs.dollars_a_day(requests, _USUAL.interval))}"


def _wrapped(point: str) -> list[str]:
    return textwrap.wrap(
        point, 118, initial_indent="- ", subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
