"""The tables of docs/scale.md: each is made from docs/scale.json alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from benchmarks import report
from benchmarks.scale import costs
from benchmarks.scale.recovery import Network, Store, seconds_to_recover
from benchmarks.scale.requests import KINDS

Counts = Mapping[str, Mapping[str, Any]]

_QUERIES = {
    "aggregation": "aggregation",
    "join": "join",
    "join_4": "join, state format 4",
    "transform_with_state": "`transformWithState`",
}
_CONTENDERS = {
    "rockstate": "Rockstate",
    "changelog": "Spark's RocksDB",
    "changelog_2": "Spark's RocksDB, checkpoint format 2",
}
_MANAGERS = {
    "rename": "default file manager",
    "direct": "`FileSystemBased`",
    "abortable": "`AbortableStreamBased`",
    "flags": "`AbortableStreamBased` and flags",
}
_UNSEEN = ("MULTIPART", "BULK_DELETE")
_HEADS = tuple(kind for kind in KINDS if kind not in _UNSEEN)
_LATENCY = 0.03
_SIZES = (10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000)


def number(value: float) -> str:
    """As many digits as a reader needs."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}".removesuffix(".0") if value >= 1 else f"{value:.2f}".rstrip("0").rstrip(".") or "0"


def who(name: str) -> str:
    contender, manager = name.rsplit("-", 1)
    return f"{_CONTENDERS[contender]}, {_MANAGERS[manager]}"


