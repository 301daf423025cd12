package io.rockstate.mutants

import java.io.IOException

import scala.collection.concurrent.TrieMap

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.StateStoreId

import io.rockstate.reference._
import io.rockstate.reference.ReferenceStore.Opening

/** What an aborted transaction wrote stays in memory: the next one on the same version goes on from it. */
class KeepsAbortedWrites extends ReferenceStoreProvider {
  private val aborted = TrieMap.empty[Version, Contents]

  override protected def load(version: Version): Contents = aborted.getOrElse(version, super.load(version))

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override def abort(): Unit = {
        if (isOpen) aborted(this.base) = contents
        super.abort()
      }
    }
}

/** Scans show what another open transaction on the same version, also of another executor, has written so far. */
class LeaksUncommittedWritesIntoScans extends ReferenceStoreProvider {
  import LeaksUncommittedWritesIntoScans.uncommitted

  override def visible(store: ReferenceStore, family: String): Map[UnsafeRow, Vector[UnsafeRow]] =
    uncommitted.get((store.id, store.base)) match {
      case Some(other) if (other ne store) && other.isOpen =>
        super.visible(store, family) ++ other.contents.families
          .get(family)
          .fold(Map.empty[UnsafeRow, Vector[UnsafeRow]])(_.rows)
      case _ => super.visible(store, family)
    }

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override protected def write(change: Change): Unit = {
        super.write(change)
        uncommitted((id, this.base)) = this
      }
    }
}

private object LeaksUncommittedWritesIntoScans {
  val uncommitted: TrieMap[(StateStoreId, Version), ReferenceStore] = TrieMap.empty
}

/** A store that has committed takes writes, and loses them. */
class AllowsPutAfterCommit
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override protected def requireOpen(operation: String): Unit =
        if (!hasCommitted || operation == "commit") super.requireOpen(operation)
    })

/** An aborted store goes on, and can be committed. */
class AbortDoesNotEndTheStore
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def abort(): Unit = ()
    })

/** Aborting a store again is an error. */
class AbortThrowsSecondTime
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def abort(): Unit = {
        requireOpen("abort")
        super.abort()
      }
    })

/** Aborting a store again never returns. */
class AbortHangsSecondTime
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def abort(): Unit = {
        if (!isOpen) Thread.sleep(Long.MaxValue)
        super.abort()
      }
    })

/** A store that was aborted says that it has committed. */
class SaysCommittedAfterAbort
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def hasCommitted: Boolean = !isOpen
    })

/** A commit is said to have succeeded although its file could not be written. */
class ReportsCommitBeforeItIsDurable extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      override protected def publish(path: Path, bytes: Array[Byte]): Unit =
        try super.publish(path, bytes)
        catch { case _: IOException => }
    }
}

/** A commit without a change does not count as one. */
class CommitOfNoChangeIsNone
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def hasCommitted: Boolean = super.hasCommitted && changes.nonEmpty
    })
