"""The numbered rules: what a state store provider has to hold to, and why."""

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
    "read-store-upgrade": "a read store can become a transaction",
}


_RULES = (
    Rule(
        "R01",
        "transactions",
        "atomic commit",
        "a version holds everything its transaction wrote, and nothing of a transaction that was aborted",
        "half a batch counted is a wrong result for ever",
    ),
    Rule(
        "R02",
        "transactions",
        "isolation",
        "what is not committed is seen by no other executor and by no later transaction",
        "a failed attempt would leak into the results",
    ),
    Rule(
        "R03",
        "transactions",
        "durability",
        "what a commit returned can be loaded by an executor that never saw it, its local disk empty",
        "executors and their disks are lost every day",
    ),
    Rule(
        "R04",
        "transactions",
        "abort",
        "an aborted transaction changes nothing: the executor's next transaction starts from its base",
        "tasks abort whenever a query fails or is stopped",
    ),
    Rule(
        "R05",
        "transactions",
        "abort again",
        "abort can be called twice, and on a store that has failed, without harm",
        "Spark aborts on task completion whatever came before",
    ),
    Rule(
        "R06",
        "transactions",
        "use after commit is refused",
        "writing to a store, or committing it, after its commit throws",
        "a late write would be lost without a word",
    ),
    Rule(
        "R07",
        "transactions",
        "use after abort is refused",
        "writing to a store, or committing it, after its abort throws",
        "an aborted attempt that commits is a zombie",
    ),
    Rule(
        "R08",
        "transactions",
        "hasCommitted",
        "hasCommitted is true after a commit and false before it and after an abort",
        "Spark decides by it whether to abort",
    ),
    Rule(
        "R09",
        "versions",
        "version numbers",
        "a commit on version n makes version n + 1, and a store tells the version it was loaded from",
        "Spark asks for versions by number",
    ),
    Rule(
        "R10",
        "versions",
        "every retained version",
        "each retained version loads exactly its own content, whatever was committed after it",
        "a restarted query goes back to an older version",
    ),
    Rule(
        "R11",
        "versions",
        "missing version is refused",
        "a version that is not there cannot be loaded; no older or empty one is taken in its place",
        "falling back in silence loses state",
    ),
    Rule(
        "R12",
        "versions",
        "empty start",
        "version 0, and a load told to be empty, hold nothing",
        "a query's first batch starts from nothing",
    ),
    Rule(
        "R13",
        "versions",
        "another executor went on",
        "an executor that comes back after others committed continues from their version, not from its own old state",
        "partitions move between executors and back",
    ),
    Rule(
        "R14",
        "versions",
        "separate stores",
        "stores that differ in name or partition share nothing",
        "a stream-stream join keeps four stores per partition",
    ),
    Rule(
        "R15",
        "reading",
        "read your writes: get",
        "get and contains see the transaction's own puts and removes at once",
        "operators read what they just wrote",
    ),
    Rule(
        "R16",
        "reading",
        "read your writes: scan",
        "a scan sees the transaction's own puts and removes at once",
        "expired rows would come back",
    ),
    Rule(
        "R17",
        "reading",
        "complete scan",
        "a scan gives every key once, with its value, and nothing else",
        "a row given twice is counted twice",
    ),
    Rule(
        "R18",
        "reading",
        "prefix scan",
        "a prefix scan gives exactly the prefix's rows, the transaction's own writes included",
        "session windows and joins read by prefix",
        frozenset({"prefix-scan"}),
    ),
    Rule(
        "R19",
        "reading",
        "range scan",
        "a range scan gives exactly the rows within its bounds, in key order, the transaction's own writes included",
        "timers and eviction rely on the order",
        frozenset({"range-scan"}),
    ),
    Rule(
        "R20",
        "reading",
        "any row",
        "any key and value comes back as it was: null columns, empty and long text, any character, extreme numbers",
        "state rows come from users' data",
    ),
    Rule(
        "R21",
        "reading",
        "many keys at once",
        "multiGet answers what get answers for each key, in the keys' order",
        "it is only a faster get",
        frozenset({"multi-get"}),
    ),
    Rule(
        "R22",
        "reading",
        "iterator while updating",
        "an iterator that is open while its store is written gives no key twice, invents none and does not fail",
        "operators remove rows while they iterate",
    ),
    Rule(
        "R23",
        "writing",
        "rows are copied",
        "a row that the caller reuses after put, merge or remove does not change what was written",
        "Spark's operators reuse one row buffer",
    ),
    Rule(
        "R24",
        "writing",
        "overwrite and remove",
        "the last write of a key counts; removing an absent key changes nothing",
        "updates are most of what operators do",
    ),
    Rule(
        "R25",
        "writing",
        "delete range",
        "deleteRange removes exactly the keys within its bounds",
        "clean-up of old timers uses it",
        frozenset({"delete-range"}),
    ),
    Rule(
        "R26",
        "multiple values",
        "all values of a key",
        "putList replaces a key's values, merge and mergeList add to them; order and duplicates are kept",
        "stream-stream joins and list state keep several values",
        frozenset({"multiple-values"}),
    ),
    Rule(
        "R27",
        "multiple values",
        "scans of multiple values",
        "each scan of a family with multiple values gives every value of every key once",
        "a join would lose or double rows",
        frozenset({"multiple-values"}),
    ),
    Rule(
        "R28",
        "families",
        "families are apart",
        "column families share no keys, and a scan gives one family's rows only",
        "transformWithState keeps each variable in its own",
        frozenset({"column-families"}),
    ),
    Rule(
        "R29",
        "families",
        "families last",
        "families are listed, kept by versions, and survive a restart; an unknown one is refused",
        "a restarted query must find its variables",
        frozenset({"column-families"}),
    ),
    Rule(
        "R30",
        "families",
        "removed family",
        "a removed family is gone with its rows; created anew it is empty",
        "old rows would come back from the dead",
        frozenset({"column-families"}),
    ),
    Rule(
        "R31",
        "read stores",
        "read-only",
        "a read store gives its version's rows and makes no version",
        "operators that read and write open both",
    ),
    Rule(
        "R32",
        "read stores",
        "upgrade",
        "a read store that is upgraded goes on as a transaction on the same version",
        "Spark 4.2 loads each version once",
        frozenset({"read-store-upgrade"}),
    ),
    Rule(
        "R33",
        "metrics",
        "numKeys is exact",
        "the number of keys is right at every commit, over overwrites, removes and restarts",
        "users and Spark's own checks read it",
    ),
    Rule(
        "R34",
        "metrics",
        "metrics are declared",
        "every custom metric that a store reports is declared, and each value is a finite number, 0 or more",
        "Spark drops or fails on undeclared names",
    ),
    Rule(
        "R35",
        "attempts",
        "ids are unique",
        "every commit of a version has its own checkpoint id, which says what it was built on",
        "ids are what tells attempts apart",
        frozenset({"checkpoint-ids"}),
    ),
    Rule(
        "R36",
        "attempts",
        "load by id",
        "loading a version by id gives exactly that attempt, whichever was committed last",
        "the query's log names the attempt that counts",
        frozenset({"checkpoint-ids"}),
    ),
    Rule(
        "R37",
        "attempts",
        "two attempts",
        "of two attempts of one version what is loaded is one of them, whole",
        "speculative and retried tasks commit the same version",
    ),
    Rule(
        "R38",
        "attempts",
        "zombie",
        "an attempt that commits late damages no version that others have built since",
        "a task presumed dead may be only slow",
    ),
    Rule(
        "R39",
        "feeds",
        "change feed",
        "the change feed of a range of versions, applied to the version before, gives the last one",
        "the state data source reads it",
        frozenset({"change-feed"}),
    ),
    Rule(
        "R40",
        "feeds",
        "replay",
        "a version replayed from a snapshot equals the version loaded",
        "the state data source reconstructs versions",
        frozenset({"snapshot-replay"}),
    ),
    Rule(
        "R41",
        "maintenance",
        "maintenance changes no content",
        "maintenance at any moment, also in the middle of a transaction, changes nothing that can be read",
        "it runs in the background of every executor",
    ),
    Rule(
        "R42",
        "maintenance",
        "retained versions stay",
        "after maintenance the last minVersionsToRetain versions load, on an empty disk as well",
        "a file deleted too early is state lost",
    ),
    Rule(
        "R43",
        "maintenance",
        "old files go",
        "files of versions beyond the retained ones are deleted in the end",
        "a checkpoint would grow for ever",
    ),
    Rule(
        "R44",
        "damage",
        "truncated file",
        "a file cut short is detected, or does not matter: never a wrong answer",
        "storage can lose the end of a file",
    ),
    Rule(
        "R45",
        "damage",
        "flipped bit",
        "a flipped bit is detected, or does not matter: never a wrong answer",
        "disks and networks flip bits",
    ),
    Rule(
        "R46",
        "damage",
        "deleted file",
        "a missing file is detected, or does not matter: never a wrong answer",
        "people and lifecycle rules delete files",
    ),
    Rule(
        "R47",
        "crashes",
        "crash in a commit",
        "after a stop at any storage operation of a commit, the old version is whole, the new one whole or absent",
        "executors are killed at any moment",
    ),
    Rule(
        "R48",
        "crashes",
        "crash in maintenance",
        "after a stop at any storage operation of maintenance every retained version loads",
        "executors are killed at any moment",
    ),
    Rule(
        "R49",
        "failures",
        "failed write",
        "a storage write that fails once fails the commit or does no harm; the batch can be done again",
        "storage has bad moments",
    ),
    Rule(
        "R50",
        "failures",
        "failed read",
        "a storage read that fails once fails the load or does no harm; loading again works",
        "storage has bad moments",
    ),
    Rule(
        "R51",
        "histories",
        "any history",
        "after any history of calls, restarts and maintenance each version equals a plain dictionary's",
        "what no one thought of",
    ),
    Rule(
        "R52",
        "histories",
        "any answer in time",
        "no call hangs",
        "a hanging task stops the whole query",
    ),
    Rule(
        "R53",
        "versions",
        "another history",
        "a batch that is run again, on the last version or from an older one, replaces what stood there before",
        "a restarted query repeats its last batch; an operator goes back to an older one",
    ),
)

RULES: dict[str, Rule] = {rule.id: rule for rule in _RULES}
