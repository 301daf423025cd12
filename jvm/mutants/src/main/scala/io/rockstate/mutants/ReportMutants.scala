package io.rockstate.mutants

import org.apache.spark.sql.execution.streaming.state.ReadStateStore

import io.rockstate.reference._
import io.rockstate.reference.ReferenceStore.{Committed, Opening}

/** Nobody is told of a commit. */
class ReportsNoCommit extends ReferenceStoreProvider {
  override protected def report(version: Version): Unit = ()
}

/** Nobody is told of the commit of a store that has been upgraded. */
class ReportsNoCommitOfAnUpgrade extends ReferenceStoreProvider {
  @volatile private var isUpgraded = false

  override protected def upgraded(readStore: ReadStateStore, base: Version, opening: Opening): ReferenceStore = {
    isUpgraded = true
    super.upgraded(readStore, base, opening)
  }

  override protected def report(version: Version): Unit = if (!isUpgraded) super.report(version)
}

/** A commit is told of before it is written. */
class ReportsACommitBeforeItIsWritten extends ReferenceStoreProvider {
  override def commit(store: ReferenceStore): Committed = {
    report(Version(store.base.number + 1, None))
    super.commit(store)
  }
}

/** A commit is told of by the version that it was made on. */
class ReportsTheBaseOfACommit extends ReferenceStoreProvider {
  override protected def report(version: Version): Unit = super.report(version.copy(number = version.number - 1))
}

/** A transaction that is aborted is told of like a commit. */
class ReportsAnAbortAsACommit extends ReferenceStoreProvider {
  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override def abort(): Unit = {
        super.abort()
        report(Version(this.base.number + 1, None))
      }
    }
}
