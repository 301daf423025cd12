package io.rockstate.engine

import io.rockstate.db.{LocalDb, WriteBatches}
import io.rockstate.format.TableFile

/** A local database that holds exactly one committed version of the store, shared by the transactions that read from it.
  *
  * Who uses it holds it (`retain`) and lets go (`release`); the last one to let go closes it and runs `onClose`.
  */
private[engine] final class LoadedDb(val db: LocalDb, loaded: CommittedVersion, onClose: LoadedDb => Unit) {
  private var holders = 1
  private var headVersion = loaded
  private var snapshot = StoredSnapshot(0, Vector.empty)
  private var deltaBytes = 0L

  /** The version it holds. */
  def head: CommittedVersion = synchronized(headVersion)

  /** The newest snapshot in storage that this database is known to go back to. */
  def lastSnapshot: StoredSnapshot = synchronized(snapshot)

  /** Size of the deltas applied since `lastSnapshot`. */
  def bytesSinceSnapshot: Long = synchronized(deltaBytes)

  def noteSnapshot(stored: StoredSnapshot): Unit = synchronized {
    snapshot = stored
    deltaBytes = 0
  }

  /** Runs `body` on the version it holds, if that is the one that is wanted, and keeps it there meanwhile. */
  def holding[T](isWanted: CommittedVersion => Boolean)(body: CommittedVersion => T): Option[T] = synchronized {
    Option.when(holders > 0 && isWanted(headVersion))(body(headVersion))
  }

  /** Applies the changes that lead from `base` to `next`; false, and nothing done, if it does not hold `base` (any more).
    *
    * @param bytes size of the delta that holds these changes
    */
  def advance(base: CommittedVersion, next: CommittedVersion, bytes: Long)(changes: WriteBatches => Unit): Boolean =
    synchronized {
      val holdsBase = headVersion eq base
      if (holdsBase) {
        val collector = new WriteBatches
        changes(collector)
        val batches = collector.result()
        if (batches.sizeIs > 1) write(CommittedVersion.PartlyApplied)
        db.write((batches.dropRight(1) :+ closing(batches.lastOption, next)).iterator)
        headVersion = next
        deltaBytes += bytes
      }
      holdsBase
    }

  def retain(): Boolean = synchronized {
    val isOpen = holders > 0
    if (isOpen) holders += 1
    isOpen
  }

  def release(): Unit = {
    val isLast = synchronized {
      holders -= 1
      holders == 0
    }
    if (isLast) {
      db.close()
      onClose(this)
    }
  }

  /** The last batch, with the version record in it, so that both take effect in one step. */
  private def closing(last: Option[Array[Byte]], next: CommittedVersion): Array[Byte] =
    WriteBatches.withPut(last, CommittedVersion.RecordKey, next.toBytes)

  private def write(marker: Array[Byte]): Unit =
    db.write(Iterator(WriteBatches.withPut(None, CommittedVersion.RecordKey, marker)))
}

/** A snapshot in storage, as the database that was made from it or that it was made from remembers it. Version 0: there is none. */
private[engine] final case class StoredSnapshot(version: Long, tables: Vector[TableFile]) {
  def tableBytes: Long = tables.map(_.length).sum
}
