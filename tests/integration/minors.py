"""What tests of queries leave out on the installed Spark minor, with the place in Spark that forces it."""

from __future__ import annotations

import pytest

from rockstate.launch.versions import SPARK_MINORS, is_since, spark_minor

MINOR = spark_minor()

needs_checkpoint_ids = pytest.mark.skipif(
    SPARK_MINORS[MINOR].checkpoint_format == 1,
    reason=f"Spark {MINOR} starts queries with checkpoint format 1: StatePartitionReader passes no ids",
)
"""A test of what checkpoint format 2 has and 1 has not, in the session's own format."""


def skip_before(since: str, reason: str) -> None:
    """Skips the test on a minor that is older than `since`."""
    if not is_since(MINOR, since):
        pytest.skip(f"Spark {MINOR}: {reason}")


def require_join_state_format(version: int) -> None:
    """Skips the test where no new query of ours joins in this state format."""
    if version > 2 and is_since(MINOR, "4.3"):
        pytest.skip(f"Spark {MINOR}: MicroBatchExecution.applyJoinStateConfigGuardrails sets format 2 for our provider")
    newest = 4 if is_since(MINOR, "4.2") else 3 if is_since(MINOR, "4.1") else 2
    if version > newest:
        pytest.skip(f"Spark {MINOR}: SQLConf.STREAMING_JOIN_STATE_FORMAT_VERSION ends with {newest}")
