"""Sets a SparkSession builder up for Rockstate."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from rockstate.base.errors import JarNotLoaded, Misuse, SparkConnectUnsupported
from rockstate.launch import jar_list, spark_home, submit
from rockstate.launch.jars import jar_path
from rockstate.launch.versions import spark_minor
from rockstate.options.catalogue import SET_UNLESS_GIVEN, confs, option, require_budget, ui_confs
from rockstate.options.keys import PROVIDER_CLASS
from rockstate.session import gateway

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def configure(builder: SparkSession.Builder, **options: int | str) -> SparkSession.Builder:
    """Makes the session that `builder` will create keep its streaming state in Rockstate.

    Sets the provider class, checkpoint format 2 (1 on Spark 4.0) and zstd (unless the builder sets its own), the given
    options, and the metrics that the streaming tab of Spark's UI draws (unless something names them). Adds Rockstate's
    jar for the Spark that PySpark starts, or runs in, to the jars that the builder, PYSPARK_SUBMIT_ARGS or
    spark-defaults.conf name. If Spark's JVM is yet to start, the list goes to it in PYSPARK_SUBMIT_ARGS, in
    `os.environ`, and the builder has no `spark.jars` any more: it would hide the jars that Spark makes of
    `spark.jars.packages`. Name jars of your own before, packages whenever you like.

    Args:
        builder: a classic builder, `SparkSession.builder` with whatever is set on it.
        options: by name, see `rockstate.options.OPTIONS` or docs/configuration.md. For instance `memory_budget="512m"`
            (bytes, or text with a unit) or `maintenance_interval="30s"` (milliseconds, or text with a unit).

    Returns:
        The same builder.

    Raises:
        Misuse: it is given something else than a builder.
        InvalidOption: an option does not exist, or does not take its value; the message lists what is valid.
        UnsupportedSparkVersion: there is no jar for that Spark.
        JarNotFound: the package's jar is missing.
        JarConflict: Spark is already told to load Rockstate's jar of another version.
        JarNotLoaded: Spark's JVM runs already, was started without the jar and has not been given it by ADD JAR.
        SparkConnectUnsupported: the builder is for Spark Connect.
    """
    _require_builder(builder)
    settings = confs(options, spark_minor())
    refuse_connect(builder)
    gateway.end_quiet_jvm()
    return _with_settings(builder, settings, options.keys())


def _require_builder(builder: object) -> None:
    if not isinstance(getattr(builder, "_options", None), dict):
        kind = builder.__name__ if isinstance(builder, type) else f"a {type(builder).__name__}"
        remedy = "Call it before the session is made: configure(SparkSession.builder).getOrCreate()"
        raise Misuse(f"configure takes a builder, such as SparkSession.builder, not {kind}", remedy)


def configure_for_reading(builder: SparkSession.Builder, **options: int | str) -> SparkSession.Builder:
    """As `configure`, for a session in whatever JVM there is."""
    return _with_settings(builder, confs(options, spark_minor()), options.keys())


def _with_settings(
    builder: SparkSession.Builder, settings: dict[str, str], given: Collection[str]
) -> SparkSession.Builder:
    for name in SET_UNLESS_GIVEN:
        if option(name).key in builder._options and name not in given:
            del settings[option(name).key]
    _bring_jar(builder, jar_path())
    if not gateway.is_context_active():  # the conf is fixed when a session starts
        said = {**submit.defaults(os.environ), **submit.submit_args_confs(os.environ), **builder._options}
        require_budget({**said, **settings})
        settings |= ui_confs(said)
    return builder.config(map=dict(settings))


def _bring_jar(builder: SparkSession.Builder, jar: Path) -> None:
    if gateway.is_context_active():
        _require_loaded_jar(jar)
    elif gateway.is_jvm_running():
        _require_loaded_jar(jar)
        lists = [builder._options.get(submit.JARS_KEY), gateway.running_conf(submit.JARS_KEY)]
        builder.config(submit.JARS_KEY, jar_list.merge(lists, jar))
    else:
        _bring_jar_by_submit_args(builder, jar)


def _bring_jar_by_submit_args(builder: SparkSession.Builder, jar: Path) -> None:
    """SparkSubmit adds the jars of packages to this list; PySpark would then put one of the builder's over it."""
    spark_home.forget_empty(os.environ)
    named = [builder._options.get(submit.JARS_KEY), submit.submit_args_jars(os.environ)]
    jars = jar_list.merge(named if any(named) else [submit.defaults_jars(os.environ)], jar)
    os.environ[submit.SUBMIT_ARGS] = submit.submit_args_with_jars(os.environ, jars)
    builder._options.pop(submit.JARS_KEY, None)


def _require_loaded_jar(jar: Path) -> None:
    if gateway.loads_class(PROVIDER_CLASS):
        return
    if gateway.is_started_by_submit():
        remedy = "Start it with `rockstate submit ...`"
    else:
        remedy = "Start Python anew and call configure before the first getOrCreate"
    added = f"Or run ADD JAR '{jar}' in the session first, which is enough for all operators but transformWithState"
    raise JarNotLoaded("Spark's JVM is running without Rockstate's jar", f"{remedy}. {added}")


def refuse_connect(builder: SparkSession.Builder) -> None:
    """Raises SparkConnectUnsupported if the builder's session would be a client."""
    if type(builder).__module__.startswith("pyspark.sql.connect"):
        raise SparkConnectUnsupported("a Spark Connect builder")
    if "spark.remote" in builder._options:
        raise SparkConnectUnsupported("builder.remote(...)")
    if str(builder._options.get("spark.api.mode", os.environ.get("SPARK_API_MODE", ""))).lower() == "connect":
        raise SparkConnectUnsupported("spark.api.mode is connect")
    for name in ("SPARK_REMOTE", "SPARK_CONNECT_MODE_ENABLED"):
        if os.environ.get(name):
            raise SparkConnectUnsupported(f"{name} is set")
