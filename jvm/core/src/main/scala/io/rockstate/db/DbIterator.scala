package io.rockstate.db

import java.nio.file.Path

import org.rocksdb.RocksIterator

/** Walks a view's rows in key order, from where `seek` puts it. For one thread; close it before its view. */
final class DbIterator private[db] (iterator: RocksIterator, folder: Path, handles: NativeHandles.OfDatabase)
    extends AutoCloseable {
  handles.add()

  /** Goes to the first row whose key is not below `key`. */
  def seek(key: Array[Byte]): Unit = iterator.seek(key)

  /** Whether it stands on a row. Throws what ended it early, if anything did. */
  def isValid: Boolean = iterator.isValid || {
    LocalDb.guarded(folder)(iterator.status())
    false
  }

  def next(): Unit = iterator.next()

  /** Copies of the current row's parts. */
  def key: Array[Byte] = iterator.key()
  def value: Array[Byte] = iterator.value()

  override def close(): Unit = if (iterator.isOwningHandle) {
    handles.remove()
    iterator.close()
  }
}
