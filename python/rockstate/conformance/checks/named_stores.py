"""Rules that are most often judged on a query's only store, judged on a named one with families, as joins have them.

Providers tend to have other code for those, or other files.
"""

from __future__ import annotations

from rockstate.conformance.checks import (
    any_thread,
    crashes,
    damage,
    failed_commits,
    failed_reads,
    feeds,
    long_lives,
    maintenance,
    old_files,
    versions,
    when_run_again,
)
from rockstate.conformance.checks.registry import CHECKS, CheckFunction, check
from rockstate.conformance.lab.lab import Lab

ORIGINALS: tuple[CheckFunction, ...] = (
    versions.a_version_that_was_never_committed_is_refused,
    versions.version_zero_stays_empty,
    versions.an_executor_that_fell_behind_catches_up,
    feeds.a_version_replayed_from_any_snapshot_is_the_same,
    maintenance.maintenance_in_the_middle_of_a_batch_changes_nothing,
    maintenance.retained_versions_stay,
    long_lives.maintenance_that_comes_only_in_the_middle_of_batches_changes_nothing,
    old_files.old_files_are_deleted_in_the_end,
    damage.a_missing_file_is_noticed,
    damage.a_missing_file_of_a_long_chain_is_noticed,
    crashes.a_crash_in_a_commit_leaves_the_old_version_or_the_new,
    crashes.a_write_that_fails_once_fails_the_batch_or_does_no_harm,
    failed_commits.a_failed_commit_is_seen_nowhere,
    failed_reads.a_read_that_fails_once_fails_the_load_or_does_no_harm,
    failed_reads.a_listing_or_status_that_fails_once_fails_the_load_or_does_no_harm,
    when_run_again.a_batch_run_again_on_the_same_keys_has_its_own_values,
    any_thread.a_store_answers_whichever_thread_calls,
)
PLACE = ("left-keyToNumValues", 3)

BITS = 16


@check("R45")
def a_flipped_bit_is_noticed_of_a_named_store(lab: Lab) -> None:
    _open_named(lab)
    damage.flip_bits(lab, BITS)


def _of_a_named_store(original: CheckFunction) -> CheckFunction:
    def run(lab: Lab) -> None:
        _open_named(lab)
        original(lab)

    run.__name__ = f"{original.__name__}_of_a_named_store"
    run.__doc__ = original.__doc__
    return run


def _open_named(lab: Lab) -> None:
    lab.open_all_as(place=PLACE, families="column-families" in lab.capabilities)


for known in [each for each in CHECKS if each.run in ORIGINALS]:
    check(known.rule.id, known.needs)(_of_a_named_store(known.run))
