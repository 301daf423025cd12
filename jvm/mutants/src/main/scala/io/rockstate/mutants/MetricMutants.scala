package io.rockstate.mutants

import scala.collection.concurrent.TrieMap

import org.apache.spark.sql.execution.streaming.state.{ReadStateStore, StateStoreMetrics}

import io.rockstate.reference._
import io.rockstate.reference.ReferenceStore.Opening

/** Each put counts as a new row. */
class CountsOverwritesAgain
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override protected def numKeys: Long = before.numKeys + written.map {
        case _: Put => 1
        case _: Remove => -1
        case _ => 0
      }.sum
    })

/** An executor counts from zero what it did not commit itself. */
class CountsFromZeroAfterRestart extends ReferenceStoreProvider {
  private val counts = TrieMap.empty[Version, Long]

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override protected def numKeys: Long = counts.getOrElse(this.base, 0L) + super.numKeys - this.before.numKeys

      override def commit(): Long = {
        val number = super.commit()
        counts(Version(number, getStateStoreCheckpointInfo().stateStoreCkptId)) = numKeys
        number
      }
    }
}

/** Stores report a metric that the provider does not declare. */
class ReportsUndeclaredMetric
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def metrics: StateStoreMetrics = Undeclared.added(super.metrics, isReported = true)
    })

/** The keys of internal families are counted, which no user has written. */
class CountsInternalFamilies
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override protected def numKeys: Long = contents.families.values.map(_.rows.size.toLong).sum
    })

/** A version that was started empty counts the keys of the one before. */
class CountsOldKeysOfAnEmptyStart extends ReferenceStoreProvider {
  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    val kept = if (opening.startsEmpty) load(base).numKeys else 0
    new ReferenceStore(this, base, before, opening) {
      override protected def numKeys: Long = super.numKeys + kept
    }
  }
}

/** A read store that is upgraded counts only the keys that are new. */
class CountsFromZeroAfterUpgrade extends ReferenceStoreProvider {
  @volatile private var isUpgrade = false

  override protected def upgraded(readStore: ReadStateStore, base: Version, opening: Opening): ReferenceStore = {
    isUpgrade = true
    try super.upgraded(readStore, base, opening)
    finally isUpgrade = false
  }

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    val uncounted = if (isUpgrade) before.numKeys else 0
    new ReferenceStore(this, base, before, opening) {
      override protected def numKeys: Long = super.numKeys - uncounted
    }
  }
}