def rows_of(counts: Counts) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Query, contender and manager, what was counted; queries together."""
    for query in _QUERIES:
        for name, queries in counts.items():
            if query in queries:
                yield query, name, queries[query]


def by_kind(found: Mapping[str, float]) -> tuple[str, ...]:
    return tuple(number(found[kind]) if found.get(kind) else "" for kind in _HEADS)


def _counted(counts: Counts, part: Any) -> str:
    rows = []
    for query, name, counted in rows_of(counts):
        found = part(counted)
        rows.append((_QUERIES[query], who(name), *by_kind(found), number(sum(found.values()))))
    return report.table(("query", "state store", *_HEADS, "all"), rows)


def partition(data: Mapping[str, Any]) -> str:
    """Requests of a batch for one partition."""
    return _counted(data["counts"], lambda counted: costs.partition_batch(counted, data["partitions"]))


def driver(data: Mapping[str, Any]) -> str:
    """Requests of a batch that the driver makes."""
    return _counted(data["counts"], costs.driver_batch)


def maintenance(data: Mapping[str, Any]) -> str:
    """Requests of a snapshot, of a clean-up, and of each file that it deletes; of one store."""
    rows = []
    for query, name, counted in rows_of(data["counts"]):
        parts = [counted["snapshot"].get("store", {}), counted["clean_up_fixed"].get("store", {})]
        parts.append(costs.deleted_file(counted))
        sums = [number(sum(part.values())) for part in parts]
        rows.append((_QUERIES[query], who(name), *sums, str(counted["stores"])))
    heads = ("query", "state store", "a snapshot", "a clean-up", "each file deleted", "stores of a partition")
    return report.table(heads, rows)


def loading(data: Mapping[str, Any]) -> str:
    """Requests by which one store is loaded."""
    rows = []
    for query, name, counted in rows_of(data["counts"]):
        if "delta" in counted:
            sums = [number(sum(counted[part].values())) for part in ("recovery", "delta")]
            rows.append((_QUERIES[query], who(name), *sums))
    return report.table(("query", "state store", "a snapshot", "each delta after it"), rows)


def _setups() -> Iterator[costs.Setup]:
    for partitions in costs.PARTITIONS:
        for interval in costs.INTERVALS:
            yield costs.Setup(partitions, interval)


def _scaled(data: Mapping[str, Any], query: str, cell: Any) -> str:
    counts = {name: queries[query] for name, queries in data["counts"].items() if query in queries}
    rows = []
    for setup in _setups():
        every = [costs.batch(counted, data["partitions"], setup) for counted in counts.values()]
        cells = [number(cell(requests, setup.interval)) for requests in every]
        rows.append((f"{setup.partitions:,}", f"{setup.interval} s", *cells))
    return report.table(("partitions", "a batch every", *map(who, counts)), rows)


def dollars(data: Mapping[str, Any], query: str = "aggregation") -> str:
    return _scaled(data, query, costs.dollars_a_day)


def requests(data: Mapping[str, Any], query: str = "aggregation") -> str:
    return _scaled(data, query, costs.per_second)


def prefixes(data: Mapping[str, Any], query: str = "aggregation") -> str:
    return _scaled(data, query, costs.prefixes)


def joins(data: Mapping[str, Any]) -> str:
    """Dollars a day of a join in both formats."""
    setup = costs.Setup(1_000, 10)
    rows = []
    for name, queries in data["counts"].items():
        if {"join", "join_4"} <= queries.keys():
            cells = [costs.batch(queries[each], data["partitions"], setup) for each in ("join", "join_4")]
            rows.append((who(name), *(number(costs.dollars_a_day(each, setup.interval)) for each in cells)))
    return report.table(("state store", "default format, four stores", "format 4, one store"), rows)


def waiting(data: Mapping[str, Any]) -> str:
    """Seconds that a batch waits for storage if each request takes so long, one after the other."""
    rows = []
    for name, queries in data["counts"].items():
        counted = queries["aggregation"]
        of_driver = sum(costs.driver_batch(counted).values())
        of_task = sum(costs.partition_batch(counted, data["partitions"]).values())
        rows.append((who(name), *(f"{count * _LATENCY:.1f} s" for count in (of_driver, of_task))))
    return report.table(("state store", "the driver's requests", "a partition's"), rows)


def network_of(data: Mapping[str, Any]) -> Network:
    """The network of the model, with the requests that Rockstate makes in a recovery."""
    counted = next(
        queries["aggregation"]
        for name, queries in data["counts"].items()
        if name.startswith("rockstate-") and "delta" in queries["aggregation"]
    )
    return Network(
        requests=round(sum(counted["recovery"].values()), 1), delta_requests=round(sum(counted["delta"].values()), 1)
    )


def recovery(data: Mapping[str, Any]) -> str:
    """Seconds to load one store cold, by its size: right after a snapshot, half-way, right before the next one."""
    network = network_of(data)
    rows = []
    for size in _SIZES:
        store = Store(size, delta_bytes=100_000, delta_records=1_000)
        every = store.snapshot_every
        loads = [(size + deltas * store.delta_bytes, deltas) for deltas in (0, every // 2, every)]
        cells = [f"{seconds_to_recover([load], store, network):.1f} s" for load in loads]
        wide = replace(network, fetch_threads=16)
        cells.append(f"{seconds_to_recover([loads[-1]], store, wide):.1f} s")
        rows.append((f"{size / 1e6:,.0f} MB", str(every), *cells))
    heads = (
        "state of a partition",
        "deltas between snapshots",
        "none to replay",
        "half",
        "all",
        "all, 16 fetch threads",
    )
    return report.table(heads, rows)


def simulation(data: Mapping[str, Any]) -> str:
    rows = []
    for each in data["simulation"]:
        rows.append(
            (
                each["name"],
                f"{each['moved_gb_a_day']:,.0f}",
                f"{each['warm_share']:.0%}",
                f"{each['delay_median_s']:.1f}",
                number(each["delay_worst_s"]),
                number(each["late_a_day"]),
                number(each["behind_a_day_s"] / 60),
                number(each["behind_worst_s"]),
                f"{each['stored_gb']:,}",
                f"{each['uploaded_gb_a_day']:,}",
            )
        )
    heads: Sequence[str] = (
        "what is set",
        "GB moved a day",
        "warm",
        "delay, median s",
        "worst s",
        "late batches a day",
        "minutes behind a day",
        "longest s to catch up",
        "GB stored",
        "GB uploaded a day",
    )
    return report.table(heads, rows)
