"""Reads of the storage that fail, break off, or give less than was asked for: what is loaded is right, or refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from rockstate.conformance.calls.answers import Calls
from rockstate.conformance.calls.expectations import expect
from rockstate.conformance.calls.outcomes import NotApplicable, StoreError
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, commit, expect_version, expect_version_or_error
from rockstate.conformance.checks.scene import CONF, Scene, points
from rockstate.conformance.lab.lab import FaultMode, Lab

IN_MAINTENANCE = 8
"""At how many reads of each kind maintenance fails at most."""


@check("R50")
def a_read_that_fails_once_fails_the_load_or_does_no_harm(lab: Lab) -> None:
    for at in points(lab, _calls_of_a_load(lab.fresh()).opens):
        _fail_in_a_load(lab.fresh(), at, "fail_read_once")


@check("R50")
def a_read_that_breaks_off_fails_the_load_or_does_no_harm(lab: Lab) -> None:
    """A connection is lost in the middle of a file: what was read until then is not all there is."""
    for at in points(lab, _calls_of_a_load(lab.fresh()).opens):
        _fail_in_a_load(lab.fresh(), at, "fail_read_midway")


@check("R50")
def a_listing_or_status_that_fails_once_fails_the_load_or_does_no_harm(lab: Lab) -> None:
    """Files that cannot be asked for are not absent, and a folder that cannot be listed is not empty."""
    for at in points(lab, _calls_of_a_load(lab.fresh()).looks):
        _fail_in_a_load(lab.fresh(), at, "fail_look_once")


@check("R50")
def a_read_that_fails_once_costs_no_version(lab: Lab) -> None:
    """Of an older version, too, and whoever loads it next: a file that could not be read is not damaged."""
    scene = Scene(lab, batches=6)
    scene.executor.maintain()
    for at in points(lab, 8):
        reader = lab.open("reader", conf=CONF)
        lab.fault(at, "fail_read_once")
        with suppress(StoreError):
            reader.begin_read(scene.versions[-2]).release()
        lab.heal()
        reader.close()
        fresh = lab.open("fresh", conf=CONF)
        scene.expect_retained(fresh, f"after a read of {scene.versions[-2]} in which storage call {at} failed")
        fresh.close()


@check("R50")
def reads_that_fail_once_in_maintenance_do_no_harm(lab: Lab) -> None:
    """What is needed yet is not deleted because it could not be read which files are."""
    for at, mode in _faults_in_maintenance(lab, lab.fresh()):
        fresh = lab.fresh()
        scene = Scene(fresh, batches=6)
        fresh.fault(at, mode)
        with suppress(StoreError):
            scene.executor.maintain()
        fresh.heal()
        what = f"after maintenance in which storage call {at} failed ({mode})"
        scene.expect_retained(fresh.open("fresh", conf=CONF), what)
        scene.go_on()
        scene.executor.maintain()
        scene.expect_retained(fresh.open("later", conf=CONF), f"a batch later, {what}")
        fresh.close()


@check("R50")
def files_that_were_read_are_closed(lab: Lab) -> None:
    """Also where a read of them failed: connections of a storage, and handles of a process, are few."""
    scene = Scene(lab, batches=6)
    reader = lab.open("reader", conf=CONF)
    scene.expect_newest(reader, "loaded without failures")
    for at in range(1, 4):
        lab.fault(at, "fail_read_midway")
        again = lab.open("again", conf=CONF)
        expect_version_or_error(again, scene.newest, scene.rows[-1], f"while read {at} broke off")
        lab.heal()
        again.close()
    scene.executor.maintain()
    for executor in (scene.executor, reader):
        executor.close()
    expect(lab.calls().open_inputs, 0, "The files left open by loads, failed loads and maintenance")


@check("R57")
def files_are_read_whole_in_however_many_reads(lab: Lab) -> None:
    """The storage gives fewer bytes than it is asked for in every second read."""
    executor = lab.open(conf=CONF)
    version, rows = EMPTY, dict[str, str]()
    for i in range(lab.effort.at_most(32) // 2):
        version = commit(lab, executor, version, {f"row{i}": f"{i}." * (i * i * 97), "counter": str(i)})
        rows |= {f"row{i}": f"{i}." * (i * i * 97), "counter": str(i)}
        if i % 3 == 2:
            executor.maintain()
        expect_version(lab.open("fresh", conf=CONF), version, rows, "read in short reads")


def _calls_of_a_load(lab: Lab) -> Calls:
    """The storage calls of a load of the newest version by an executor with an empty disk."""
    scene = Scene(lab, batches=5)
    reader = lab.open("reader", conf=CONF)
    lab.calls()
    scene.expect_newest(reader, "loaded without failures")
    calls = lab.calls()
    lab.close()
    if not calls.opens:
        raise NotApplicable("Loading a version reads nothing from the storage")
    return calls


def _fail_in_a_load(lab: Lab, at: int, mode: FaultMode) -> None:
    scene = Scene(lab, batches=5)
    reader = lab.open("reader", conf=CONF)
    lab.fault(at, mode)
    expect_version_or_error(reader, scene.newest, scene.rows[-1], f"while storage call {at} failed ({mode})")
    lab.heal()
    scene.expect_newest(reader, "loaded again after a read failed")
    scene.executor = reader
    scene.go_on()
    scene.expect_newest(lab.open("last", conf=CONF), "committed after a read failed")
    lab.close()


def _faults_in_maintenance(lab: Lab, scratch: Lab) -> Iterator[tuple[int, FaultMode]]:
    """Which of the reads that maintenance makes is to fail, and how."""
    scene = Scene(scratch, batches=6)
    scratch.calls()
    scene.executor.maintain()
    calls = scratch.calls()
    scratch.close()
    if not calls.opens and not calls.looks:
        raise NotApplicable("Maintenance reads nothing from the storage")
    yield from ((at, "fail_look_once") for at in points(lab, calls.looks, IN_MAINTENANCE))
    yield from ((at, "fail_read_once") for at in points(lab, calls.opens, IN_MAINTENANCE))
    yield from ((at, "fail_read_midway") for at in points(lab, calls.opens, IN_MAINTENANCE))
