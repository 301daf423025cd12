"""Where a query's rows go: one Parquet folder per batch, written anew if the batch runs again.

Not Spark's own file sink: with checkpoint format 2 a query cannot be started again if it is killed after that sink's
commit and before Spark's own. The sink then skips the batch, no task runs, and Spark misses the checkpoint ids.
"""

from pathlib import Path

import pandas as pd
from pyspark.sql import DataFrame


class BatchFolders:
    """Writes batches for `foreachBatch`: what a batch has written before, it replaces."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, rows: DataFrame, batch: int) -> None:
        """Write all rows of one batch."""
        rows.write.mode("overwrite").parquet(str(self._folder / f"{batch:04d}"))


def read_batches(folder: Path) -> pd.DataFrame:
    """Return the rows of all batches. Raises ValueError if there is none."""
    return pd.concat(map(pd.read_parquet, data_files(folder)), ignore_index=True)


def data_files(folder: Path) -> list[Path]:
    """Return all data files, by batch."""
    return sorted(folder.glob("[0-9]*/part-*.parquet"))
