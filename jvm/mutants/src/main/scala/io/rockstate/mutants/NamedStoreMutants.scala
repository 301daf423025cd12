package io.rockstate.mutants

import io.rockstate.reference.OfNamedStores

/** A version of a named store that is not there is answered by the one before. */
class NamedStoresFallBack extends OfNamedStores(new FallsBackToOlderVersion)

/** Maintenance in the middle of a transaction on a named store makes a snapshot of it. */
class NamedStoresSnapshotUncommittedRows extends OfNamedStores(new SnapshotsUncommittedRows)

/** Old files of named stores stay. */
class NamedStoresKeepOldFiles extends OfNamedStores(new KeepsOldFilesForEver)

/** Checksums of named stores' files are not looked at. */
class NamedStoresIgnoreChecksums extends OfNamedStores(new IgnoresChecksum)

/** A delta of a named store that is missing is taken for an empty one. */
class NamedStoresTakeMissingDeltasForEmpty extends OfNamedStores(new TakesMissingDeltaForEmpty)

/** A commit of a named store is reported before it is durable. */
class NamedStoresReportCommitsTooEarly extends OfNamedStores(new ReportsCommitBeforeItIsDurable)

/** A file of a named store whose read fails is taken for an empty one. */
class NamedStoresTakeFailedReadsForEmpty extends OfNamedStores(new TakesFailedReadForEmpty)

/** A named store answers only the thread that has begun its transaction. */
class NamedStoresAnswerOneThread extends OfNamedStores(new AnswersOnlyTheThreadThatBegan)
