"""The faults that show in a store's longer life, and the checks that find out about them."""

from __future__ import annotations

CAUGHT_BY_LIVES = {
    "AbortsAtTheEndOfEveryTask": "the_end_of_a_task_that_has_committed_is_quiet",
    "CloseLeavesAThread": "instances_that_are_closed_leave_no_threads",
    "ClosingEndsTheInstanceAfterIt": "closing_an_instance_leaves_the_one_after_it",
    "CountsKeysOfInternalLists": "keys_of_an_index_with_values_are_not_counted",
    "DeclaresAMetricOfOperators": "a_metric_has_no_name_of_the_operators",
    "DividesByMinDeltas": "retained_versions_stay_with_confs_at_their_bounds",
    "EmptyStartReportsTheFirstVersion": "a_version_started_empty_has_no_base",
    "FeedLeavesAFileOpen": "files_of_feeds_and_replays_are_closed",
    "HasAHundredTransactionsAtMost": "very_many_stores_are_open_at_once",
    "HasAThousandIteratorsAtMost": "very_many_iterators_may_be_left_open",
    "MarksWhatIsRead": "reading_changes_nothing_in_storage",
    "ReleasesAgainAtTheEndOfATask": "the_end_of_a_task_that_only_reads_is_quiet",
    "SnapshotsReplaceDeltas": "retained_versions_have_their_changes_after_clean_up",
    "SnapshotsTheFirstAttemptHere": "a_batch_that_its_instance_runs_again_has_snapshots_of_its_own",
    "TakesOtherFilesForDamage": "what_others_leave_in_the_folder_is_passed_over",
    "UpgradeAfterACloseLosesRows": "an_upgrade_on_an_instance_after_one_that_is_closing_is_right_or_refused",
}
