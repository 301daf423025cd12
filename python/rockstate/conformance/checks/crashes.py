"""Crashes and failures: the storage stops, or fails once, at each of its operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from rockstate.conformance.calls.expectations import expect
from rockstate.conformance.calls.outcomes import NotApplicable, StoreError, Timeout, Version, Violation
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, SELDOM, expect_version, expect_version_or_error, key, value, write
from rockstate.conformance.checks.scene import CONF, RETAINED, Scene, points
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import FaultMode, Lab
from rockstate.conformance.lab.store import Store


@check("R47")
def a_crash_in_a_commit_leaves_the_old_version_or_the_new(lab: Lab) -> None:
    for at, mode in crashes(lab, _operations_of_a_batch(lab.fresh())):
        _crash_in_a_batch(lab.fresh(), at, mode)


@check("R47")
def a_crash_in_a_second_attempt_leaves_the_version_of_the_first(lab: Lab) -> None:
    operations = _operations_of_a_second_attempt(lab.fresh())
    for at, mode in crashes(lab, operations):
        _crash_in_a_second_attempt(lab.fresh(), at, mode)


@check("R48")
def a_crash_in_maintenance_loses_no_version(lab: Lab) -> None:
    for at, mode in crashes(lab, _operations_of_maintenance(lab.fresh())):
        _crash_in_maintenance(lab.fresh(), at, mode)


@check("R48")
def a_file_that_a_crash_cut_off_is_nothing_to_go_on_from(lab: Lab) -> None:
    """Clean-up must not take it for a snapshot, and delete what it would stand in for."""
    for at, mode in crashes(lab, _operations_of_maintenance(lab.fresh())):
        if mode == "crash_torn":
            _crash_and_go_on_without_snapshots(lab.fresh(), at)


@check("R49")
def a_write_that_fails_once_fails_the_batch_or_does_no_harm(lab: Lab) -> None:
    for at in points(lab, len(_operations_of_a_batch(lab.fresh()))):
        _fail_in_a_batch(lab.fresh(), at)


@check("R49")
def a_write_that_fails_once_in_maintenance_does_no_harm(lab: Lab) -> None:
    for at in range(1, lab.effort.at_most(4) + 1):
        fresh = lab.fresh()
        scene = Scene(fresh, batches=6)
        fresh.fault(at, "fail_once")
        with suppress(StoreError):
            scene.executor.maintain()
        fresh.heal()
        what = f"after maintenance whose write {at} failed"
        scene.expect_retained(fresh.open("fresh", conf=CONF), what)
        for _ in range(3):
            scene.go_on()
            scene.executor.maintain()
        scene.expect_retained(fresh.open("later", conf=CONF), f"three batches {what}")
        fresh.close()


@check("R47", needs={"column-families", "multiple-values"})
def a_crash_in_a_commit_leaves_all_families_or_none(lab: Lab) -> None:
    """A variable's rows and those of its lists and indexes belong together."""
    scratch = lab.fresh()
    store = _begun_with_families(scratch.open(families=True))
    scratch.calls()
    store.commit()
    operations = scratch.calls().transcript
    scratch.close()
    for at, mode in crashes(lab, operations):
        _crash_with_families(lab.fresh(), at, mode)


def _begun_with_families(executor: Executor) -> Store:
    """A transaction that writes to each family, on a version that has rows in each."""
    base = _write_to_each(executor.begin(EMPTY), "1").commit()
    return _write_to_each(executor.begin(base), "2")


def _with_families(store: Store) -> Store:
    store.create_family("one")
    store.create_family("lists", multi=True)
    return store


def _write_to_each(store: Store, text: str) -> Store:
    _with_families(store)
    store.put(key("a"), value(text), family="one")
    store.merge(key("a"), value(text), family="lists")
    store.put(key("a"), value(text))
    return store


