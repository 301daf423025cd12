package io.rockstate.mutants

import java.util.concurrent.atomic.AtomicInteger

import scala.collection.concurrent.TrieMap

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.{ReadStateStore, RecordType, StateStoreId}
import org.apache.spark.sql.execution.streaming.state.rockstate.reference.Records

import io.rockstate.reference._
import io.rockstate.reference.Pairs.Pairs
import io.rockstate.reference.ReferenceStore.Opening
import io.rockstate.reference.StateFiles.{DeltaFile, Kind}

/** A store's place in its process is one, whichever instance has it: closed by one, it is closed for the next. */
class ClosingEndsTheInstanceAfterIt extends ReferenceStoreProvider {
  import ClosingEndsTheInstanceAfterIt.closed

  private val closedBefore = new TrieMap[StateStoreId, Int]

  private def closings: Int = closed.getOrElse(stateStoreId, 0)

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    val known = closedBefore.getOrElseUpdate(stateStoreId, closings)
    new ReferenceStore(this, base, before, opening) {
      override protected def requireOpen(operation: String): Unit = {
        if (closings > known) throw new IllegalStateException(s"Cannot $operation: the store was closed")
        super.requireOpen(operation)
      }
    }
  }

  override def close(): Unit = {
    super.close()
    closed(stateStoreId) = closings + 1
  }
}

private object ClosingEndsTheInstanceAfterIt {
  val closed: TrieMap[StateStoreId, Int] = TrieMap.empty
}

/** What a version has for a snapshot is decided by the first attempt at it here. */
class SnapshotsTheFirstAttemptHere extends RemembersItsCommit {
  private val first = TrieMap.empty[Long, Contents]

  override def commit(store: ReferenceStore): ReferenceStore.Committed = {
    first.putIfAbsent(store.base.number + 1, store.contents)
    super.commit(store)
  }

  override protected def snapshotOf(version: Version): Contents =
    first.getOrElse(version.number, super.snapshotOf(version))
}

/** A version that has a snapshot needs no delta any more. */
class SnapshotsReplaceDeltas extends ReferenceStoreProvider {
  override def doMaintenance(): Unit = {
    super.doMaintenance()
    for ((version, StateFiles.SnapshotFile) <- files.list() if files.exists(version, DeltaFile))
      files.delete(version, DeltaFile)
  }
}

/** Every so many versions a snapshot is made: of none there is no remainder. */
class DividesByMinDeltas extends ReferenceStoreProvider {
  override protected def takeSnapshotIfDue(version: Version): Unit =
    if (version.number % conf.minDeltasForSnapshot == 0) super.takeSnapshotIfDue(version)
}

/** A file in the folder that is neither delta nor snapshot ends the listing. */
class TakesOtherFilesForDamage extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      override def list(): Seq[(Version, Kind)] = {
        val others =
          statuses.filter(_.isFile).map(_.getPath.getName)
        others.find(name => !name.contains(".delta") && !name.contains(".snapshot")).foreach { name =>
          throw new CorruptFile(s"$name is no file of a store")
        }
        super.list()
      }
    }
}

/** Whoever reads leaves a mark in the folder. */
class MarksWhatIsRead extends ReferenceStoreProvider {
  @volatile private var mark: SmallFile = _

  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles = {
    mark = new SmallFile(new Path(folder, "_read"), hadoopConf)
    super.filesIn(folder, hadoopConf)
  }

  override def getReadStore(version: Long, id: Option[String]): ReadStateStore = {
    mark.orElse("read")
    super.getReadStore(version, id)
  }
}

/** A change feed leaves a file open for each change. */
class FeedLeavesAFileOpen extends ReferenceStoreProvider {
  override protected def isOf(change: KeyChange, family: String): Boolean = {
    files.openOne()
    super.isOf(change, family)
  }
}

/** A change feed has a file open until its last change. */
class FeedEndsAtItsLastChangeOnly extends ReferenceStoreProvider {
  override def getStateStoreChangeDataReader(
      first: Long,
      last: Long,
      family: Option[String],
      lastId: Option[String]
  ): Records = {
    val (file, all) = (files.openOne(), super.getStateStoreChangeDataReader(first, last, family, lastId))
    new Records(new Iterator[(RecordType.Value, UnsafeRow, UnsafeRow, Long)] {
      override def hasNext: Boolean = all.hasNext || { file.close(); false }
      override def next(): (RecordType.Value, UnsafeRow, UnsafeRow, Long) = all.next()
    })
  }
}

/** Keys of internal families count if they have several values. */
class CountsKeysOfInternalLists
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override protected def numKeys: Long =
        super.numKeys + contents.families.values.filter(_.isInternal).map(_.rows.count(_._2.size > 1).toLong).sum
    })

/** A transaction has a thousand iterators at most. */
class HasAThousandIteratorsAtMost
    extends WithStore(new ReferenceStore(_, _, _, _) {
      private var opened = 0

      override def iterator(family: String): Pairs = {
        opened += 1
        if (opened > 1000) throw new IllegalStateException("Too many iterators are open")
        super.iterator(family)
      }
    })

/** A process has a hundred transactions at most. */
class HasAHundredTransactionsAtMost extends ReferenceStoreProvider {
  import HasAHundredTransactionsAtMost.open

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    if (open.incrementAndGet() > 100) throw new IllegalStateException("Too many transactions are open")
    new ReferenceStore(this, base, before, opening) {
      override def commit(): Long = {
        open.decrementAndGet()
        super.commit()
      }
    }
  }
}

private object HasAHundredTransactionsAtMost {
  val open = new AtomicInteger
}
