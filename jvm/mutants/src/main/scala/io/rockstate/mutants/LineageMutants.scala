package io.rockstate.mutants

import org.apache.spark.sql.execution.streaming.state.StateStoreCheckpointInfo

import io.rockstate.reference._
import io.rockstate.reference.ReferenceStore.{Committed, Opening}

/** A commit says that it was built on what the executor committed last, whatever it had opened. */
class ReportsItsLastCommitAsBase extends ReferenceStoreProvider {
  @volatile private var last: Option[String] = None

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    val known = last.orElse(base.id)
    new ReferenceStore(this, base, before, opening) {
      override def getStateStoreCheckpointInfo(): StateStoreCheckpointInfo =
        super.getStateStoreCheckpointInfo().copy(baseStateStoreCkptId = known)
    }
  }

  override def commit(store: ReferenceStore): Committed = {
    val committed = super.commit(store)
    last = committed.version.id
    committed
  }
}

/** A commit says that it made the version that it was built on. */
class ReportsTheVersionOfItsBase
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def getStateStoreCheckpointInfo(): StateStoreCheckpointInfo = {
        val info = super.getStateStoreCheckpointInfo()
        info.copy(batchVersion = info.batchVersion - 1)
      }
    })

/** A commit says that it is of partition 0. */
class ReportsAnotherPartition
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def getStateStoreCheckpointInfo(): StateStoreCheckpointInfo =
        super.getStateStoreCheckpointInfo().copy(partitionId = 0)
    })

/** An executor goes on from what it had, with the next version's delta, of whichever history the two are. */
class GoesOnFromAnotherHistory extends ReferenceStoreProvider {
  @volatile private var had: Option[(Long, Contents)] = None

  override def commit(store: ReferenceStore): Committed = {
    val committed = super.commit(store)
    had = Some(committed.version.number -> store.contents)
    committed
  }

  override protected def load(version: Version): Contents = had match {
    case Some((number, contents)) if number == version.number - 1 => contents.after(files.delta(version).changes)
    case _ => super.load(version)
  }
}

/** What comes before a version is looked for by number: the history that is listed last. */
class LoadsTheBaseOfAnotherHistory extends ReferenceStoreProvider {
  override protected def historyOf(files: StateFiles): History = new History(files) {
    override protected def applied(delta: Delta)(load: Version => Contents): Contents = {
      val alike = files.list().map(_._1).filter(_.number == delta.base.number)
      super.applied(delta.copy(base = alike.maxByOption(_.id).getOrElse(delta.base)))(load)
    }
  }
}