def _crash_with_families(lab: Lab, at: int, mode: FaultMode) -> None:
    store = _begun_with_families(lab.open(families=True))
    base = store.base
    committed: Version | None = None
    lab.fault(at, mode)
    with suppress(StoreError):
        committed = store.commit()
    lab.heal()
    what = f"after a crash at write {at} of a batch with families ({mode})"
    _expect_each(lab, base, "1", what)
    if committed is not None:
        _expect_each(lab, committed, "12", what)
    elif not lab.checkpoint_ids:
        with suppress(StoreError):
            _expect_each(lab, Version(base.version + 1), "12", what)
    lab.close()


def _expect_each(lab: Lab, version: Version, texts: str, what: str) -> None:
    store = _with_families(lab.open("reader", families=True).begin(version))
    expect(store.get(key("a")), value(texts[-1]), f"A row {what}")
    expect(store.get(key("a"), family="one"), value(texts[-1]), f"A row of a family {what}")
    wanted = [value(text) for text in texts]
    expect(store.values(key("a"), family="lists"), wanted, f"The values of a family {what}")
    store.abort()


def _crash_in_a_batch(lab: Lab, at: int, mode: FaultMode) -> None:
    scene = Scene(lab, batches=3)
    puts, removes, rows = scene.next_batch()
    what = f"after a crash at write {at} of a batch ({mode})"
    lab.fault(at, mode)
    committed = _try_batch(lab, scene, puts, removes)
    struck = lab.heal()
    fresh = lab.open("fresh", conf=CONF)
    scene.expect_newest(fresh, what)
    next_version = committed or Version(scene.newest.version + 1, None)
    if committed is not None:
        expect_version(lab.open("reader", conf=CONF), committed, rows, f"that was committed, {what}")
    elif not lab.checkpoint_ids:
        expect_version_or_error(lab.open("reader", conf=CONF), next_version, rows, what)
    if not struck:
        lab.close()
        return
    scene.executor = fresh
    scene.go_on()
    scene.expect_newest(lab.open("reader", conf=CONF), f"of the batch done again {what}")
    scene.executor.maintain()
    scene.go_on()
    scene.executor.maintain()
    scene.expect_retained(lab.open("last", conf=CONF), f"two batches {what}")
    lab.close()


def _operations_of_a_second_attempt(lab: Lab) -> list[str]:
    scene = Scene(lab, batches=3)
    second = scene.second_attempt()
    scene.go_on()
    lab.calls()
    with suppress(StoreError):
        second.commit()
    operations = lab.calls().transcript
    lab.close()
    if not operations:
        raise NotApplicable("A second attempt does not write to the storage")
    return operations


def _crash_in_a_second_attempt(lab: Lab, at: int, mode: FaultMode) -> None:
    scene = Scene(lab, batches=3)
    second = scene.second_attempt()
    scene.go_on()
    lab.fault(at, mode)
    with suppress(StoreError):
        second.commit()
    lab.heal()
    what = f"after a crash at write {at} of a second attempt with the same rows ({mode})"
    scene.expect_newest(lab.open("fresh", conf=CONF), what)
    scene.executor = lab.open("next", conf=CONF)
    scene.go_on()
    scene.expect_retained(lab.open("last", conf=CONF), f"a batch later, {what}")
    lab.close()


def _operations_of_maintenance(scratch: Lab) -> list[str]:
    scene = Scene(scratch, batches=7)
    scratch.calls()
    scene.executor.maintain()
    operations = scratch.calls().transcript
    scratch.close()
    if not operations:
        raise NotApplicable("Maintenance does not write to the storage")
    return operations


def _crashed_in_maintenance(lab: Lab, at: int, mode: FaultMode) -> Scene:
    scene = Scene(lab, batches=7)
    lab.fault(at, mode)
    with suppress(StoreError):
        scene.executor.maintain()
    lab.heal()
    return scene


