"""Writes what tests/quick_spark.py has JVMs map: the classes of a Spark that runs a stateful query and ends.

`python -m tests.class_data FILE`
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.quick_spark import QUICK_JVM, UNVERIFIED


def write(file: Path) -> None:
    """Runs a query on Rockstate in a JVM that writes its classes when it ends."""
    os.environ["SPARK_SUBMIT_OPTS"] = f"{UNVERIFIED} {QUICK_JVM} -XX:ArchiveClassesAtExit={file}"
    from pyspark import SparkContext
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as F

    import rockstate

    builder = SparkSession.builder.master("local[2]").config("spark.sql.shuffle.partitions", 2)
    with rockstate.configure(builder, memory_budget="64m").getOrCreate() as spark:
        lines = spark.readStream.text(str(Path(__file__).parent))
        counts = lines.groupBy(F.length("value").alias("length")).count()
        writer = counts.writeStream.outputMode("update").format("memory").queryName("counts")
        writer.trigger(availableNow=True).start().awaitTermination()
        spark.table("counts").orderBy("count").collect()
    jvm = SparkContext._gateway.proc  # type: ignore[union-attr]
    jvm.stdin.close()  # which is what it ends on
    jvm.wait(timeout=300)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.unlink(missing_ok=True)
    write(target)
    if not target.is_file():
        sys.exit(f"The JVM has not written {target}")
