"""The one place that talks to Spark's JVM through py4j."""

from __future__ import annotations

import os
from typing import Any


def is_jvm_running() -> bool:
    """Whether PySpark has a JVM, or was started by one (spark-submit)."""
    from pyspark import SparkContext

    return SparkContext._gateway is not None or is_started_by_submit()


def is_started_by_submit() -> bool:
    """Whether spark-submit started this process."""
    return "PYSPARK_GATEWAY_PORT" in os.environ


def is_context_active() -> bool:
    """Whether there is a SparkContext that `getOrCreate` would take up."""
    from pyspark import SparkContext

    return SparkContext._active_spark_context is not None


def loads_class(name: str) -> bool:
    """Whether the running JVM's driver finds the class `name`."""
    from py4j.protocol import Py4JJavaError

    try:
        _jvm().java.lang.Thread.currentThread().getContextClassLoader().loadClass(name)
    except Py4JJavaError as error:
        if error.java_exception.getClass().getName() == "java.lang.ClassNotFoundException":
            return False
        raise
    return True


def running_conf(key: str) -> str:
    """What the running JVM was started with for `key`, "" if nothing."""
    from pyspark import SparkConf

    return SparkConf(_jvm=_jvm()).get(key, "") or ""


def _jvm() -> Any:
    from pyspark import SparkContext

    SparkContext._ensure_initialized()
    return SparkContext._jvm
