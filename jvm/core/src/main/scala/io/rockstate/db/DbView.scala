package io.rockstate.db

import java.nio.file.Path

import org.rocksdb.{ReadOptions, RocksDB}

/** A database as it stood when the view was taken. Gets are safe from several threads; `close` must come after every iterator's. */
final class DbView private[db] (db: RocksDB, folder: Path) extends AutoCloseable {
  private val snapshot = db.getSnapshot
  private val options = new ReadOptions().setSnapshot(snapshot)
  private var open = true

  /** The value of `key`, or null. */
  def get(key: Array[Byte]): Array[Byte] = LocalDb.guarded(folder)(db.get(options, key))

  /** Whether `key` has a value, without copying it out. */
  def contains(key: Array[Byte]): Boolean = length(key) >= 0

  /** How many bytes the value of `key` has; -1 if it has none. */
  def length(key: Array[Byte]): Long =
    LocalDb.guarded(folder)(db.get(options, key, DbView.NoRoom)) match {
      case RocksDB.NOT_FOUND => -1L
      case length => Integer.toUnsignedLong(length)
    }

  /** An unpositioned iterator over all keys; the caller closes it before this view. */
  def iterator(): DbIterator = new DbIterator(db.newIterator(options), folder)

  override def close(): Unit = synchronized {
    if (open) {
      open = false
      options.close()
      db.releaseSnapshot(snapshot)
    }
  }
}

private object DbView {

  /** RocksDB returns a value's length and copies as much as fits here: nothing. */
  val NoRoom = new Array[Byte](0)
}