def _crash_in_maintenance(lab: Lab, at: int, mode: FaultMode) -> None:
    scene = _crashed_in_maintenance(lab, at, mode)
    what = f"after a crash at write {at} of maintenance ({mode})"
    scene.expect_retained(lab.open("fresh", conf=CONF), what)
    scene.executor = lab.open("next", conf=CONF)
    for _ in range(2):
        scene.go_on()
        scene.executor.maintain()
    scene.expect_retained(lab.open("last", conf=CONF), f"two batches {what}")
    lab.close()


def _crash_and_go_on_without_snapshots(lab: Lab, at: int) -> None:
    scene = _crashed_in_maintenance(lab, at, "crash_torn")
    what = f"after a crash in write {at} of maintenance, and clean-up by another executor"
    conf = {**CONF, **SELDOM}
    scene.executor = lab.open("next", conf=conf)
    for _ in range(RETAINED + 2):
        scene.go_on()
        scene.executor.maintain()
        scene.expect_retained(lab.open("last", conf=conf), what)
    lab.close()


def _fail_in_a_batch(lab: Lab, at: int) -> None:
    scene = Scene(lab, batches=3)
    puts, removes, rows = scene.next_batch()
    what = f"after write {at} of a batch failed"
    lab.fault(at, "fail_once")
    committed = _try_batch(lab, scene, puts, removes)
    lab.heal()
    scene.expect_newest(lab.open("fresh", conf=CONF), what)
    if committed is None:
        scene.go_on()  # on the same executor, as a task that is tried again
    else:
        scene.versions.append(committed)
        scene.rows.append(rows)
    reader = lab.open("reader", conf=CONF)
    scene.expect_newest(reader, f"of that batch {what}")
    scene.go_on()
    scene.executor.maintain()
    scene.expect_retained(lab.open("last", conf=CONF), f"a batch later, {what}")
    lab.close()


def _try_batch(lab: Lab, scene: Scene, puts: dict[str, str], removes: list[str]) -> Version | None:
    return attempt(lab, lambda: scene.executor.begin(scene.newest), puts, removes)


def attempt(lab: Lab, begin: Callable[[], Store], puts: dict[str, str], removes: Sequence[str] = ()) -> Version | None:
    """The version of a batch; None where anything of it failed, and then it is aborted."""
    try:
        store = begin()
    except Timeout:
        raise
    except StoreError:
        return None
    try:
        write(lab, store, puts, removes)
        return store.commit()
    except Timeout:
        raise
    except StoreError:
        with suppress(StoreError):
            store.abort()
        return None


def _operations_of_a_batch(lab: Lab) -> list[str]:
    scene = Scene(lab, batches=3)
    puts, removes, _ = scene.next_batch()
    return operations_of(lab, lambda: _try_batch(lab, scene, puts, removes), "A batch")


def operations_of(lab: Lab, batch: Callable[[], Version | None], what: str) -> list[str]:
    """The mutating storage operations of a batch that meets no fault, after which the lab is closed."""
    lab.calls()
    committed = batch()
    operations = lab.calls().transcript
    lab.close()
    if committed is None:
        raise Violation(f"{what} without any fault was refused")
    if not operations:
        raise NotApplicable(f"{what} does not write to the storage")
    return operations


def crashes(lab: Lab, operations: list[str]) -> list[tuple[int, FaultMode]]:
    """Where and how to crash: before the first operation, after each, and in the middle of each file's close."""
    chosen: list[tuple[int, FaultMode]] = [(1, "crash_before")]
    for at in points(lab, len(operations)):
        if operations[at - 1].startswith("close "):
            chosen.append((at, "crash_torn"))
        chosen.append((at, "crash_after"))
    return chosen if not lab.effort.quick else [chosen[0], *_torn(chosen)[:1], chosen[-1]]


def _torn(all_crashes: list[tuple[int, FaultMode]]) -> list[tuple[int, FaultMode]]:
    return [crash for crash in all_crashes if crash[1] == "crash_torn"]
