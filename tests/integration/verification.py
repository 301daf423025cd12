"""What tests of `verify` share."""

from __future__ import annotations

import shutil
from pathlib import Path

from rockstate import Checkpoint
from rockstate.inspection.findings import Problem
from rockstate.inspection.summary import Summary

FORMAT = "spark.sql.streaming.stateStore.checkpointFormatVersion"
DOES_NOT_START = "does not start"


def remove(checkpoint: Path, name: str) -> None:
    """Removes a file with its checksum file, or a folder."""
    path = checkpoint / name
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
        path.with_name(f".{path.name}.crc").unlink(missing_ok=True)


def found(summary: Summary) -> dict[str, Problem]:
    """Every problem by its file, relative to the checkpoint."""
    return {problem.file.removeprefix(f"{summary.location}/"): problem for problem in summary.problems}


def verified(checkpoint: Path) -> dict[str, Problem]:
    """What `verify` finds wrong; fails if it calls the checkpoint sound."""
    summary = Checkpoint(checkpoint).verify()
    assert not summary.is_sound
    problems = found(summary)
    assert all(problem.problem and problem.remedy for problem in problems.values())
    return problems


def is_sound(checkpoint: Path | str) -> Summary:
    """Fails unless both `inspect` and `verify` find nothing wrong."""
    for summary in (Checkpoint(checkpoint).inspect(), Checkpoint(checkpoint).verify()):
        assert found(summary) == {}
        assert summary.is_sound
    return summary


def is_sound_copy(checkpoint: Path) -> None:
    """Fails unless `verify` finds no more than that a copy names the schema files of the checkpoint it was made of."""
    problems = found(Checkpoint(checkpoint).verify())
    assert [each.problem for each in problems.values() if "which is another checkpoint's" not in each.problem] == []
