"""The windowed aggregation as a first trial has it: 200 partitions, as Spark makes them, and a checkpoint in
Hadoop's own local files. Then the query is started again, in a new JVM on the same machine.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.pyspark._command import main
from benchmarks.pyspark.windowed_aggregation import WindowedAggregation


class ManyPartitions(WindowedAggregation):
    """Windowed aggregation over 200 partitions, checkpoint in Hadoop's own local files, and a restart."""

    name = "many_partitions"


if __name__ == "__main__":
    sys.exit(main(ManyPartitions(), partitions=200, hadoops_files=True, restart=True, warmup=5))
