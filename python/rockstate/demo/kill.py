"""The kill half-way: when it happens, and what it interrupted."""

from dataclasses import dataclass

from rockstate.demo.launch import Application
from rockstate.demo.places import Places
from rockstate.demo.queries import QUERIES


@dataclass(frozen=True)
class Kill:
    """What was killed, after how many batches, and the batches that were under way, by query."""

    processes: int
    batches_done: int
    cut_off: dict[str, int]


def kill_application(application: Application, places: Places, batches_done: int) -> Kill:
    """Kill the application's processes with SIGKILL, wait until they are dead, and look at what they left."""
    processes = application.kill()
    return Kill(len(processes), batches_done, cut_off_batches(places))


def cut_off_batches(places: Places) -> dict[str, int]:
    """Return, by query, the batch that was planned (in the offset log) but has not committed, where there is one."""
    cut_off = {}
    for query in QUERIES:
        planned, committed = (set(places.logged(query.name, log)) for log in ("offsets", "commits"))
        if planned - committed:
            cut_off[query.name] = max(planned - committed)
    return cut_off
