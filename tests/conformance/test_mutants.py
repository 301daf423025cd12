"""The conformance suite finds faults: a simple provider that is right passes it, and each of many with one fault fails.

`make test-apart` builds the providers' jar before; their sources are in jvm/mutants.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.conftest import IS_WHOLE

from rockstate.conformance import CAPABILITIES, RULES, HarnessError
from rockstate.conformance.histories import search
from rockstate.conformance.jvm.driver import JvmDriver
from rockstate.conformance.running.plan import Arguments, make_plan, select
from rockstate.conformance.running.suite import Suite, run

EXAMPLES = 20 if IS_WHOLE else 5
JAR = Path(__file__).parents[2] / "jvm" / "mutants" / "target" / "scala-2.13" / "rockstate-mutants.jar"

CAUGHT_BY = {
    "AbortAfterAFailedCommitThrows": "R49",
    "AbortDoesNotEndTheStore": "R07",
    "AbortForgetsDeclaredFamilies": "R31",
    "AbortHangsSecondTime": "R05 R52",
    "AbortKeepsDeletedRanges": "R04",
    "AbortThrowsSecondTime": "R05",
    "AllowsDeleteRangeAfterTheEnd": "R06",
    "AllowsMergeAfterTheEnd": "R06 R07",
    "AllowsNewFamiliesAfterTheEnd": "R06 R07",
    "AllowsPutAfterCommit": "R06",
    "AllowsPutListAfterTheEnd": "R06 R07",
    "AllowsRemovingFamiliesAfterTheEnd": "R06 R07",
    "AnswersOnlyTheThreadThatBegan": "R55",
    "AskingAPrefixScanTwiceLosesARow": "R18",
    "AskingARangeScanTwiceLosesARow": "R19",
    "AskingAScanTwiceLosesARow": "R17",
    "AttemptsAtOneVersionMix": "R53",
    "ChangeFeedEndsAtAnEmptyVersion": "R39",
    "ChangeFeedGoesByFileNames": "R39",
    "ChangeFeedIgnoresCheckpointId": "R36",
    "ChangeFeedLosesColumnsBeyondThePrefix": "R39",
    "ChangeFeedLosesDeletedRanges": "R39",
    "ChangeFeedLosesDeletes": "R39",
    "ChangeFeedMixesFamilies": "R39",
    "ChangeFeedNeedsItsFamilyFromTheStart": "R39",
    "ChangeFeedPassesOverWhatIsMissing": "R39",
    "ChangeFeedReversesEachVersion": "R39",
    "ChangeFeedStartsAtSnapshot": "R39",
    "ChangeFeedTellsMergesAsPuts": "R39",
    "ChangeFeedTellsNumbersAsTheyAreEncoded": "R39",
    "ClosesOnlyOnTheTasksThread": "R55",
    "ClosingOneEndsTheStoresOfOthers": "R13",
    "CommitMakesNoSnapshotOfItsOwn": "R40",
    "CommitSnapshotsItsBase": "R03",
    "CommitSnapshotsNoInternalFamilies": "R29",
    "ContainsDeniesNullValues": "R20",
    "CountsFromZeroAfterRestart": "R33",
    "CountsFromZeroAfterUpgrade": "R33",
    "CountsInternalFamilies": "R33",
    "CountsOldKeysOfAnEmptyStart": "R33",
    "CountsOverwritesAgain": "R33",
    "CutsKeysOf64Kb": "R20",
    "CutsValuesOf64Kb": "R20",
    "CutsValuesOfAMb": "R20",
    "CutsValuesOfListsOf64Kb": "R26",
    "DeclaresMetricsWhenItIsOpened": "R34",
    "DeleteRangeReachesOtherFamilies": "R25",
    "DeleteRangeRemovesItsEnd": "R25",
    "DeletesSnapshotBeforeWritingIt": "R48",
    "DeletesSnapshotStillNeeded": "R42",
    "EmptyStartKeepsOtherFamilies": "R12",
    "EmptyStartNeedsItsBase": "R12",
    "EmptyStartReportsABase": "R35",
    "EmptyStartWithoutChangesIsNone": "R12",
    "FailedAttemptDeletesTheOther": "R37",
    "FailedCommitIsCounted": "R49",
    "FailedCommitKeepsItsFamilies": "R49",
    "FailedCommitKeepsItsMerges": "R49",
    "FailedCommitStaysInItsBase": "R49",
    "FailedCommitStaysVisible": "R49",
    "FallsBackToOlderVersion": "R11",
    "FamiliesAreInternalByTheirNames": "R33",
    "FamiliesBeyond256ShareKeys": "R28",
    "FamiliesShareKeys": "R28",
    "FamilyNamesLoseTheirCase": "R28",
    "ForgetsFamiliesOnRestart": "R29",
    "ForgetsToCopyRowOnPut": "R23",
    "GetClearsTheKeyOfAPrefixScan": "R54",
    "GetMissesKeysWithSeveralValues": "R26",
    "GetMissesOwnWrites": "R15",
    "GetReusesOneRow": "R54",
    "GoesOnFromAnotherHistory": "R36",
    "HasNextChangesThePairBefore": "R54",
    "HasNextClearsThePairOfAPrefixScan": "R54",
    "IgnoresCheckpointId": "R36",
    "IgnoresChecksum": "R45",
    "IteratorFailsWhenStoreIsWritten": "R22",
    "IteratorLeftOpenBlocksTheNext": "R04",
    "IteratorRepeatsKeysWhenStoreIsWritten": "R22",
    "KeepsAbortedWrites": "R04",
    "KeepsNullKeyAsEmptyText": "R20",
    "KeepsOldFilesForEver": "R43",
    "KeepsOldSnapshotsForEver": "R43",
    "KeepsSnapshotOfReplacedAttempt": "R53",
    "KeepsSomeOldFilesForEver": "R43",
    "LateCommitChangesWinnersRows": "R38",
    "LateCommitDeletesNewerVersions": "R38",
    "LeaksUncommittedWritesIntoScans": "R02",
    "LoadsNewestForAnyVersion": "R10",
    "LoadsRowsWhereNoneWereWanted": "R12",
    "LoadsTheBaseOfAnotherHistory": "R36",
    "LoadsTheLast32Deltas": "R10",
    "LosesChangesBeyond65535": "R20",
    "LosesDeletesInDelta": "R03 R51",
    "LosesLastChangeInDelta": "R01",
    "LosesMergesBeyond255": "R26",
    "LosesValuesBeyond65535": "R26",
    "MaintenanceBreaksOpenIterators": "R41",
    "MaintenanceChangesReadStores": "R41",
    "MaintenanceDeletesFilesOfOthers": "R43",
    "MaintenanceOnAnotherThreadEndsIterators": "R41",
    "MergeDropsDuplicates": "R26",
    "MergeOfSeveralKeepsTheLastWhereThereIsOne": "R26",
    "MergeOverwritesValues": "R26",
    "MetricsAfterAnAbortThrow": "R34",
    "MissesTheKeyWithoutColumns": "R20",
    "MultiGetOfAReadStoreFindsNothing": "R31",
    "MultiGetReusesOneBuffer": "R21",
    "MultiGetStopsAfterAHundredKeys": "R21",
    "MultiValueIteratorFailsWhenStoreIsWritten": "R22",
    "MultiValueScanGivesFirstValues": "R27",
    "NamesShareFiles": "R14",
    "NewFamilyHasRowsOfARemovedOne": "R30",
    "NullsBehindAPrefixAreZero": "R20",
    "OperatorsShareFiles": "R14",
    "OrdersByColumnsAsTheyLie": "R19",
    "OrdersBytesByTheirBits": "R19",
    "OrdersDoublesByTheirBits": "R19",
    "OrdersFirstTimestampsByTheirBits": "R19",
    "OrdersFloatsByTheirBits": "R19",
    "OrdersIntsByTheirBits": "R19",
    "OrdersLastTimestampsByTheirBits": "R18",
    "OrdersNegativesAfterPositives": "R19",
    "OrdersNullsBeforeNumbers": "R19",
    "OrdersNullsOfTheSecondColumnFirst": "R19",
    "OrdersShortsByTheirBits": "R19",
    "PartitionsShareFiles": "R14",
    "PlainScanGivesAPairForEachValue": "R27",
    "PrefixEndingInFFScansItsNeighbours": "R18",
    "PrefixScanComparesStartsOfText": "R18",
    "PrefixScanComparesTextUpToAZero": "R18",
    "PrefixScanComparesTheFirstColumn": "R18",
    "PrefixScanEndsAfterThousandRows": "R18",
    "PrefixScanEndsThoseThatAreOpen": "R22",
    "PrefixScanIsEmptyAfterUpgrade": "R32",
    "PrefixScanMissesOwnWrites": "R18",
    "PrefixScanOfAReadStoreIsEmpty": "R31",
    "PrefixScanOfValuesEndsAfterThousandPairs": "R27",
    "PrefixScanOfValuesEndsWhenStoreIsWritten": "R22",
    "PrefixScanOfValuesGivesTheOneThereIs": "R26",
    "PrefixScanRepeatsKeysWhenStoreIsWritten": "R22",
    "PrefixScanWithoutPrefixIsEmpty": "R18",
    "PrefixStructsAreComparedByTheirFirstColumn": "R18",
    "PublishesWithoutRename": "R47",
    "PutChangesTheRowGottenBefore": "R54",
    "PutListKeepsOldValues": "R26",
    "RangeOfTimestampsReachesLongerKeys": "R27",
    "RangeScanEndsAfterThousandRows": "R19",
    "RangeScanEndsWhenAnotherFamilyIsWritten": "R22",
    "RangeScanForgetsToCopyItsBounds": "R22",
    "RangeScanGivesItsEnd": "R19",
    "RangeScanGoesOnToRowsWrittenSince": "R22",
    "RangeScanOfAReadStoreIgnoresItsStart": "R31",
    "RangeScanOfValuesFailsWhenStoreIsWritten": "R22",
    "RangeScanOfValuesGivesTheOneThereIs": "R26",
    "ReadOnlyReplayGivesTheSnapshot": "R40",
    "ReadStoreForgetsItsRowsAtUpgrade": "R32",
    "ReadStoreGivesFirstValuesOnly": "R31",
    "ReadStoreOfVersionZeroIsNotEmpty": "R12",
    "ReadStoreSaysAnotherPartition": "R09",
    "ReadStoreSaysThatAnyKeyIsThere": "R31",
    "ReadsAValueWithoutColumnsAsAbsent": "R20",
    "ReadsAllFamiliesWithTheStoresColumns": "R28",
    "ReadsNullAsEmptyText": "R20",
    "ReleaseOfAReplayThrows": "R40",
    "ReleaseThrowsSecondTime": "R31",
    "RemoveClearsThePairOfARangeScan": "R54",
    "RemoveClearsThePairOfAScan": "R54",
    "RemoveClearsTheRowGottenBefore": "R54",
    "RemoveFamilyKeepsRows": "R30",
    "RemoveMissesTheRowOfAnIterator": "R54",
    "RemoveOfAbsentKeyFails": "R24",
    "RemovesOnlyDeclaredFamilies": "R30",
    "ReplayAddsTheSnapshotsChangesAgain": "R40",
    "ReplayIgnoresCheckpointId": "R36",
    "ReplayIgnoresEndVersion": "R40",
    "ReplayLosesFamilies": "R40",
    "ReplayToReadGivesTheSnapshot": "R40",
    "ReportsAnotherPartition": "R35",
    "ReportsCommitBeforeItIsDurable": "R49",
    "ReportsItsLastCommitAsBase": "R35",
    "ReportsTheVersionOfItsBase": "R35",
    "ReportsUndeclaredInstanceMetric": "R34",
    "ReportsUndeclaredMetric": "R34",
    "ReversesValuesOnLoad": "R26",
    "SaysCommittedAfterAFailedCommit": "R08",
    "SaysCommittedAfterAbort": "R08",
    "ScanEndsAfterHundredRows": "R17",
    "ScanInOrderLosesStructs": "R19",
    "ScanShowsRemovedRows": "R16",
    "SharesIdBetweenAttempts": "R35",
    "SkipsTornDelta": "R44",
    "SnapshotEndsAfterThousandRows": "R20",
    "SnapshotForgetsEmptyFamilies": "R29",
    "SnapshotForgetsWhichFamiliesAreInternal": "R33",
    "SnapshotIgnoresAnEmptyStart": "R12",
    "SnapshotKeepsDeletedRanges": "R25",
    "SnapshotKeepsRemovedFamilies": "R30",
    "SnapshotLosesLongValues": "R20",
    "SnapshotLosesUndeclaredFamilies": "R29",
    "SnapshotLosesValuesWithNulls": "R20",
    "SnapshotsUncommittedRows": "R41",
    "StoreTellsTheNextVersion": "R09",
    "TakesFailedReadForEmpty": "R50",
    "TakesItsOwnVersionForNewerOnes": "R13",
    "TakesMissingDeltaForEmpty": "R46",
    "TakesRowsFromTheStartOfTheirArray": "R01 R23",
    "TellsAnotherIdWhenAskedAgain": "R09",
    "TellsOnceWhatACommitMade": "R09",
    "UpgradeEndsTheReadStore": "R32",
    "UpgradeStartsEmpty": "R32",
    "UpgradeWithSnapshotLosesWrites": "R32",
    "ValuesChangeTheKeyOfAScan": "R54",
    "ValuesOfAKeyAreReadAsTheyAreAskedFor": "R22",
    "ValuesOfATimestampAreThoseOfTheLast": "R26",
    "VersionZeroHasTheNewestRows": "R12",
    "VersionZeroKeepsWhatItHad": "R12",
}
"""The rules that find out about each mutant."""

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
    for rule in CAUGHT_BY[mutant].split():
        verdicts = (suite.run(check).verdict for check in select(rule))
        assert "failed" in verdicts, f"No check of {rule}, {RULES[rule].title}, finds out about {mutant}"


def test_every_mutant_is_in_the_table() -> None:
    folder = "io/rockstate/mutants/"
    with zipfile.ZipFile(JAR) as jar:
        classes = [Path(name).stem for name in jar.namelist() if name.startswith(folder) and name.endswith(".class")]
    assert sorted(name for name in classes if "$" not in name) == sorted(CAUGHT_BY)


def test_every_rule_with_checks_catches_a_mutant() -> None:
    assert {check.rule.id for check in select("")} - set(" ".join(CAUGHT_BY.values()).split()) == set()
