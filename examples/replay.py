"""A source with offsets, as Kafka has them: a batch that failed is read again, and the counts stay right.

    python examples/replay.py

The log has two partitions, which are files of words; an offset is a line's number. Three words a partition are one
batch. The sink fails in batch 2, after the state was written. The query that is started after that reads the very
offsets of batch 2 again, and counts every word once. Needs `pip install 'rockstate[pandas]'`.
"""

from __future__ import annotations

import itertools
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.types import StructType

import rockstate

Offsets = dict[str, int]
WORDS_A_BATCH = 3


class Log(DataSource):
    """A folder with a file for each partition."""

    @classmethod
    def name(cls) -> str:
        return "log"

    def schema(self) -> str:
        return "word STRING"

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:
        return LogReader(Path(self.options["path"]))


class Slice(InputPartition):
    """Some lines of one partition."""

    def __init__(self, name: str, start: int, end: int) -> None:
        super().__init__(name)
        self.name, self.start, self.end = name, start, end


class LogReader(DataSourceStreamReader):
    """Tells Spark how far the log goes, and reads what lies between two offsets: the same lines every time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def initialOffset(self) -> Offsets:
        return {file.name: 0 for file in self.folder.iterdir()}

    def latestOffset(self, start: Offsets | None = None, limit: object = None) -> Offsets:
        known = self.initialOffset() | (start or {})  # before Spark 4.2 there is no start: all is one batch
        ends = {name: len((self.folder / name).read_text(encoding="utf-8").splitlines()) for name in known}
        return {name: min(end, known[name] + WORDS_A_BATCH) if start else end for name, end in ends.items()}

    def partitions(self, start: Offsets, end: Offsets) -> Sequence[InputPartition]:
        return [Slice(name, start.get(name, 0), end[name]) for name in end if start.get(name, 0) < end[name]]

    def read(self, partition: InputPartition) -> Iterator[tuple[str]]:
        assert isinstance(partition, Slice)
        with (self.folder / partition.name).open(encoding="utf-8") as lines:
            for line in itertools.islice(lines, partition.start, partition.end):
                yield (line.strip(),)


class Sink:
    """Keeps the newest count of each word; to write the same twice does no harm. Fails once, in the batch given."""

    def __init__(self, fails_in: int | None) -> None:
        self.fails_in, self.counts, self.batches = fails_in, dict[str, int](), list[int]()

    def __call__(self, rows: DataFrame, batch: int) -> None:
        found = rows.collect()  # the whole batch runs: its state is written
        if batch == self.fails_in:
            raise OSError("the sink does not answer")
        self.batches.append(batch)
        self.counts |= {row["word"]: row["count"] for row in found}


def run(spark: SparkSession, folder: Path, sink: Callable[[DataFrame, int], None]) -> None:
    """Counts what the log has by now."""
    words = spark.readStream.format("log").load(str(folder / "log"))
    query = (
        words.groupBy("word")
        .count()
        .writeStream.outputMode("update")
        .foreachBatch(sink)
        .option("checkpointLocation", str(folder / "checkpoint"))
        .start()
    )
    try:
        query.processAllAvailable()
    finally:
        query.stop()


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="rockstate-replay-"))
    text = "to be or not to be that is the question whether tis nobler in the mind to suffer"
    words = text.split()
    (folder / "log").mkdir()
    for partition in range(2):
        (folder / "log" / str(partition)).write_text("\n".join(words[partition::2]) + "\n", encoding="utf-8")

    builder = SparkSession.builder.appName("replay").config("spark.sql.shuffle.partitions", 2)
    spark = rockstate.configure(builder).getOrCreate()
    spark.sparkContext.setLogLevel("OFF")  # the failure is meant
    spark.dataSource.register(Log)

    first = Sink(fails_in=2)
    try:
        run(spark, folder, first)
    except StreamingQueryException:
        print(f"batches {first.batches} went well, batch {first.fails_in} failed")
    second = Sink(fails_in=None)
    run(spark, folder, second)
    print(f"then batches {second.batches}")

    state = rockstate.Checkpoint(str(folder / "checkpoint")).rows().select("key.word", "value.count").collect()
    counted = {row["word"]: row["count"] for row in state}
    assert counted == Counter(words) == first.counts | second.counts
    print(f"{sum(counted.values())} words, each counted once: 'to' {counted['to']} times")
    spark.stop()


if __name__ == "__main__":
    main()
