package io.rockstate.mutants

import java.util.concurrent.CountDownLatch

import scala.collection.concurrent.TrieMap

import org.apache.hadoop.fs.Path

import io.rockstate.reference._
import io.rockstate.reference.ReferenceStore.Opening

/** A store answers the thread that began it, and refuses others. */
class AnswersOnlyTheThreadThatBegan
    extends WithStore(new ReferenceStore(_, _, _, _) {
      private val task = Thread.currentThread

      override protected def requireOpen(operation: String): Unit = {
        if (Thread.currentThread ne task) throw new IllegalStateException(s"Cannot $operation: not the task's thread")
        super.requireOpen(operation)
      }
    })

/** Only the thread of the last task can close the provider. */
class ClosesOnlyOnTheTasksThread extends ReferenceStoreProvider {
  @volatile private var task: Option[Thread] = None

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    task = Some(Thread.currentThread)
    super.store(base, before, opening)
  }

  override def close(): Unit = {
    if (task.exists(_ ne Thread.currentThread)) throw new IllegalStateException("Cannot close: not the task's thread")
    super.close()
  }
}

/** An executor that is closed ends the stores that others in its JVM have open. */
class ClosingOneEndsTheStoresOfOthers extends ReferenceStoreProvider {
  import ClosingOneEndsTheStoresOfOthers.closed

  private def whose: Path = stateStoreId.storeCheckpointLocation()

  override def close(): Unit = {
    super.close()
    closed(whose) = closed.getOrElse(whose, 0) + 1
  }

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    val known = closed.get(whose)
    new ReferenceStore(this, base, before, opening) {
      override protected def requireOpen(operation: String): Unit =
        if (closed.get(whose) != known) throw new IllegalStateException(s"Cannot $operation: the store is closed")
        else super.requireOpen(operation)
    }
  }
}

private object ClosingOneEndsTheStoresOfOthers {
  val closed: TrieMap[Path, Int] = TrieMap.empty
}

/** A provider has a thread that its close does not end. */
class CloseLeavesAThread extends ReferenceStoreProvider {
  private val isEnded = new CountDownLatch(1)

  override def close(): Unit = {
    val left = new Thread(() => isEnded.await(), "left by a store")
    left.setDaemon(true)
    left.start()
    super.close()
  }
}
