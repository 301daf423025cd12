"""What we say of Spark's confs is what the installed Spark says."""

from __future__ import annotations

from typing import Any

from pyspark.sql import SparkSession

from rockstate.base.units import parse_millis
from rockstate.launch.versions import is_since, spark_minor
from rockstate.options.catalogue import OPTIONS
from rockstate.options.explain import Explanation
from rockstate.options.keys import STATE_STORE
from rockstate.options.option import Option
from rockstate.options.spark_confs import SPARK_CONFS, SparkConf

COMPUTED = STATE_STORE + "numStateStoreMaintenanceThreads"


def entries(spark: SparkSession) -> dict[str, Any]:
    """All confs of Spark SQL by key."""
    package = spark._jvm.org.apache.spark.sql.internal  # type: ignore[union-attr]
    conf = getattr(getattr(package, "SQLConf$"), "MODULE$")
    return {entry.key(): entry for entry in conf.getConfigEntries().toArray()}


def test_defaults_are_sparks(spark: SparkSession) -> None:
    theirs = entries(spark)
    confs = [conf for conf in SPARK_CONFS if is_since(spark_minor(), conf.since)]
    assert {conf.key for conf in SPARK_CONFS} & theirs.keys() == {conf.key for conf in confs}
    known: list[Option | SparkConf] = [*OPTIONS, *confs]
    for entry in known:
        if "rockstate" not in entry.key and entry.key != COMPUTED:
            said = theirs[entry.key].defaultValueString()
            default = getattr(entry, "sparks_default", None) or entry.default
            assert said == default or parse_millis(said) == parse_millis(default), entry.key


def test_no_conf_of_sparks_is_taken_for_a_misspelt_one(spark: SparkSession) -> None:
    theirs = entries(spark).keys() - {entry.key for entry in (*OPTIONS, *SPARK_CONFS)}
    assert len(theirs) > 500
    assert Explanation(dict.fromkeys(theirs, "1"), {"SPARK_CONF_DIR": "/nowhere"}).problems == ()
