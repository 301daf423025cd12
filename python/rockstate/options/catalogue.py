"""All options, in one list: Rockstate's own and those of Spark's that it honours.

`rockstate explain-conf --markdown` prints the list as the table in docs/configuration.md.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from difflib import get_close_matches
from typing import Final

from rockstate.base.errors import InvalidOption
from rockstate.base.units import parse_bytes, parse_int, parse_millis
from rockstate.launch.versions import SPARK_MINORS
from rockstate.options.keys import PROVIDER_CLASS, PROVIDER_KEY, STATE_STORE, UI_METRICS_KEY
from rockstate.options.option import Option, absolute_path, number_in, one_of, or_auto

#: What `configure` sets unless told otherwise: every attempt of a batch writes files of its own.
CHECKPOINT_FORMAT_VERSION: Final = 2

_OTHER_FORMATS: Final = {
    each.minor: (str(each.checkpoint_format), each.checkpoint_format_reason)
    for each in SPARK_MINORS.values()
    if each.checkpoint_format != CHECKPOINT_FORMAT_VERSION
}

MIB: Final = 1024 * 1024

#: What Spark keeps such a conf in takes no more.
_MOST_INT: Final = 2**31 - 1
_MOST_BYTES: Final = 2**63 - 1

_CODECS: Final = ("lz4", "zstd", "snappy", "lzf", "none")

OPTIONS: Final = (
    Option(
        name="memory_budget",
        key=STATE_STORE + "rockstate.memoryBudget",
        default="auto",
        unit="bytes",
        takes="a number of bytes or text such as 1g, at least 16m, or auto",
        meaning=(
            "memory that all stores of one JVM share, native and heap; set by its first query. auto: half of the heap "
            "that spark.memory.fraction leaves, and half of an executor's memory overhead; at least 384 MB of heap, "
            "of a small one a quarter, and 256 MB of overhead"
        ),
        convert=or_auto(number_in(parse_bytes, least=16 * MIB)),
    ),
    Option(
        name="heap_share",
        key=STATE_STORE + "rockstate.heapShare",
        default="auto",
        unit="percent",
        takes="a whole number from 0 to 90, or auto",
        meaning=(
            "part of a memory budget in bytes that is the JVM's heap (of a small heap no more than a quarter) and "
            "holds changed and read rows; auto: three quarters, but half of less than 64m. 0 switches that off; any "
            "other number needs a memory_budget in bytes"
        ),
        convert=or_auto(number_in(parse_int, least=0, most=90)),
    ),
    Option(
        name="fetch_threads",
        key=STATE_STORE + "rockstate.fetchThreads",
        default="8",
        unit="threads",
        takes="a whole number from 1 to 64",
        meaning="files that one store fetches or uploads at a time, in recovery and snapshots",
        convert=number_in(parse_int, least=1, most=64),
    ),
    Option(
        name="warm_restart_disk",
        key=STATE_STORE + "rockstate.warmRestartDisk",
        default="10g",
        unit="bytes",
        takes="a number of bytes or text such as 20g; 0 for none",
        meaning=(
            "disk on each machine for the databases of closed stores: one that is opened there again goes on from its "
            "own and fetches nothing"
        ),
        convert=number_in(parse_bytes, least=0, most=_MOST_BYTES),
    ),
    Option(
        name="warm_restart_folder",
        key=STATE_STORE + "rockstate.warmRestartFolder",
        default="auto",
        unit="path",
        takes="an absolute path on each machine's own disk, or auto",
        meaning=(
            "where these databases are; auto is Spark's local folder, which cluster managers delete when an "
            "application ends"
        ),
        convert=or_auto(absolute_path),
    ),
    Option(
        name="min_deltas_for_snapshot",
        key=STATE_STORE + "minDeltasForSnapshot",
        default="10",
        unit="deltas",
        takes=f"a whole number from 1 to {_MOST_INT}",
        meaning=(
            "deltas that must pile up before maintenance makes a snapshot. A store above 256 KB waits until they weigh"
            " as much as its last one, counting 128 KB for each, but for 1,000 at most; Spark 4.2 and later ask for"
            " some earlier (forceSnapshotUploadOnLag)"
        ),
        convert=number_in(parse_int, least=1, most=_MOST_INT),
    ),
    Option(
        name="min_batches_to_retain",
        key="spark.sql.streaming.minBatchesToRetain",
        default="100",
        unit="batches",
        takes=f"a whole number from 1 to {_MOST_INT}",
        meaning="batches that stay recoverable; clean-up deletes older ones",
        convert=number_in(parse_int, least=1, most=_MOST_INT),
    ),
    Option(
        name="compression_codec",
        key=STATE_STORE + "compression.codec",
        default="zstd",
        unit="name",
        takes="lz4, zstd, snappy, lzf or none",
        meaning="compression of delta files: zstd makes them smaller by a third and more (Spark's default: lz4)",
        convert=one_of(_CODECS),
        names=_CODECS,
        sparks_default="lz4",
    ),
    Option(
        name="maintenance_interval",
        key=STATE_STORE + "maintenanceInterval",
        default="60s",
        unit="milliseconds",
        takes="a number of milliseconds or text such as 30s or 5min, at least 1",
        meaning="time between two runs of maintenance (snapshots, clean-up)",
        convert=number_in(parse_millis, least=1, suffix="ms"),
    ),
    Option(
        name="checkpoint_format_version",
        key=STATE_STORE + "checkpointFormatVersion",
        default=str(CHECKPOINT_FORMAT_VERSION),
        unit="version",
        takes="1 or 2",
        names=("1", "2"),
        meaning="Spark's checkpoint format: with 2 each attempt of a batch writes its own files (Spark's default: 1)",
        convert=number_in(parse_int, least=1, most=2),
        sparks_default="1",
        exceptions=_OTHER_FORMATS,
    ),
)

# Where Spark's own default is another one: `configure` sets these unless the builder does.
SET_UNLESS_GIVEN: Final = ("checkpoint_format_version", "compression_codec")

#: What an operator watches of the custom metrics. Spark's streaming tab draws those that a conf names.
UI_METRICS: Final = (
    "rockstateCommitLatencyMs",
    "rockstateDeltaBytesWritten",
    "rockstateDeltasSinceSnapshot",
    "rockstateReadCacheMisses",
    "rockstateRecoveryLatencyMs",
)

_BY_NAME: Final = {option.name: option for option in OPTIONS}


def option(name: str) -> Option:
    """The option called `name`. Raises InvalidOption, which lists the valid names and the closest one."""
    if name in _BY_NAME:
        return _BY_NAME[name]
    close = get_close_matches(name, _BY_NAME, n=1)
    hint = f"Did you mean {close[0]}? " if close else ""
    raise InvalidOption(name, f"There is no option {name!r}", f"{hint}Valid options: {', '.join(_BY_NAME)}")


def confs(options: Mapping[str, int | str], minor: str) -> dict[str, str]:
    """What Spark's conf must hold: the provider class, the minor's checkpoint format, zstd and `options`, checked.

    Raises:
        InvalidOption: an option does not exist or does not take its value.
    """
    defaults = {option(name).key: option(name).default_on(minor) for name in SET_UNLESS_GIVEN}
    given = {option(name).key: option(name).conf_value(value) for name, value in options.items()}
    return {PROVIDER_KEY: PROVIDER_CLASS, **defaults, **given}


def require_budget(values: Mapping[str, str]) -> None:
    """Raises InvalidOption if these, all that hold, have a share of a budget and no budget: no query starts then."""
    share, budget = option("heap_share"), option("memory_budget")
    said = {key.lower(): value for key, value in values.items()}
    has_share = said.get(share.key.lower(), share.default) not in (share.default, "0")
    if has_share and said.get(budget.key.lower(), budget.default) == budget.default:
        remedy = f"Give {budget.name} as a size such as 2g, or leave {share.name} out"
        raise InvalidOption(share.name, f"{share.name} is a part of {budget.name}, which is {budget.default}", remedy)


def ui_confs(given: Container[str]) -> dict[str, str]:
    """What has Spark's streaming tab draw our metrics, unless that conf is `given`."""
    return {} if UI_METRICS_KEY in given else {UI_METRICS_KEY: ",".join(UI_METRICS)}


def markdown_table() -> str:
    """The options as a Markdown table, one row each."""
    head = ["| option | Spark conf | default | unit | takes | meaning |", "|---|---|---|---|---|---|"]
    rows = [f"| `{o.name}` | `{o.key}` | {_default_cell(o)} | {o.unit} | {o.takes} | {o.meaning} |" for o in OPTIONS]
    return "\n".join(head + rows)


def _default_cell(option: Option) -> str:
    return f"`{option.default}`" + "".join(f"; on Spark {on} `{value}`" for on, (value, _) in option.exceptions.items())
