"""What a numbered rule is, and the capabilities that some rules need."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """A numbered rule. `meaning` says what must hold, `matters` what goes wrong otherwise; `needs` are capabilities."""

    id: str
    area: str
    title: str
    meaning: str
    matters: str
    needs: frozenset[str] = frozenset()

    @property
    def number(self) -> int:
        """The number in `id`."""
        return int(self.id[1:])


CAPABILITIES: dict[str, str] = {
    "column-families": "several column families in one store",
    "prefix-scan": "scans by the first columns of the key",
    "range-scan": "scans in key order within bounds",
    "multiple-values": "several values of one key",
    "checkpoint-ids": "commits return ids (checkpoint format 2)",
    "change-feed": "the changes between versions can be read",
    "snapshot-replay": "a version can be made from a chosen snapshot",
    "multi-get": "several keys are read in one call",
    "delete-range": "all keys within bounds are removed in one call",
    "timestamp-keys": "keys with a timestamp (state format 4 of joins)",
    "read-store-upgrade": "a read store can become a transaction",
}
