"""Sets a SparkSession builder up for Rockstate."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from rockstate import gateway, jar_list, submit
from rockstate.errors import JarNotLoaded, SparkConnectUnsupported
from rockstate.jars import jar_path
from rockstate.options import PROVIDER_CLASS, SET_UNLESS_GIVEN, confs, option

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def configure(builder: SparkSession.Builder, **options: int | str) -> SparkSession.Builder:
    """Makes the session that `builder` will create keep its streaming state in Rockstate.

    Sets the provider class, checkpoint format 2 and zstd (unless the builder sets its own) and the given options. Adds
    Rockstate's jar to the jars that the builder, spark-defaults.conf or PYSPARK_SUBMIT_ARGS name. Jars named in
    PYSPARK_SUBMIT_ARGS win over the builder's, so in that case the jar is added there as well, in `os.environ`.

    Args:
        builder: a classic builder, `SparkSession.builder` with whatever is set on it.
        options: by name, see `rockstate.options.OPTIONS` or docs/configuration.md. For instance `memory_budget="512m"`
            (bytes, or text with a unit) or `maintenance_interval="30s"` (milliseconds, or text with a unit).

    Returns:
        The same builder.

    Raises:
        InvalidOption: an option does not exist, or does not take its value; the message lists what is valid.
        UnsupportedSparkVersion: there is no jar for the installed PySpark.
        JarNotFound: the package's jar is missing.
        JarConflict: Spark is already told to load Rockstate's jar of another version.
        JarNotLoaded: Spark's JVM runs already and was started without the jar.
        SparkConnectUnsupported: the builder is for Spark Connect.
    """
    settings = confs(options)
    _refuse_connect(builder)
    for name in SET_UNLESS_GIVEN:
        if option(name).key in builder._options and name not in options:
            del settings[option(name).key]
    settings.update(_jar_setting(builder, jar_path()))
    return builder.config(map=dict(settings))


def _jar_setting(builder: SparkSession.Builder, jar: Path) -> dict[str, str]:
    of_builder = builder._options.get(submit.JARS_KEY)
    if gateway.is_context_active():
        _require_loaded_jar(jar)
        return {}
    if gateway.is_jvm_running():
        _require_loaded_jar(jar)
        return {submit.JARS_KEY: jar_list.merge([of_builder, gateway.running_conf(submit.JARS_KEY)], jar)}
    of_submit_args = submit.submit_args_jars(os.environ)
    if of_submit_args is None:
        return {submit.JARS_KEY: jar_list.merge([of_builder or submit.defaults_jars(os.environ)], jar)}
    jars = jar_list.merge([of_builder, of_submit_args], jar)
    os.environ[submit.SUBMIT_ARGS] = submit.submit_args_with_jars(os.environ, jars)
    return {submit.JARS_KEY: jars}


def _require_loaded_jar(jar: Path) -> None:
    if gateway.loads_class(PROVIDER_CLASS):
        return
    if gateway.is_started_by_submit():
        remedy = "Start it with `spark-submit $(rockstate conf) ...`"
    else:
        remedy = f"Start Python anew and call configure before the first getOrCreate, or set spark.jars to {jar} there"
    raise JarNotLoaded(
        "Spark's JVM is running without Rockstate's jar, and no jar can be added after its start", remedy
    )


def _refuse_connect(builder: SparkSession.Builder) -> None:
    if type(builder).__module__.startswith("pyspark.sql.connect"):
        raise SparkConnectUnsupported("a Spark Connect builder")
    if "spark.remote" in builder._options:
        raise SparkConnectUnsupported("builder.remote(...)")
    if str(builder._options.get("spark.api.mode", os.environ.get("SPARK_API_MODE", ""))).lower() == "connect":
        raise SparkConnectUnsupported("spark.api.mode is connect")
    for name in ("SPARK_REMOTE", "SPARK_CONNECT_MODE_ENABLED"):
        if os.environ.get(name):
            raise SparkConnectUnsupported(f"{name} is set")
