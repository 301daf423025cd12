"""What Spark reports of every batch's state: kept, read again and drawn. Importing this does not import PySpark."""

from rockstate.progress.batches import BatchState

__all__ = ["BatchState"]
