"""The conformance suite finds faults: a simple provider that is right passes it, and each of many with one fault fails.

`make test-apart` builds the providers' jar before; their sources are in jvm/mutants.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.conftest import IS_WHOLE

from rockstate.conformance import CAPABILITIES, HarnessError
from rockstate.conformance.histories import search
from rockstate.conformance.jvm.driver import JvmDriver
from rockstate.conformance.running.plan import Arguments, make_plan, select
from rockstate.conformance.running.suite import Suite, run

EXAMPLES = 20 if IS_WHOLE else 5
CHECKS = {check.name: check for check in select("")}
JAR = Path(__file__).parents[2] / "jvm" / "mutants" / "target" / "scala-2.13" / "rockstate-mutants.jar"

CAUGHT_BY = {
    "AbortAfterAFailedCommitThrows": "a_failed_commit_is_seen_nowhere",
    "AbortDoesNotEndTheStore": "no_kind_of_write_goes_through_after_abort",
    "AbortForgetsDeclaredFamilies": "a_read_store_has_the_families_that_were_declared",
    "AbortHangsSecondTime": "abort_can_be_called_twice no_ending_of_a_store_hangs",
    "AbortKeepsDeletedRanges": "an_aborted_delete_of_a_range_deletes_nothing",
    "AbortThrowsSecondTime": "abort_can_be_called_twice",
    "AllowsDeleteRangeAfterTheEnd": "no_range_is_deleted_after_the_end",
    "AllowsMergeAfterTheEnd": "no_kind_of_write_goes_through_after_commit no_kind_of_write_goes_through_after_abort",
    "AllowsNewFamiliesAfterTheEnd": (
        "no_kind_of_write_goes_through_after_commit no_kind_of_write_goes_through_after_abort"
    ),
    "AllowsPutAfterCommit": "no_kind_of_write_goes_through_after_commit",
    "AllowsPutListAfterTheEnd": "no_kind_of_write_goes_through_after_commit no_kind_of_write_goes_through_after_abort",
    "AllowsRemovingFamiliesAfterTheEnd": (
        "no_kind_of_write_goes_through_after_commit no_kind_of_write_goes_through_after_abort"
    ),
    "AnswersOnlyTheThreadThatBegan": "a_store_answers_whichever_thread_calls",
    "AskingAPrefixScanTwiceLosesARow": "asking_for_more_of_a_prefix_takes_nothing",
    "AskingARangeScanTwiceLosesARow": "asking_for_more_of_a_range_takes_nothing",
    "AskingAScanTwiceLosesARow": "asking_for_more_takes_nothing",
    "AttemptsAtOneVersionMix": "a_version_gone_back_to_stays_loadable",
    "ChangeFeedEndsAtAnEmptyVersion": "versions_without_changes_do_not_end_a_feed",
    "ChangeFeedGoesByFileNames": "changes_of_many_versions_are_in_their_order",
    "ChangeFeedIgnoresCheckpointId": "changes_are_those_of_the_attempt_that_is_named",
    "ChangeFeedLosesColumnsBeyondThePrefix": "changes_of_a_family_with_prefixes_have_its_keys",
    "ChangeFeedLosesDeletedRanges": "changes_tell_what_a_delete_of_a_range_removed",
    "ChangeFeedLosesDeletes": "changes_applied_to_one_version_give_another",
    "ChangeFeedMixesFamilies": "changes_of_a_family_are_its_own",
    "ChangeFeedNeedsItsFamilyFromTheStart": "a_family_has_a_feed_over_versions_that_lack_it",
    "ChangeFeedPassesOverWhatIsMissing": "changes_of_a_version_not_there_are_refused",
    "ChangeFeedReversesEachVersion": "changes_tell_puts_from_merges",
    "ChangeFeedStartsAtSnapshot": "changes_from_before_a_snapshot_are_told",
    "ChangeFeedTellsMergesAsPuts": "changes_tell_puts_from_merges",
    "ChangeFeedTellsNumbersAsTheyAreEncoded": "changes_of_a_family_in_order_have_its_keys",
    "CleansUpWithoutKnowingWhatIsNeeded": "reads_that_fail_once_in_maintenance_do_no_harm",
    "ClosesOnlyOnTheTasksThread": "a_store_is_closed_by_another_thread",
    "ClosingOneEndsTheStoresOfOthers": "closing_one_executor_leaves_the_others",
    "CommitMakesNoSnapshotOfItsOwn": "a_commit_that_is_told_to_make_a_snapshot_can_be_replayed_from",
    "CommitSnapshotsItsBase": "versions_with_a_snapshot_of_their_own_survive_the_loss_of_the_executor",
    "CommitSnapshotsNoInternalFamilies": "a_commit_that_makes_a_snapshot_keeps_all_families",
    "ContainsDeniesNullValues": "any_value_comes_back_as_it_was",
    "CountsFromZeroAfterRestart": "keys_are_counted_exactly",
    "CountsFromZeroAfterUpgrade": "keys_of_an_upgraded_read_store_are_counted",
    "CountsInternalFamilies": "whether_a_family_is_internal_is_what_was_declared",
    "CountsOldKeysOfAnEmptyStart": "keys_of_a_version_started_empty_are_counted_anew",
    "CountsOverwritesAgain": "whether_a_family_is_internal_is_what_was_declared",
    "CutsKeysOf64Kb": "long_keys_come_back_whole",
    "CutsValuesOf64Kb": "long_values_come_back_whole",
    "CutsValuesOfAMb": "long_values_come_back_whole",
    "CutsValuesOfListsOf64Kb": "a_key_may_have_many_values",
    "DeclaresMetricsWhenItIsOpened": "metrics_are_declared_before_a_store_is_opened",
    "DeleteRangeReachesOtherFamilies": "delete_range_leaves_other_families",
    "DeleteRangeRemovesItsEnd": "delete_range_leaves_the_key_at_its_end",
    "DeletedRangesAreSaidToExist": "a_deleted_range_is_gone_for_every_read",
    "DeletedRangesStayInTheReadCache": "a_deleted_range_is_gone_for_every_read",
    "DeletesSnapshotBeforeWritingIt": "a_crash_in_maintenance_loses_no_version",
    "DeletesSnapshotStillNeeded": "retained_versions_stay",
    "EmptyStartKeepsOtherFamilies": "a_version_started_empty_is_empty_though_nothing_was_written",
    "EmptyStartNeedsItsBase": "a_version_can_be_started_empty_where_there_is_none_before",
    "EmptyStartReportsABase": "a_version_started_empty_has_no_base",
    "EmptyStartWithoutChangesIsNone": "a_version_started_empty_is_empty_though_nothing_was_written",
    "EscapesItsFolderTwice": "a_checkpoints_folder_may_have_any_name",
    "FailedAttemptDeletesTheOther": "attempts_with_the_same_rows_end_in_that_version",
    "FailedCommitIsCounted": "a_failed_commit_leaves_the_families_as_they_were",
    "FailedCommitKeepsItsFamilies": "a_failed_commit_leaves_the_families_as_they_were",
    "FailedCommitKeepsItsMerges": "a_failed_commit_adds_no_values",
    "FailedCommitStaysInItsBase": "a_failed_commit_is_seen_nowhere",
    "FailedCommitStaysVisible": "a_failed_commit_is_seen_nowhere",
    "FallsBackToOlderVersion": "a_version_that_was_never_committed_is_refused",
    "FamiliesAreInternalByTheirNames": "whether_a_family_is_internal_is_what_was_declared",
    "FamiliesBeyond256ShareKeys": "families_of_any_name_and_number_are_apart",
    "FamiliesShareKeys": "families_share_no_keys",
    "FamilyNamesLoseTheirCase": "families_of_any_name_and_number_are_apart",
    "ForgetsFamiliesOnRestart": "families_last",
    "ForgetsToCopyRowOnPut": "rows_are_copied_when_put",
    "GetClearsTheKeyOfAPrefixScan": "a_pair_of_a_prefix_scan_stays_until_the_next",
    "GetFindsDeletedRanges": "a_deleted_range_is_gone_for_every_read",
    "GetMissesKeysWithSeveralValues": "values_are_kept_in_the_order_they_were_added",
    "GetMissesOwnWrites": "reads_see_the_transactions_own_writes",
    "GetReusesOneRow": "a_row_that_get_gave_stays_over_other_gets",
    "GoesOnFromAnotherHistory": "an_executor_goes_on_from_another_history_than_its_own",
    "HasNextChangesThePairBefore": "a_pair_of_an_iterator_stays_until_the_next",
    "HasNextClearsThePairOfAPrefixScan": "a_pair_of_a_prefix_scan_stays_until_the_next",
    "IgnoresCheckpointId": "two_attempts_are_both_loadable_by_id",
    "IgnoresChecksum": "a_flipped_bit_is_noticed",
    "IgnoresFlagsInPrefixes": "a_prefix_may_be_of_any_type",
    "IteratorFailsWhenStoreIsWritten": "each_row_can_be_removed_as_it_comes",
    "IteratorLeftOpenBlocksTheNext": "an_abort_ends_what_is_being_read",
    "IteratorRepeatsKeysWhenStoreIsWritten": "each_row_can_be_removed_as_it_comes",
    "KeepsAbortedWrites": "an_aborted_delete_of_a_range_deletes_nothing",
    "KeepsBytesAsText": "values_of_any_type_come_back",
    "KeepsFlagsAsTrue": "values_of_any_type_come_back",
    "KeepsLargeDecimalsAsDoubles": "values_of_any_type_come_back",
    "KeepsNoDatesBefore1970": "values_of_any_type_come_back",
    "KeepsNullArraysAsEmpty": "values_of_any_type_come_back",
    "KeepsNullKeyAsEmptyText": "any_key_comes_back_as_it_was",
    "KeepsNullsInArraysAsZeros": "values_of_any_type_come_back",
    "KeepsOldFilesForEver": "old_files_are_deleted_in_the_end",
    "KeepsOldSnapshotsForEver": "old_files_are_deleted_in_the_end",
    "KeepsOnePairOfAMap": "values_of_any_type_come_back",
    "KeepsSmallDecimalsWithoutTheirScale": "values_of_any_type_come_back",
    "KeepsSnapshotOfReplacedAttempt": "another_history_is_not_mixed_with_snapshots_of_the_first",
    "KeepsSomeOldFilesForEver": "old_files_are_deleted_in_the_end",
    "KeepsTimestampsInMilliseconds": "values_of_any_type_come_back",
    "KnowsNullsOf64Columns": "rows_of_many_columns_come_back",
    "LateCommitChangesWinnersRows": "a_zombie_with_other_rows_changes_nothing",
    "LateCommitDeletesNewerVersions": "a_zombie_that_commits_late_changes_nothing",
    "LeaksUncommittedWritesIntoScans": "two_attempts_at_a_version_do_not_see_each_other",
    "LoadsNewestForAnyVersion": "a_commit_makes_the_next_version_and_leaves_the_one_before",
    "LoadsRowsWhereNoneWereWanted": "a_version_started_empty_is_empty_though_nothing_was_written",
    "LoadsTheBaseOfAnotherHistory": "a_replay_is_of_the_attempts_that_are_named",
    "LoadsTheLast32Deltas": "versions_without_maintenance_are_kept_however_many",
    "LosesChangesBeyond65535": "large_batches_come_back_as_they_were",
    "LosesDeletesInDelta": (
        "versions_with_a_snapshot_of_their_own_survive_the_loss_of_the_executor any_history_that_goes_forward"
    ),
    "LosesLastChangeInDelta": "all_of_a_batch_becomes_visible_with_its_commit",
    "LosesMergesBeyond255": "a_key_may_have_many_values",
    "LosesValuesBeyond65535": "a_key_may_have_many_values",
    "MaintenanceBreaksOpenIterators": "maintenance_leaves_open_iterators",
    "MaintenanceChangesReadStores": "maintenance_leaves_an_older_version_that_is_read",
    "MaintenanceDeletesFilesOfOthers": "files_of_others_stay",
    "MaintenanceOnAnotherThreadEndsIterators": "maintenance_leaves_open_iterators",
    "MergeDropsDuplicates": "merges_add_to_the_values_of_versions_before",
    "MergeOfSeveralKeepsTheLastWhereThereIsOne": "a_family_of_single_values_refuses_many",
    "MergeOverwritesValues": "values_are_kept_in_the_order_they_were_added",
    "MetricsAfterAnAbortThrow": "a_transaction_that_was_aborted_has_metrics",
    "MissesTheKeyWithoutColumns": "a_key_without_columns_is_a_key",
    "MultiGetFindsDeletedRanges": "a_deleted_range_is_gone_for_multi_get",
    "MultiGetOfAReadStoreFindsNothing": "a_read_store_answers_as_a_transaction_does",
    "MultiGetReusesOneBuffer": "multi_get_sees_the_transactions_own_writes",
    "MultiGetStopsAfterAHundredKeys": "multi_get_sees_the_transactions_own_writes",
    "MultiValueIteratorFailsWhenStoreIsWritten": "keys_with_many_values_can_be_written_as_they_come",
    "MultiValueScanGivesFirstValues": "a_scan_gives_every_value_of_every_key",
    "NamesShareFiles": "stores_of_another_name_or_partition_share_nothing",
    "NewFamilyHasRowsOfARemovedOne": "a_later_family_has_nothing_of_a_removed_one",
    "NullsBehindAPrefixAreZero": "nulls_behind_what_is_scanned_by_come_back",
    "OperatorsShareFiles": "stores_of_another_operator_share_nothing",
    "OrdersByColumnsAsTheyLie": "keys_may_be_ordered_by_other_columns_than_the_first",
    "OrdersBytesByTheirBits": "keys_of_other_types_come_in_order",
    "OrdersDoublesByTheirBits": "floating_point_keys_come_in_order",
    "OrdersFirstTimestampsByTheirBits": "keys_that_begin_with_their_timestamp_come_in_its_order",
    "OrdersFloatsByTheirBits": "keys_of_other_types_come_in_order",
    "OrdersIntsByTheirBits": "keys_of_other_types_come_in_order",
    "OrdersLastTimestampsByTheirBits": "keys_that_end_with_their_timestamp_are_a_prefix_in_its_order",
    "OrdersNegativesAfterPositives": "a_struct_can_follow_what_orders",
    "OrdersNullsBeforeNumbers": "keys_of_the_range_encoder_come_in_order",
    "OrdersNullsOfTheSecondColumnFirst": "keys_of_two_ordering_columns_come_in_order",
    "OrdersShortsByTheirBits": "keys_of_other_types_come_in_order",
    "PartitionsShareFiles": "stores_of_another_name_or_partition_share_nothing",
    "PlainScanGivesAPairForEachValue": "a_plain_scan_gives_each_key_once",
    "PrefixEndingInFFScansItsNeighbours": "a_prefix_of_a_number_has_no_neighbours_in_it",
    "PrefixScanComparesStartsOfText": "asking_for_more_of_a_prefix_takes_nothing",
    "PrefixScanComparesTextUpToAZero": "a_prefix_of_two_columns_is_compared_whole",
    "PrefixScanComparesTheFirstColumn": "a_prefix_of_two_columns_is_compared_whole",
    "PrefixScanEndsAfterThousandRows": "a_prefix_may_have_many_rows",
    "PrefixScanEndsThoseThatAreOpen": "scans_may_be_within_each_other",
    "PrefixScanFindsDeletedRanges": "a_deleted_range_is_gone_for_prefix_scans",
    "PrefixScanIsEmptyAfterUpgrade": "prefixes_are_scanned_on_after_an_upgrade",
    "PrefixScanMissesOwnWrites": "asking_for_more_of_a_prefix_takes_nothing",
    "PrefixScanOfAReadStoreIsEmpty": "a_read_store_scans_prefixes",
    "PrefixScanOfValuesEndsAfterThousandPairs": "a_prefix_may_have_many_values",
    "PrefixScanOfValuesEndsWhenStoreIsWritten": "values_of_a_prefix_can_be_written_as_they_come",
    "PrefixScanOfValuesGivesTheOneThereIs": "prefix_scans_of_many_values_are_refused_where_there_is_one",
    "PrefixScanRepeatsKeysWhenStoreIsWritten": "each_row_of_a_prefix_can_be_removed_as_it_comes",
    "PrefixScanWithoutPrefixIsEmpty": "a_prefix_scan_of_keys_without_prefix_is_refused",
    "PrefixStructsAreComparedByTheirFirstColumn": "a_struct_can_be_a_prefix",
    "PublishesWithoutRename": "a_crash_in_a_second_attempt_leaves_the_version_of_the_first",
    "PutChangesTheRowGottenBefore": "a_row_that_get_gave_stays_over_writes",
    "PutListKeepsOldValues": "a_put_replaces_all_values",
    "RangeOfTimestampsReachesLongerKeys": "rows_of_a_key_within_timestamps_are_its_own",
    "RangeScanEndsAfterThousandRows": "a_range_may_have_many_rows",
    "RangeScanEndsWhenAnotherFamilyIsWritten": "a_scan_of_one_family_goes_on_over_writes_to_others",
    "RangeScanForgetsToCopyItsBounds": "each_row_of_a_range_can_be_removed_as_it_comes",
    "RangeScanGivesItsEnd": "a_range_scan_keeps_to_its_bounds",
    "RangeScanGoesOnToRowsWrittenSince": "each_row_of_a_range_can_be_written_as_it_comes",
    "RangeScanOfAReadStoreIgnoresItsStart": "a_read_store_scans_ranges",
    "RangeScanOfValuesFailsWhenStoreIsWritten": "values_of_a_range_can_be_written_as_they_come",
    "RangeScanOfValuesGivesTheOneThereIs": "range_scans_of_many_values_are_refused_where_there_is_one",
    "ReadOnlyReplayGivesTheSnapshot": "a_read_store_that_is_replayed_has_the_families_that_were_declared",
    "ReadStoreForgetsItsRowsAtUpgrade": "a_read_store_is_read_on_after_its_upgrade",
    "ReadStoreGivesFirstValuesOnly": "a_read_store_has_all_values_of_a_key",
    "ReadStoreOfVersionZeroIsNotEmpty": "version_zero_stays_empty",
    "ReadStoreSaysAnotherPartition": "a_store_says_which_store_it_is",
    "ReadStoreSaysThatAnyKeyIsThere": "a_read_store_answers_as_a_transaction_does",
    "ReadsAValueWithoutColumnsAsAbsent": "values_without_columns_come_back",
    "ReadsAllFamiliesWithTheStoresColumns": "each_family_has_values_of_its_own_columns",
    "ReadsNullAsEmptyText": "any_value_comes_back_as_it_was",
    "ReleaseOfAReplayThrows": "a_read_store_that_is_replayed_has_the_families_that_were_declared",
    "ReleaseThrowsSecondTime": "a_read_store_can_be_released_twice",
    "RemoveClearsThePairOfARangeScan": "a_pair_of_a_range_scan_stays_until_the_next",
    "RemoveClearsThePairOfAScan": "a_pair_of_an_iterator_stays_until_the_next",
    "RemoveClearsTheRowGottenBefore": "a_row_that_get_gave_stays_over_writes",
    "RemoveFamilyKeepsRows": "a_removed_family_is_gone_with_its_rows",
    "RemoveMissesTheRowOfAnIterator": "a_row_that_the_store_gave_can_be_handed_to_it",
    "RemoveOfAbsentKeyFails": "the_last_write_of_a_key_counts",
    "RemovesOnlyDeclaredFamilies": "a_family_can_be_removed_that_was_not_declared",
    "ReplayAddsTheSnapshotsChangesAgain": "a_replay_adds_each_value_once",
    "ReplayIgnoresCheckpointId": "a_replay_is_of_the_attempts_that_are_named",
    "ReplayIgnoresEndVersion": "a_read_store_that_is_replayed_has_the_families_that_were_declared",
    "ReplayLosesFamilies": "a_read_store_that_is_replayed_has_the_families_that_were_declared",
    "ReplayToReadGivesTheSnapshot": "a_read_store_that_is_replayed_has_the_families_that_were_declared",
    "ReportsAnotherPartition": "a_commit_says_its_version_and_partition",
    "ReportsCommitBeforeItIsDurable": "a_write_that_fails_once_fails_the_batch_or_does_no_harm",
    "ReportsItsLastCommitAsBase": "the_base_is_what_was_opened_and_not_what_was_committed_last",
    "ReportsTheVersionOfItsBase": "a_commit_says_its_version_and_partition",
    "ReportsUndeclaredInstanceMetric": "metrics_of_an_instance_are_declared",
    "ReportsUndeclaredMetric": "every_custom_metric_is_declared",
    "ReversesValuesOnLoad": "values_are_kept_in_the_order_they_were_added",
    "RunsTextsInKeysTogether": "texts_side_by_side_in_a_key_are_told_apart",
    "RunsTextsInPrefixesTogether": "texts_side_by_side_in_a_prefix_are_told_apart",
    "SaysCommittedAfterAFailedCommit": "a_failed_commit_is_not_said_to_have_committed",
    "SaysCommittedAfterAbort": "a_store_says_whether_it_was_committed",
    "ScanEndsAfterHundredRows": "a_scan_gives_every_row_once",
    "ScanInOrderLosesStructs": "a_struct_can_follow_what_orders",
    "ScanShowsRemovedRows": "a_scan_sees_the_transactions_own_writes",
    "SharesIdBetweenAttempts": "every_commit_has_an_id_of_its_own",
    "SkipsTornDelta": "a_file_cut_short_is_noticed",
    "SnapshotEndsAfterThousandRows": "any_row_comes_back_from_a_snapshot",
    "SnapshotForgetsEmptyFamilies": "empty_families_last_over_snapshots",
    "SnapshotForgetsWhichFamiliesAreInternal": "keys_of_internal_families_are_not_counted",
    "SnapshotIgnoresAnEmptyStart": "a_version_started_empty_stays_empty_over_snapshots",
    "SnapshotKeepsDeletedRanges": "deleted_ranges_stay_deleted_over_snapshots",
    "SnapshotKeepsRemovedFamilies": "a_later_family_has_nothing_of_a_removed_one",
    "SnapshotLosesLongValues": "any_row_comes_back_from_a_snapshot",
    "SnapshotLosesUndeclaredFamilies": "a_family_that_nobody_declares_any_more_keeps_its_rows",
    "SnapshotLosesValuesWithNulls": "any_row_comes_back_from_a_snapshot",
    "SnapshotsUncommittedRows": "maintenance_in_the_middle_of_a_batch_changes_nothing",
    "StoreTellsTheNextVersion": "a_store_says_which_version_it_has",
    "StoresShareThePairOfAScan": "rows_of_a_store_stay_while_others_are_called",
    "StoresShareTheRowOfGet": "rows_of_a_store_stay_while_others_are_called",
    "TakesABrokenReadForTheEnd": "a_read_that_breaks_off_fails_the_load_or_does_no_harm",
    "TakesAFailedListingForAnEmptyFolder": "a_listing_or_status_that_fails_once_fails_the_load_or_does_no_harm",
    "TakesAFailedStatusForAMissingFile": "a_listing_or_status_that_fails_once_fails_the_load_or_does_no_harm",
    "TakesBytesInKeysForText": "keys_of_any_type_come_back",
    "TakesFailedReadForEmpty": "a_read_that_fails_once_fails_the_load_or_does_no_harm",
    "TakesItsOwnVersionForNewerOnes": "an_executor_that_fell_behind_catches_up",
    "TakesLargeDecimalsInKeysForDoubles": "keys_of_any_type_come_back",
    "TakesMissingDeltaForEmpty": "a_missing_file_is_noticed",
    "TakesOneReadForAll": "files_are_read_whole_in_however_many_reads",
    "TakesRowsFromTheStartOfTheirArray": "all_of_a_batch_becomes_visible_with_its_commit rows_are_copied_when_put",
    "TellsAnotherIdWhenAskedAgain": "a_commit_tells_what_it_made_as_often_as_it_is_asked",
    "TellsOnceWhatACommitMade": "a_commit_tells_what_it_made_as_often_as_it_is_asked",
    "TellsWideKeysByThreeColumns": "rows_of_many_columns_come_back wide_keys_that_are_scanned_come_back",
    "UnescapesItsFolder": "a_checkpoints_folder_may_have_any_name",
    "UpgradeEndsTheReadStore": "a_read_store_is_read_on_after_its_upgrade",
    "UpgradeStartsEmpty": "prefixes_are_scanned_on_after_an_upgrade",
    "UpgradeWithSnapshotLosesWrites": "an_upgrade_that_is_told_to_make_a_snapshot_is_like_any_other",
    "ValuesChangeTheKeyOfAScan": "the_key_of_a_scan_stays_while_its_values_are_read",
    "ValuesOfAKeyAreReadAsTheyAreAskedFor": "values_of_a_key_can_be_written_anew_as_they_come",
    "ValuesOfATimestampAreThoseOfTheLast": "a_key_and_its_timestamp_have_their_values",
    "VersionZeroHasTheNewestRows": "version_zero_stays_empty",
    "VersionZeroKeepsWhatItHad": "version_zero_stays_empty",
    "WideValuesLoseTheirLastColumn": "rows_of_many_columns_come_back",
}
"""The checks that find out about each mutant."""

WITHOUT_IDS = {
    "AttemptsAtOneVersionMix",
    "EmptyStartKeepsOtherFamilies",
    "EmptyStartNeedsItsBase",
    "EmptyStartWithoutChangesIsNone",
    "FailedAttemptDeletesTheOther",
    "KeepsSnapshotOfReplacedAttempt",
    "LateCommitDeletesNewerVersions",
    "LoadsRowsWhereNoneWereWanted",
    "NamesShareFiles",
    "OperatorsShareFiles",
    "PartitionsShareFiles",
    "PublishesWithoutRename",
    "SnapshotIgnoresAnEmptyStart",
    "TellsOnceWhatACommitMade",
}
"""Mutants whose fault only shows where files are named by version alone: checkpoint format 1."""


@pytest.fixture(scope="module")
def driver() -> Iterator[JvmDriver]:
    """One JVM for all the providers."""
    if not JAR.is_file():
        raise HarnessError(f"{JAR} is missing: run `make test-apart`, or `jvm/sbt mutants/package`")
    driver = JvmDriver([str(JAR)])
    yield driver
    driver.close()


@pytest.mark.parametrize("checkpoint_format", ["1", "2"] if IS_WHOLE else ["2"])
def test_the_reference_passes_everything(driver: JvmDriver, checkpoint_format: str) -> None:
    provider = "io.rockstate.reference.ReferenceStoreProvider"
    plan = make_plan(Arguments(provider, jars=str(JAR), checkpoint_format=checkpoint_format, examples=EXAMPLES))
    report = run(plan, driver, select(""))
    failures = [(each.check.name, each.message) for each in report.results if each.verdict in ("failed", "error")]
    assert failures == []
    absent = {each.name for each in report.capabilities if not each.is_there}
    assert absent == ({"checkpoint-ids"} if checkpoint_format == "1" else set())


@pytest.mark.parametrize("mutant", CAUGHT_BY)
def test_a_mutant_is_caught(driver: JvmDriver, mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "SHRINKING", 1)  # seconds: the first failure is enough
    checkpoint_format = "1" if mutant in WITHOUT_IDS else "2"
    provider = f"io.rockstate.mutants.{mutant}"
    there = ",".join(CAPABILITIES.keys() - ({"checkpoint-ids"} if checkpoint_format == "1" else set()))
    plan = make_plan(Arguments(provider, jars=str(JAR), checkpoint_format=checkpoint_format, timeout=5, declare=there))
    suite = Suite(plan, driver)
    for check in CAUGHT_BY[mutant].split():
        assert suite.run(CHECKS[check]).verdict == "failed"


def test_every_mutant_is_in_the_table() -> None:
    folder = "io/rockstate/mutants/"
    with zipfile.ZipFile(JAR) as jar:
        classes = [Path(name).stem for name in jar.namelist() if name.startswith(folder) and name.endswith(".class")]
    assert sorted(name for name in classes if "$" not in name) == sorted(CAUGHT_BY)


def test_every_rule_with_checks_catches_a_mutant() -> None:
    catching = {CHECKS[name].rule.id for name in " ".join(CAUGHT_BY.values()).split()}
    assert {check.rule.id for check in CHECKS.values()} == catching
