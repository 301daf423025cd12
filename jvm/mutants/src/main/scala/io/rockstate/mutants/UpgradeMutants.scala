package io.rockstate.mutants

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.{ReadStateStore, StateStoreCustomSizeMetric, StateStoreMetrics}

import io.rockstate.reference._
import io.rockstate.reference.Pairs.Pairs
import io.rockstate.reference.ReferenceStore.Opening

/** A read store that is upgraded finds none of its rows any more. */
class ReadStoreForgetsItsRowsAtUpgrade
    extends WithReadStore(new ReadStore(_, _, _) {
      override def get(key: UnsafeRow, family: String): UnsafeRow =
        if (upgradedTo.isDefined) null else super.get(key, family)
    })

/** An upgrade ends the read store, which then refuses to be read. */
class UpgradeEndsTheReadStore
    extends WithReadStore(new ReadStore(_, _, _) {
      override protected def requireOpen(operation: String): Unit =
        if (upgradedTo.isDefined) throw new IllegalStateException(s"Cannot $operation: the store was upgraded")
        else super.requireOpen(operation)
    })

/** Prefix scans of a read store that is upgraded are empty. */
class PrefixScanIsEmptyAfterUpgrade
    extends WithReadStore(new ReadStore(_, _, _) {
      override def prefixScan(prefix: UnsafeRow, family: String): Pairs = {
        val all = super.prefixScan(prefix, family)
        if (upgradedTo.isDefined) Pairs.changed(all)(_ => Iterator.empty) else all
      }
    })

/** An upgraded store that is told to make a snapshot makes none. */
class UpgradeMakesNoSnapshotOfItsOwn extends ReferenceStoreProvider {
  override protected def upgraded(readStore: ReadStateStore, base: Version, opening: Opening): ReferenceStore =
    super.upgraded(readStore, base, opening.copy(takesSnapshot = false))
}

/** An upgraded store that is told to make a snapshot commits none of its writes. */
class UpgradeWithSnapshotLosesWrites extends ReferenceStoreProvider {
  @volatile private var losing: Option[ReferenceStore] = None

  override protected def upgraded(readStore: ReadStateStore, base: Version, opening: Opening): ReferenceStore = {
    val opened = super.upgraded(readStore, base, opening)
    if (opening.takesSnapshot) losing = Some(opened)
    opened
  }

  override protected def recorded(store: ReferenceStore): Seq[Change] =
    if (losing.exists(_ eq store)) Nil else super.recorded(store)
}

/** A read store of another instance is not upgraded. */
class RefusesToUpgradeStoresOfOthers extends ReferenceStoreProvider {
  override protected def upgraded(readStore: ReadStateStore, base: Version, opening: Opening): ReferenceStore =
    readStore match {
      case other: ReadStore if other.provider ne this =>
        throw new IllegalStateException("Another instance made the store")
      case _ => super.upgraded(readStore, base, opening)
    }
}

/** Scans that are open on a read store end with its upgrade. */
class UpgradeEndsOpenScans
    extends WithReadStore(new ReadStore(_, _, _) {
      override def iterator(family: String): Pairs =
        Pairs.changed(super.iterator(family))(_.takeWhile(_ => upgradedTo.isEmpty))
    })

/** An upgraded store has what the read store has, of whichever store that is. */
class UpgradeTakesAnyReadStoresRows extends ReferenceStoreProvider {
  override protected def upgraded(readStore: ReadStateStore, base: Version, opening: Opening): ReferenceStore = {
    val opened = super.upgraded(readStore, base, opening)
    readStore match {
      case reader: ReadStore => store(base, reader.before, opening)
      case _ => opened
    }
  }
}

/** An upgrade of another instance's read store makes no snapshot. */
class UpgradeOfOthersMakesNoSnapshot extends ReferenceStoreProvider {
  override protected def upgraded(readStore: ReadStateStore, base: Version, opening: Opening): ReferenceStore =
    readStore match {
      case other: ReadStore if other.provider ne this =>
        super.upgraded(readStore, base, opening.copy(takesSnapshot = false))
      case _ => super.upgraded(readStore, base, opening)
    }
}

/** An upgrade goes on from the version that its instance has committed last, if that is a later one. */
class UpgradesItsNewestVersion extends RemembersItsCommit {
  override protected def upgraded(readStore: ReadStateStore, base: Version, opening: Opening): ReferenceStore =
    super.upgraded(readStore, last.filter(_.number > base.number).getOrElse(base), opening)
}

/** An upgrade goes on from the attempt that its instance has committed last, whichever it is told of that version. */
class UpgradesItsOwnAttempt extends RemembersItsCommit {
  override protected def upgraded(readStore: ReadStateStore, base: Version, opening: Opening): ReferenceStore =
    super.upgraded(readStore, last.filter(_.number == base.number).getOrElse(base), opening)
}

/** A store that is upgraded once the instance of its read store was closed, or is about to be, has no rows. */
class UpgradeAfterACloseLosesRows extends RemembersItsReadStore {
  import UpgradeAfterACloseLosesRows.isClosed

  override protected def upgraded(readStore: ReadStateStore, base: Version, opening: Opening): ReferenceStore =
    super.upgraded(readStore, base, if (isClosed) opening.copy(startsEmpty = true) else opening)

  override def close(): Unit = {
    isClosed = last.exists(_.isOpen)
    super.close()
  }
}

private object UpgradeAfterACloseLosesRows {
  @volatile var isClosed = false
}

/** A read store cannot be asked for a key once it was upgraded. */
class AskingAReaderFailsAfterItsUpgrade
    extends WithReadStore(new ReadStore(_, _, _) {
      override def keyExists(key: UnsafeRow, family: String): Boolean = {
        require(upgradedTo.isEmpty, "the store was upgraded")
        super.keyExists(key, family)
      }
    })

/** An upgraded store has a metric that is not declared. */
class UpgradedStoresHaveAnotherMetric extends ReferenceStoreProvider {
  @volatile private var isUpgrading = false

  override protected def upgraded(readStore: ReadStateStore, base: Version, opening: Opening): ReferenceStore = {
    isUpgrading = true
    try super.upgraded(readStore, base, opening)
    finally isUpgrading = false
  }

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    if (!isUpgrading) super.store(base, before, opening)
    else
      new ReferenceStore(this, base, before, opening) {
        override def metrics: StateStoreMetrics =
          super.metrics.copy(customMetrics = Map(StateStoreCustomSizeMetric("upgradedBytes", "not declared") -> 1L))
      }
}
