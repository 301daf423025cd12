"""The part of CAUGHT_BY that is about change feeds and replays."""

from __future__ import annotations

CAUGHT_BY_FEEDS = {
    "ChangeFeedBeginsAfterAFailedRead": "a_change_feed_whose_reads_fail_is_right_or_refused",
    "ChangeFeedEndsAtAnEmptyVersion": "versions_without_changes_do_not_end_a_feed",
    "ChangeFeedGoesByFileNames": "changes_of_many_versions_are_in_their_order",
    "ChangeFeedIgnoresCheckpointId": "changes_are_those_of_the_attempt_that_is_named",
    "ChangeFeedLosesColumnsBeyondThePrefix": "changes_of_a_family_with_prefixes_have_its_keys",
    "ChangeFeedLosesDeletedRanges": "changes_tell_what_a_delete_of_a_range_removed",
    "ChangeFeedLosesDeletes": "changes_applied_to_one_version_give_another",
    "ChangeFeedMixesFamilies": "changes_of_a_family_are_its_own",
    "ChangeFeedNeedsItsFamilyFromTheStart": "a_family_has_a_feed_over_versions_that_lack_it",
    "ChangeFeedPassesOverDamage": "a_change_feed_over_a_damaged_version_is_right_or_refused",
    "ChangeFeedPassesOverWhatIsMissing": "changes_of_a_version_not_there_are_refused",
    "ChangeFeedReversesEachVersion": "changes_tell_puts_from_merges",
    "ChangeFeedStartsAtSnapshot": "changes_from_before_a_snapshot_are_told",
    "ChangeFeedTakesLongerNames": "changes_of_a_family_are_not_those_of_longer_names",
    "ChangeFeedTellsMergesAsPuts": "changes_tell_puts_from_merges",
    "ChangeFeedTellsNumbersAsTheyAreEncoded": "changes_of_a_family_in_order_have_its_keys",
    "ChangeFeedTellsThousandChangesOfAVersion": "a_version_may_have_many_changes",
    "ReadOnlyReplayGivesTheSnapshot": "a_read_store_that_is_replayed_has_the_families_that_were_declared",
    "ReleaseOfAReplayThrows": "a_read_store_that_is_replayed_has_the_families_that_were_declared",
    "ReplayAddsTheSnapshotsChangesAgain": "a_replay_adds_each_value_once",
    "ReplayIgnoresAnEmptyStart": "a_replay_over_a_version_started_empty_has_nothing_from_before",
    "ReplayIgnoresCheckpointId": "a_replay_is_of_the_attempts_that_are_named",
    "ReplayIgnoresEndVersion": "a_read_store_that_is_replayed_has_the_families_that_were_declared",
    "ReplayLosesFamilies": "a_read_store_that_is_replayed_has_the_families_that_were_declared",
    "ReplayMakesThousandChangesOfAVersion": "a_replayed_version_may_have_many_changes",
    "ReplayPassesOverDamage": "a_replay_over_a_damaged_version_is_right_or_refused",
    "ReplayToReadGivesTheSnapshot": "a_read_store_that_is_replayed_has_the_families_that_were_declared",
}
