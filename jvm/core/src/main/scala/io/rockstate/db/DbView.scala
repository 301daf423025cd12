package io.rockstate.db

import java.nio.file.Path

import org.rocksdb.{ReadOptions, RocksDB}

/** A database as it stood when the view was taken. Gets are safe from several threads; `close` must come after every iterator's. */
final class DbView private[db] (db: RocksDB, folder: Path, handles: NativeHandles.OfDatabase) extends AutoCloseable {
  private val snapshot = db.getSnapshot
  private val options = new ReadOptions().setSnapshot(snapshot)
  private var open = true

  handles.add()

  /** The value of `key`, or null. */
  def get(key: Array[Byte]): Array[Byte] = using(db.get(options, key))

  /** Whether `key` has a value, without copying it out. */
  def contains(key: Array[Byte]): Boolean = length(key) >= 0

  /** How many bytes the value of `key` has; -1 if it has none. */
  def length(key: Array[Byte]): Long =
    using(db.get(options, key, DbView.NoRoom)) match {
      case RocksDB.NOT_FOUND => -1L
      case length => Integer.toUnsignedLong(length)
    }

  /** An unpositioned iterator over all keys; the caller closes it before this view. */
  def iterator(): DbIterator = {
    requireOpen()
    new DbIterator(db.newIterator(options), folder, handles)
  }

  override def close(): Unit = synchronized {
    if (open) {
      open = false
      handles.remove()
      options.close()
      if (db.isOwningHandle) db.releaseSnapshot(snapshot)
    }
  }

  private def using[T](body: => T): T = {
    requireOpen()
    LocalDb.guarded(folder)(body)
  }

  private def requireOpen(): Unit = {
    LocalDb.requireOpen(db, folder)
    if (!open) throw new IllegalStateException(s"The view of the database in $folder is closed")
  }
}

private object DbView {

  /** RocksDB returns a value's length and copies as much as fits here: nothing. */
  val NoRoom = new Array[Byte](0)
}
