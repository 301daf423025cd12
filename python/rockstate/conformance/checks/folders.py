"""Where a store's files are."""

from __future__ import annotations

from rockstate.conformance.calls.outcomes import Version, Violation
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, SNAPSHOTS, commit, expect_version
from rockstate.conformance.lab.executor import Executor
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


def _open(lab: Lab, folder: str) -> Executor:
    return lab.open("here", place=("default", 0, 0, folder), conf=SNAPSHOTS)
