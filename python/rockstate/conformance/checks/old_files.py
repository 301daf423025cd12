"""Files that nobody needs any more, of old versions, aborts and attempts that lost, are deleted in the end."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rockstate.conformance.calls.outcomes import Violation
from rockstate.conformance.checks.maintenance import CONF, RETAINED, History
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import key
from rockstate.conformance.lab.lab import Lab

PERIOD = 25
"""Versions in which the most files are counted: clean-up may delete them many at a time."""
SHORT = 18
"""The same where each version leaves a file that is not needed."""
GROWTH = 3
"""How many files more so many versions may leave: less than one of each eight."""
FOLDER = "tags=[1, 2] {a}"
OTHERS = ("README", "_SUCCESS", "copy of 3")
LONG = "x" * 300_000
"""A text that a store may write to its file before the commit."""


@check("R43")
def old_files_are_deleted_in_the_end(lab: Lab) -> None:
    history = History(lab, lab.open(conf=CONF))
    _expect_no_more(lab, history.go_on, history, PERIOD)


@check("R43")
def files_of_aborts_are_deleted_in_the_end(lab: Lab) -> None:
    history = History(lab, lab.open(conf=CONF))

    def aborted_first() -> None:
        store = history.executor.begin(history.versions[-1])
        store.put(key("aborted"), [LONG if history.versions[-1].version % 2 else "text", 1])
        store.abort()
        history.go_on()

    _expect_no_more(lab, aborted_first, history, SHORT)


@check("R43", needs={"read-store-upgrade"})
def old_files_are_deleted_though_stores_were_left_open(lab: Lab) -> None:
    """Nobody releases a read store that has been upgraded, and a scan may end before its rows do."""
    history = History(lab, lab.open(conf=CONF))
    _expect_no_more(lab, partial(history.go_on, upgraded=True), history, SHORT)


@check("R43", needs={"checkpoint-ids"})
def files_of_attempts_that_lost_are_deleted_in_the_end(lab: Lab) -> None:
    """Each has files of its own."""
    history = History(lab, lab.open(conf=CONF))
    second = lab.open("second", conf=CONF)

    def twice() -> None:
        store = second.begin(history.versions[-1])
        store.put(key("lost"), ["text", 1])
        store.commit()
        history.go_on()

    _expect_no_more(lab, twice, history, SHORT)


@check("R43")
def old_files_are_deleted_though_maintenance_comes_seldom(lab: Lab) -> None:
    """Batches may be much shorter than a minute, which is how often Spark asks for it."""
    history = History(lab, lab.open(conf=CONF))

    def five() -> None:
        for _ in range(5):
            history.go_on()

    _expect_no_more(lab, five, history, SHORT)


@check("R43")
def old_files_are_deleted_in_a_folder_of_any_name(lab: Lab) -> None:
    """Names that look like a pattern are those of Hive's partitions, and of people."""
    history = History(lab, lab.open(conf=CONF, place=("default", 0, 0, FOLDER)))
    _expect_no_more(lab, history.go_on, history, SHORT)


@check("R43")
def old_files_are_deleted_beside_files_of_others(lab: Lab) -> None:
    history = History(lab, lab.open(conf=CONF))
    history.go_on()
    for name in OTHERS:
        lab.create(f"{history.folder}/{name}")
    _expect_no_more(lab, history.go_on, history, SHORT)


@check("R43")
def old_files_are_deleted_where_each_batch_has_an_instance_of_its_own(lab: Lab) -> None:
    """With `unloadOnCommit` Spark has each task maintain and close its instance once it has ended."""
    history = History(lab, lab.open(conf=CONF))

    def on_its_own() -> None:
        history.executor = lab.open("of a batch", conf=CONF)
        history.executor.begin_task()
        history.go_on(unload=True)
        history.executor.end_task()
        history.executor.close()

    _expect_no_more(lab, on_its_own, history, SHORT, is_maintained=True)
    history.expect(lab.open("fresh", conf=CONF), len(history.versions) - 1, "made by an instance for each batch")


def _expect_no_more(
    lab: Lab, go_on: Callable[[], None], history: History, period: int, *, is_maintained: bool = False
) -> None:
    """Batches, with maintenance after each, leave no more files in a period than in the one before."""
    counts: list[int] = []
    period = lab.effort.at_most(period, least=12)
    for _ in range(3 * period):
        go_on()
        if not is_maintained:
            history.executor.maintain()
        counts.append(len(lab.files()))
    most = [max(counts[i : i + period]) for i in (period, 2 * period)]
    if most[1] > most[0] + GROWTH:
        raise Violation(
            f"With {RETAINED} versions retained there are ever more files: {most[0]} at most while {period} versions "
            f"were made, and {most[1]} while the next {period} were"
        )
