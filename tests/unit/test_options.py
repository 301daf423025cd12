from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rockstate import InvalidOption
from rockstate.launch.versions import SUPPORTED_MINORS
from rockstate.options.catalogue import OPTIONS, confs, markdown_table, option, require_budget
from rockstate.options.explain import Explanation
from rockstate.options.keys import PROVIDER_CLASS
from rockstate.options.option import Option

STATE_STORE = "spark.sql.streaming.stateStore."
DOCS = Path(__file__).parents[2] / "docs" / "configuration.md"


def test_without_options_only_the_provider_the_checkpoint_format_and_the_codec_are_set() -> None:
    assert confs({}, "4.2") == {
        "spark.sql.streaming.stateStore.providerClass": "io.rockstate.RockStateStoreProvider",
        "spark.sql.streaming.stateStore.checkpointFormatVersion": "2",
        "spark.sql.streaming.stateStore.compression.codec": "zstd",
    }


def test_spark_4_0_gets_checkpoint_format_1_and_is_told_why() -> None:
    key = STATE_STORE + "checkpointFormatVersion"
    assert {minor: confs({}, minor)[key] for minor in SUPPORTED_MINORS} == {
        "4.0": "1",
        "4.1": "2",
        "4.2": "2",
        "4.3": "2",
    }
    assert confs({"checkpoint_format_version": 2}, "4.0")[key] == "2"
    version = option("checkpoint_format_version")
    assert "state data source" in version.meaning_on("4.0")
    assert version.meaning_on("4.1") == version.meaning
    assert version.defaults == "2; 1 on Spark 4.0"


@pytest.mark.parametrize(
    ("name", "value", "key", "text"),
    [
        ("memory_budget", "512m", STATE_STORE + "rockstate.memoryBudget", str(512 * 1024 * 1024)),
        ("memory_budget", 1 << 30, STATE_STORE + "rockstate.memoryBudget", str(1 << 30)),
        ("memory_budget", "auto", STATE_STORE + "rockstate.memoryBudget", "auto"),
        ("heap_share", 75, STATE_STORE + "rockstate.heapShare", "75"),
        ("fetch_threads", 8, STATE_STORE + "rockstate.fetchThreads", "8"),
        ("min_deltas_for_snapshot", "25", STATE_STORE + "minDeltasForSnapshot", "25"),
        ("min_batches_to_retain", 2, "spark.sql.streaming.minBatchesToRetain", "2"),
        ("compression_codec", "ZSTD", STATE_STORE + "compression.codec", "zstd"),
        ("maintenance_interval", "30s", STATE_STORE + "maintenanceInterval", "30000ms"),
        ("checkpoint_format_version", 1, STATE_STORE + "checkpointFormatVersion", "1"),
    ],
)
def test_an_option_becomes_its_conf(name: str, value: int | str, key: str, text: str) -> None:
    assert confs({name: value}, "4.2")[key] == text


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("memory_budget", "15m"),
        ("memory_budget", "half"),
        ("fetch_threads", 0),
        ("fetch_threads", 65),
        ("fetch_threads", True),
        ("min_deltas_for_snapshot", 0),
        ("min_batches_to_retain", -1),
        ("compression_codec", "gzip"),
        ("maintenance_interval", 0),
        ("checkpoint_format_version", 3),
    ],
)
def test_a_value_out_of_range_is_refused_with_what_is_valid(name: str, value: int | str) -> None:
    with pytest.raises(InvalidOption) as error:
        confs({name: value}, "4.2")
    assert error.value.option == name
    for part in (name, option(name).key, repr(value), option(name).takes):
        assert part in str(error.value)


def test_a_share_of_the_memory_budget_wants_a_budget_in_bytes() -> None:
    share, budget = STATE_STORE + "rockstate.heapShare", STATE_STORE + "rockstate.memoryBudget"
    for said in ({share: "50"}, {share.upper(): "50", budget: "auto"}):
        with pytest.raises(InvalidOption, match="Give memory_budget as a size"):
            require_budget(said)
    for said in ({}, {share: "0"}, {share: "auto"}, {share: "50", budget.upper(): "2g"}):
        require_budget(said)
    assert "heap_share is a part" in Explanation({share: "50"}, {}).problems[0]
    assert not Explanation({share: "50", budget: "2g"}, {}).problems


def test_an_unknown_option_is_refused_with_the_closest_and_all_names() -> None:
    with pytest.raises(InvalidOption) as error:
        confs({"memory_buget": "1g"}, "4.2")
    assert "Did you mean memory_budget?" in str(error.value)
    assert all(known.name in str(error.value) for known in OPTIONS)


def test_an_option_unlike_any_other_gets_no_hint() -> None:
    with pytest.raises(InvalidOption) as error:
        confs({"zzz": 1}, "4.2")
    assert "Did you mean" not in str(error.value)


@given(st.text())
def test_no_name_but_those_in_the_list_is_accepted(name: str) -> None:
    if name not in {known.name for known in OPTIONS}:
        with pytest.raises(InvalidOption):
            option(name)


@pytest.mark.parametrize("known", OPTIONS, ids=lambda known: known.name)
def test_every_default_is_a_valid_value(known: Option) -> None:
    assert known.conf_value(known.default)


def test_names_and_keys_are_unique_and_spark_hands_them_to_providers() -> None:
    assert len({known.name for known in OPTIONS}) == len({known.key for known in OPTIONS}) == len(OPTIONS)
    others = [known.key for known in OPTIONS if not known.key.startswith(STATE_STORE)]
    assert others == ["spark.sql.streaming.minBatchesToRetain"]


def test_the_provider_class_cannot_be_changed_by_an_option() -> None:
    with pytest.raises(InvalidOption):
        confs({"providerClass": "other"}, "4.2")
    assert PROVIDER_CLASS in confs({"fetch_threads": 2}, "4.2").values()


def test_the_documentation_holds_the_current_table() -> None:
    assert markdown_table() in DOCS.read_text(encoding="utf-8"), (
        "docs/configuration.md is stale; paste what `rockstate explain-conf --markdown` prints"
    )
