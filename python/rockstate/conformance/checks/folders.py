"""Where a store's files are."""

from __future__ import annotations

from rockstate.conformance.calls.outcomes import NotApplicable, Version, Violation
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, SNAPSHOTS, commit, expect_version
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.kinds import Place
from rockstate.conformance.lab.lab import Lab

FOLDERS = ("my checkpoint", "my%20checkpoint", "100% of it", "a+b", "%41", "A", "tags=[1, 2] & more", "Köln 日本")


@check("R56")
def a_checkpoints_folder_may_have_any_name(lab: Lab) -> None:
    made: dict[str, Version] = {}
    folders = FOLDERS[: lab.effort.at_most(len(FOLDERS), least=3)]
    for folder in folders:
        executor = _open(lab, folder)
        one = commit(lab, executor, EMPTY, {"a": folder})
        made[folder] = commit(lab, executor, one, {"b": folder})
        executor.maintain()
    for folder, version in made.items():
        expect_version(_open(lab, folder), version, {"a": folder, "b": folder}, f"in the folder {folder!r}")
    files = [*lab.files()]
    astray = [path for path in files if not path.startswith(tuple(f"{folder}/state/" for folder in folders))]
    if astray:
        raise Violation(f"Files of a store are not in the folder of its checkpoint: {', '.join(astray[:3])}")
    bare = [folder for folder in folders if not any(path.startswith(f"{folder}/state/") for path in files)]
    if files and bare:
        raise Violation(f"There are no files in the folders {bare}, but in others")


@check("R56")
def each_store_has_a_folder_of_its_own(lab: Lab) -> None:
    """Operator, partition and name, as `StateStoreId` says: the state data source looks for partitions there."""
    places: dict[str, Place] = {
        "state/0/0": ("default", 0),
        "state/0/11": ("default", 11),
        "state/3/0": ("default", 0, 3),
        "state/0/0/left": ("left", 0),
    }
    for place in places.values():
        executor = lab.open("here", place=place, conf=SNAPSHOTS)
        commit(lab, executor, commit(lab, executor, EMPTY), {"a": "1"})
        executor.maintain()
    files = [*lab.files()]
    if not files:
        raise NotApplicable("The provider keeps no files")
    for folder in places:
        if not any(path.startswith(f"{folder}/") for path in files):
            raise Violation(f"There is no file of a store in its folder {folder}; there are {', '.join(files[:5])}")


@check("R56")
def a_checkpoint_can_be_copied_to_another_place(lab: Lab) -> None:
    """To another storage, and another folder there, as for a test of a new version; where it was, it is no more."""
    executor = lab.open(conf=SNAPSHOTS)
    versions, rows = [EMPTY], [dict[str, str]()]
    for i in (1, 2, 3):
        versions.append(commit(lab, executor, versions[-1], {f"row{i}": str(i), "counter": str(i)}))
        rows.append({**rows[-1], f"row{i}": str(i), "counter": str(i)})
        if i == 2:
            executor.maintain()
    executor.close()
    copy = lab.fresh()
    for path in _copied(lab, copy, "copy"):
        lab.delete(path)
    for version, wanted in zip(versions, rows, strict=True):
        expect_version(_open(copy, "copy"), version, wanted, "of a checkpoint that was copied")
    four = commit(copy, _open(copy, "copy"), versions[-1], {"row4": "4"})
    expect_version(_open(copy, "copy"), four, {**rows[-1], "row4": "4"}, "committed to a checkpoint that was copied")


def _copied(lab: Lab, copy: Lab, folder: str) -> list[str]:
    """The files of a lab, each of which is copied into a folder of another."""
    paths = [*lab.files()]
    if not paths:
        raise NotApplicable("The provider keeps no files")
    for path in paths:
        copy.create(f"{folder}/{path}")
        copy.write(f"{folder}/{path}", lab.read(path))
    return paths


def _open(lab: Lab, folder: str) -> Executor:
    return lab.open("here", place=("default", 0, 0, folder), conf=SNAPSHOTS)
