"""The faults that show in a store's longer life, and the checks that find out about them."""

from __future__ import annotations

CAUGHT_BY_LIVES = {
    "AbortsAtTheEndOfEveryTask": "the_end_of_a_task_that_has_committed_is_quiet",
    "CloseLeavesALocalFile": "instances_that_are_closed_leave_no_local_files",
    "CloseLeavesAThread": "instances_that_are_closed_leave_no_threads",
    "ClosingEndsTheInstanceAfterIt": "closing_an_instance_leaves_the_one_after_it",
    "CommitSnapshotsForgetMerges": "a_commit_that_makes_a_snapshot_keeps_families_of_any_kind",
    "CountsKeysOfInternalLists": "keys_of_an_index_with_values_are_not_counted",
    "CountsManyKeysRoughly": "very_many_keys_are_counted_exactly",
    "DeclaresAMetricOfOperators": "a_metric_has_no_name_of_the_operators",
    "DeclaresAMetricThatCannotBeShown": "metrics_are_declared_before_a_store_is_opened",
    "DeletesOneVersionATime": "old_files_are_deleted_though_maintenance_comes_seldom",
    "DeletesTheOtherAttempts": "maintenance_of_an_attempt_that_lost_leaves_the_other",
    "DividesByMinDeltas": "retained_versions_stay_with_confs_at_their_bounds",
    "EmptyStartReportsTheFirstVersion": "a_version_started_empty_has_no_base",
    "FeedLeavesAFileOpen": "files_of_feeds_and_replays_are_closed",
    "GetsFind65536OwnWrites": "very_many_own_writes_are_read",
    "HasAHundredTransactionsAtMost": "very_many_stores_are_open_at_once",
    "HasAThousandIteratorsAtMost": "very_many_iterators_may_be_left_open",
    "KeepsTheFirstTwoAttempts": "the_last_of_three_attempts_is_the_version",
    "LargeCommitsComeInParts": "a_crash_in_a_large_commit_leaves_the_old_version_or_the_new",
    "LargeTransactionsAreSeenBeforeTheirCommit": "a_large_transaction_is_seen_by_nobody_before_its_commit",
    "MarksWhatIsRead": "reading_changes_nothing_in_storage",
    "MergeGoesToTheFirstOfLikeFamilies": "lists_of_two_families_are_apart",
    "MissesSnapshotsThatAreOverdue": "old_files_are_deleted_though_maintenance_comes_seldom",
    "PassesOverMissingDeltas": "a_missing_file_of_a_long_chain_is_noticed",
    "PrefixScanGivesRowsOfLikeFamilies": "prefixes_of_two_families_are_apart",
    "ReleasesAgainAtTheEndOfATask": "the_end_of_a_task_that_only_reads_is_quiet",
    "RemovesFamiliesOfLongerNames": "removing_a_family_leaves_those_of_like_names",
    "RepeatedBatchesGoOnFromTheFirst": (
        "changes_of_a_batch_that_was_run_again_are_those_of_the_last "
        "a_replay_over_a_batch_that_was_run_again_has_the_last"
    ),
    "ReplayEndsEarlyWithoutAWord": "replay_to_a_version_that_is_not_there_is_refused",
    "ReplayLacksLaterFamilies": "a_replay_has_families_made_after_its_snapshot",
    "SaysOfARemovedFamilyThatItWasThere": "a_family_that_is_gone_stays_gone",
    "SnapshotsReplaceDeltas": "retained_versions_have_their_changes_after_clean_up",
    "SnapshotsTheFirstAttemptHere": "a_batch_that_its_instance_runs_again_has_snapshots_of_its_own",
    "TakesOtherFilesForDamage": "what_others_leave_in_the_folder_is_passed_over",
    "UpgradeAfterACloseLosesRows": "an_upgrade_on_an_instance_after_one_that_is_closing_is_right_or_refused",
    "VersionZeroKeepsItsFamilies": "version_zero_has_nothing_of_any_family",
}
