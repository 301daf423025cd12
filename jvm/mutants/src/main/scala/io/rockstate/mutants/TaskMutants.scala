package io.rockstate.mutants

import java.nio.channels.ClosedByInterruptException

import scala.collection.concurrent.TrieMap

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.TaskContext
import org.apache.spark.sql.execution.streaming.state.ReadStateStore

import io.rockstate.reference._
import io.rockstate.reference.ReferenceStore.{Committed, Opening}
import io.rockstate.reference.StateFiles.{DeltaFile, Kind}

/** No transaction begins as long as a store for reading has not ended, be its task at work or not. */
class ReadStoreOfAFailedTaskBlocksTheNext extends RemembersItsReadStore {
  override protected def upgraded(readStore: ReadStateStore, base: Version, opening: Opening): ReferenceStore = {
    last = None
    super.upgraded(readStore, base, opening)
  }

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    if (last.exists(_.isOpen)) throw new IllegalStateException("A store for reading is open")
    super.store(base, before, opening)
  }
}

/** No transaction begins as long as a store for reading is open whose upgrade was aborted. */
class ReadStoreOfAnAbortedUpgradeBlocksTheNext extends RemembersItsReadStore {
  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    val isAborted = last.filter(_.isOpen).flatMap(_.upgradedTo).exists(store => !store.isOpen && !store.hasCommitted)
    if (isAborted) throw new IllegalStateException("A store for reading is open")
    super.store(base, before, opening)
  }
}

/** A store that is closed forgets what its transaction wrote so far, which goes on. */
class CloseForgetsWhatIsWrittenSoFar extends ReferenceStoreProvider {
  private final class Forgetful(base: Version, before: Contents, opening: Opening)
      extends ReferenceStore(CloseForgetsWhatIsWrittenSoFar.this, base, before, opening) {
    def forget(): Unit = {
      written.clear()
      now = before
    }
  }

  @volatile private var last: Option[Forgetful] = None

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    val opened = new Forgetful(base, before, opening)
    last = Some(opened)
    opened
  }

  override def close(): Unit = {
    last.filter(_.isOpen).foreach(_.forget())
    super.close()
  }
}

/** A call whose thread is interrupted closes what the provider reads and writes, for good. */
class InterruptedCallEndsTheProvider extends ReferenceStoreProvider {
  @volatile private var isClosed = false

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override protected def requireOpen(operation: String): Unit = {
        if (Thread.currentThread.isInterrupted) isClosed = true
        if (isClosed) throw new ClosedByInterruptException
        super.requireOpen(operation)
      }
    }
}

/** No transaction begins as long as another is open, be its task at work or not. */
class LeftTransactionBlocksTheNext extends ReferenceStoreProvider {
  @volatile private var last: Option[ReferenceStore] = None

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    if (last.exists(_.isOpen)) throw new IllegalStateException("A transaction is open")
    val opened = super.store(base, before, opening)
    last = Some(opened)
    opened
  }
}

/** A store cannot be aborted once its provider is closed. */
class AbortAfterACloseThrows extends ReferenceStoreProvider {
  @volatile private var isClosed = false

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override def abort(): Unit =
        if (isClosed) throw new IllegalStateException("Cannot abort: the provider is closed") else super.abort()
    }

  override def close(): Unit = {
    isClosed = true
    super.close()
  }
}

/** A provider cannot be closed twice. */
class CloseThrowsSecondTime extends ReferenceStoreProvider {
  @volatile private var isClosed = false

  override def close(): Unit = {
    if (isClosed) throw new IllegalStateException("Cannot close: the provider is closed")
    isClosed = true
    super.close()
  }
}

/** A task has one transaction: the one that it has begun last. */
class HasOneTransactionInATask extends ReferenceStoreProvider {
  import HasOneTransactionInATask.last

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    val begun = super.store(base, before, opening)
    Option(TaskContext.get()).foreach(task => last(task.taskAttemptId()) = begun)
    begun
  }

  override def commit(store: ReferenceStore): Committed = {
    require(
      Option(TaskContext.get()).forall(task => last(task.taskAttemptId()) eq store),
      "another transaction is open"
    )
    super.commit(store)
  }
}

private object HasOneTransactionInATask {
  val last: TrieMap[Long, ReferenceStore] = TrieMap.empty
}

/** A task's later attempt begins nothing. */
class BeginsNothingInALaterAttempt extends ReferenceStoreProvider {
  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    require(Option(TaskContext.get()).forall(_.attemptNumber() == 0), "the task was tried before")
    super.store(base, before, opening)
  }
}

/** A task's later attempt takes what the one before has committed for its own. */
class LaterAttemptsKeepTheFirst extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      override def writeDelta(version: Version, delta: Delta): Int = {
        val isLater = Option(TaskContext.get()).exists(_.attemptNumber() > 0)
        if (isLater && exists(version, DeltaFile)) 0 else super.writeDelta(version, delta)
      }
    }
}

/** A task's files are those of its own partition, whichever the store's is. */
class WritesToThePartitionOfTheTask extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      override protected def pathOf(version: Version, kind: Kind): Path = {
        val path = super.pathOf(version, kind)
        Option(TaskContext.get()).fold(path)(task => new Path(path.getParent, s"${task.partitionId()}/${path.getName}"))
      }
    }
}
