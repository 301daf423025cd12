"""Of all that is wrong with a checkpoint, what came first and what follows from it."""

from __future__ import annotations

import dataclasses

import pytest
from tests.unit.test_inspection import html, shown, store, summary

from rockstate.inspection.findings import Problem
from rockstate.inspection.roots import roots_of, verdict

ID = "0123abcd-0000-4000-8000-00000000000"


def name(version: int) -> str:
    return f"{version}_{ID}{version}.delta"


def goes_on(version: int) -> Problem:
    said = f"It goes on from commit {ID}{version - 1} of version {version - 1}, which cannot be loaded"
    return Problem(name(version), version, said, "Restore that version's delta from a backup.")


def damaged(version: int) -> Problem:
    return Problem(name(version), version, "The file is damaged", "Restore the file.")


NO_RESTART = Problem(
    "6.delta",
    6,
    "The query's last committed batch is 5, and its version 6 cannot be loaded: the query cannot restart",
    "Restore the files of that version.",
)
NO_WAY_BACK = Problem(
    "3.delta",
    3,
    "The query cannot go back to batch 2-4, which its logs still have: version 3-5 cannot be loaded",
    "Restore the files of these versions.",
)
FLIPPED = store(3, problems=(damaged(2), *map(goes_on, (3, 4, 5)), NO_RESTART, goes_on(6)), loadable=((1, 1),))
DELETED = store(5, problems=(NO_WAY_BACK, *map(goes_on, (4, 5)), NO_RESTART, goes_on(6)), loadable=((1, 2),))


def test_one_damaged_file_is_one_problem_and_what_follows_is_a_line() -> None:
    (root,) = roots_of(summary(FLIPPED))
    assert root.uri == f"{FLIPPED.location}/{name(2)}"
    assert root.problem == damaged(2)
    assert len(root.follows) == 5
    assert root.consequences == "Therefore 4 files after it cannot be loaded either, and the query cannot restart."


def test_a_deleted_file_is_named_as_it_was() -> None:
    (root,) = roots_of(summary(DELETED))
    assert root.uri == f"{DELETED.location}/{name(3)}"
    assert root.problem.problem == "The file is not there"
    assert root.consequences == (
        "Therefore 3 files after it cannot be loaded either, the query cannot restart,"
        " and the query cannot go back to batch 2-4."
    )


def test_without_attempts_in_names_the_deleted_file_has_none() -> None:
    plain = Problem("4.delta", 4, goes_on(4).problem, "Restore it.")
    (root,) = roots_of(summary(store(0, problems=(plain,), loadable=((1, 2),))))
    assert root.uri.endswith("/3.delta")


def test_what_follows_from_nothing_is_a_problem_of_its_own() -> None:
    (root,) = roots_of(summary(store(0, problems=(NO_RESTART,), loadable=((1, 2),))))
    assert (root.uri, root.problem, root.follows) == ("file:/checkpoint/state/0/0", NO_RESTART, ())
    of_another_attempt = store(0, problems=(goes_on(4),), loadable=((1, 3),))
    (root,) = roots_of(summary(of_another_attempt))
    assert root.problem == goes_on(4)


def test_each_of_two_damaged_files_has_its_own_consequences() -> None:
    both = store(0, problems=(damaged(2), goes_on(3), damaged(4), goes_on(5), goes_on(6)), loadable=((1, 1),))
    assert [(root.problem.version, len(root.follows)) for root in roots_of(summary(both))] == [(2, 1), (4, 2)]


def test_what_keeps_the_query_from_starting_comes_first_and_follows_from_no_way_back() -> None:
    gone = store(1, problems=(NO_RESTART, NO_WAY_BACK), loadable=())
    others = [store(n, problems=(damaged(2),)) for n in (0, 2)]
    first, *rest = roots_of(summary(others[0], gone, others[1]))
    assert (first.problem, first.follows, first.stops_restart) == (NO_RESTART, (), True)
    assert [root.problem for root in rest] == [damaged(2), NO_WAY_BACK, damaged(2)]


def test_where_no_snapshot_is_sound_that_is_why_a_delta_cannot_be_loaded() -> None:
    table = Problem("sst/1.sst", None, "It has other bytes", "Restore it.")
    (root,) = roots_of(summary(store(0, problems=(table, goes_on(5), goes_on(6), NO_RESTART), loadable=())))
    assert root.problem == table and root.stops_restart
    assert root.consequences == "Therefore 2 files after it cannot be loaded either, and the query cannot restart."


def test_whether_the_query_can_restart_is_told_once_all_was_read() -> None:
    sound, harmless = store(0), store(1, problems=(damaged(2),))
    assert summary(sound).can_restart is True
    assert verdict(summary(sound, harmless)) == "There is 1 problem. The query can restart all the same."
    assert summary(sound, harmless).to_dict()["can_restart"] is True
    unread = dataclasses.replace(harmless, verified=False)
    assert summary(sound, unread).can_restart is None
    assert verdict(summary(sound, unread)) == "There is 1 problem."
    assert summary(sound, FLIPPED).can_restart is False
    lost = Problem("metadata", None, "The file is not there: the query does not start", "Restore it.")
    both = dataclasses.replace(summary(sound, harmless), query_problems=(lost,))
    assert both.can_restart is False
    assert [problem.file for problem in both.problems] == [
        f"{both.location}/metadata",
        f"{harmless.location}/{damaged(2).file}",
    ]


def test_the_terminal_and_the_page_show_roots_first(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: object
) -> None:
    found = summary(FLIPPED, DELETED)
    assert verdict(found) == "There are 2 problems, and 10 that follow. The query cannot restart as it is."
    brief = shown(monkeypatch, capsys, found)
    assert name(2) in brief and f"5/{name(3)}" in brief and "It goes on from" not in brief
    assert brief.endswith("There are 2 problems, and 10 that follow. The query cannot restart as it is.\n")
    assert shown(monkeypatch, capsys, found, "--all").count("It goes on from") == 7
    text, page = html(found, tmp_path)  # type: ignore[arg-type]
    assert page.text.count("Therefore") == 2
    assert "It goes on from" not in text


def test_on_a_terminal_sentences_wrap_at_its_width(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    sentences = [line for line in shown(monkeypatch, capsys, summary(DELETED)).splitlines() if line.startswith("  ")]
    assert max(map(len, sentences)) <= 80
    assert sentences[-1].rstrip() == "  and the query cannot go back to batch 2-4."
