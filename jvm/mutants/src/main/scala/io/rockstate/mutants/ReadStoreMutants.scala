package io.rockstate.mutants

import org.apache.spark.sql.execution.streaming.state.ReadStateStore

import io.rockstate.reference._
import io.rockstate.reference.ReferenceStore.Opening

/** Maintenance moves open read stores on to the newest version. */
class MaintenanceChangesReadStores extends ReferenceStoreProvider {
  @volatile private var reader: Option[ReadStore] = None
  @volatile private var newest: Option[ReferenceStore] = None

  override def getReadStore(version: Long, id: Option[String]): ReadStateStore = {
    val opened = super.getReadStore(version, id)
    reader = Option(opened).collect { case store: ReadStore => store }
    opened
  }

  override def commit(store: ReferenceStore): ReferenceStore.Committed = {
    newest = Some(store)
    super.commit(store)
  }

  override def doMaintenance(): Unit = {
    super.doMaintenance()
    reader.foreach(_.upgradedTo = newest)
  }
}

/** Releasing a read store again is an error. */
class ReleaseThrowsSecondTime extends ReferenceStoreProvider {
  override def getReadStore(version: Long, id: Option[String]): ReadStateStore = {
    val base = Version(version, id)
    new ReadStore(this, base, load(base)) {
      override def release(): Unit = {
        requireOpen("release")
        super.release()
      }
    }
  }
}

/** A read store that is upgraded loses the rows it has shown. */
class UpgradeStartsEmpty extends ReferenceStoreProvider {
  override protected def upgraded(readStore: ReadStateStore, base: Version, opening: Opening): ReferenceStore =
    getStore(base, opening.copy(startsEmpty = true))
}
