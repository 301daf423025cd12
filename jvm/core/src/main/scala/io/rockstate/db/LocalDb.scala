package io.rockstate.db

import java.nio.file.{Files, Path}

import io.rockstate.errors.{OnFailure, Unavailable}

import org.rocksdb.{Checkpoint, RocksDB, RocksDBException, TickerType, WriteBatch}

/** One embedded RocksDB database on local disk; the only owner of its native handles.
  *
  * Reads go through a `DbView`, which stays as it was when it was taken. `close` must come after every view is closed. Safe to use from
  * several threads. Every failure of RocksDB surfaces as `Unavailable` with the database's folder.
  */
final class LocalDb private (db: RocksDB, options: NativeOptions, val folder: Path) extends AutoCloseable {
  private var open = true

  /** Applies a write batch (RocksDB's serialized form), wholly or not at all. */
  def write(bytes: Array[Byte]): Unit = LocalDb.guarded(folder) {
    val batch = new WriteBatch(bytes)
    try db.write(options.unlogged, batch)
    finally batch.close()
  }

  /** The newest value of `key`, or null. */
  def get(key: Array[Byte]): Array[Byte] = LocalDb.guarded(folder)(db.get(options.latest, key))

  /** What reads of all kinds found in the block cache and what they did not, since the database was opened. */
  def cacheReads: CacheReads = CacheReads(
    options.statistics.getTickerCount(TickerType.BLOCK_CACHE_HIT),
    options.statistics.getTickerCount(TickerType.BLOCK_CACHE_MISS)
  )

  /** The data as it stands now, unaffected by later writes. */
  def view(): DbView = new DbView(db, folder)

  /** Flushes, and leaves in `target` (which must not exist) a database of hard links that holds all writes up to some moment during this
    * call. Writers are not held up.
    */
  def checkpoint(target: Path): Unit = LocalDb.guarded(folder) {
    val checkpoint = Checkpoint.create(db)
    try checkpoint.createCheckpoint(target.toString)
    finally checkpoint.close()
  }

  override def close(): Unit = synchronized {
    if (open) {
      open = false
      db.close()
      options.close()
    }
  }
}

/** Blocks found in the block cache, and blocks that had to be read from the local disk. */
final case class CacheReads(hits: Long = 0, misses: Long = 0) {
  def since(earlier: CacheReads): CacheReads = CacheReads(hits - earlier.hits, misses - earlier.misses)
}

object LocalDb {

  /** Opens the database in `folder`, a new one if the folder is empty or absent. */
  def open(folder: Path, memory: NativeMemory): LocalDb = {
    Files.createDirectories(folder)
    opened(folder, memory)(options => RocksDB.open(options.database, folder.toString))
  }

  /** Opens an existing database that is only read, such as a checkpoint. */
  def openReadOnly(folder: Path, memory: NativeMemory): LocalDb =
    opened(folder, memory)(options => RocksDB.openReadOnly(options.database, folder.toString))

  private def opened(folder: Path, memory: NativeMemory)(openWith: NativeOptions => RocksDB): LocalDb = {
    val options = new NativeOptions(memory)
    OnFailure(options.close())(new LocalDb(guarded(folder)(openWith(options)), options, folder))
  }

  private[db] def guarded[T](folder: Path)(body: => T): T =
    try body
    catch {
      case e: RocksDBException =>
        throw new Unavailable(
          s"RocksDB failed on the local database: ${e.getMessage}",
          "Check free space and health of the disk that spark.local.dir is on; the task can be retried, nothing is lost in storage.",
          Some(folder.toString),
          cause = e
        )
    }
}
