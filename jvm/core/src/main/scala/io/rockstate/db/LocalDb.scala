package io.rockstate.db

import java.io.IOException
import java.nio.file.{Files, Path}
import java.util.concurrent.ConcurrentHashMap

import scala.util.Using

import org.rocksdb.{Checkpoint, FlushOptions, Options, RocksDB, RocksDBException, SstFileReader, Status, WriteBatch}
import org.slf4j.LoggerFactory

import io.rockstate.errors.{CorruptFile, OnFailure, OpenFiles, Unavailable}
import io.rockstate.folders.{FailedMark, Trees}

/** One embedded RocksDB database on local disk; the only owner of its native handles.
  *
  * Reads go through a `DbView`, which stays as it was when it was taken. `close` must come after every view is closed. Safe to use from
  * several threads. Every failure of RocksDB surfaces as `Unavailable` with the database's folder.
  */
final class LocalDb private (db: RocksDB, memory: NativeMemory, filters: FilterRoom#Share, val folder: Path)
    extends AutoCloseable {
  private val options = memory.options
  private var open = true
  private var filtersWrites = false
  private val handles = new NativeHandles.OfDatabase

  handles.add()

  /** Applies a write batch (RocksDB's serialized form), wholly or not at all. */
  def write(bytes: Array[Byte]): Unit = using {
    val batch = new WriteBatch(bytes)
    try db.write(options.unlogged, batch)
    finally batch.close()
  }

  /** The newest value of `key`, or null. */
  def get(key: Array[Byte]): Array[Byte] = using(db.get(options.latest, key))

  /** What this thread has found in the block cache and what it has read from the local disk, in all databases. */
  def cacheReads: CacheReads = {
    LocalDb.requireOpen(db, folder)
    val counts = db.getPerfContext
    CacheReads(counts.getBlockCacheHitCount, counts.getBlockReadCount, Thread.currentThread.getId)
  }

  /** The data as it stands now, unaffected by later writes. */
  def view(): DbView = {
    LocalDb.requireOpen(db, folder)
    new DbView(db, folder, handles)
  }

  /** Flushes, and leaves in `target` (which must not exist) a database of hard links that holds all writes up to some moment during this
    * call. Writers are not held up. What it says of its table files is copied, and read here: RocksDB has its own in memory, and would not find
    * out that what is on the disk has gone bad.
    */
  def checkpoint(target: Path): Unit = using {
    val checkpoint = Checkpoint.create(db)
    try checkpoint.createCheckpoint(target.toString)
    finally checkpoint.close()
    LocalDb.requireReadable(target) {
      Using.resource(new Options)(!RocksDB.listColumnFamilies(_, target.toString).isEmpty)
    }
  }

  /** Reads a table file of it, or a link to one, and fails on it as on a read if a block is not what its checksum says. It is nothing of the
    * database's if the file is gone: an upload that was given up has deleted its links.
    */
  def verify(table: Path): Unit = using {
    val options = new Options
    val reader = new SstFileReader(options) // a cache has no use for what is read once
    try {
      reader.open(table.toString)
      reader.verifyChecksum()
    } catch {
      case e: RocksDBException if !Files.exists(table) =>
        throw new Unavailable(
          s"A table file is gone: ${e.getMessage}",
          "Nothing is lost; the next snapshot is made of the database itself.",
          Some(table.toString),
          cause = e
        )
    } finally {
      reader.close()
      options.close()
    }
  }

  /** Takes note of how many rows it has now. Many are read often enough that its write buffers are worth a filter each, if they are large. */
  def noteRows(rows: Long): Unit = {
    filters.note(rows)
    if (rows >= LocalDb.ManyRows && memory.writeBuffersEach >= LocalDb.LargeWriteBuffers) filterWrites()
  }

  /** Whether it would be read faster if it were opened anew: it has filters that there is no room for. */
  def isOutgrown: Boolean = filters.isOutgrown

  /** For good. A database that cannot take the option is as good without. */
  private def filterWrites(): Unit = synchronized {
    if (open && !filtersWrites) {
      filtersWrites = true
      try db.setOptions(NativeOptions.filteredWrites)
      catch { case e: RocksDBException => LocalDb.log.info(s"The write buffers of $folder have no filters", e) }
    }
  }

  /** Has the disk hold all that was written so far: the database can be closed and opened again. */
  def flush(): Unit = using {
    val options = new FlushOptions().setWaitForFlush(true)
    try db.flush(options)
    finally options.close()
  }

  /** Whether RocksDB has failed on it, in a read or a write: its files are not to be trusted. */
  def hasFailed: Boolean = LocalDb.failed.contains(folder)

  /** Ends flushes and compactions for good, at once or at the next step of those that are under way. Reads and writes still work. */
  private[db] def endBackgroundWork(waiting: Boolean): Unit = synchronized {
    if (open) db.cancelAllBackgroundWork(waiting)
  }

  override def close(): Unit = {
    OpenDatabases.remove(this)
    synchronized {
      if (open) {
        open = false
        filters.note(0)
        if (handles.remove() > 0) NativeHandles.countTooEarly()
        db.close()
        LocalDb.forget(folder)
      }
    }
  }

  private def using[T](body: => T): T = {
    LocalDb.requireOpen(db, folder)
    LocalDb.guarded(folder)(body)
  }
}

/** Blocks that a thread found in the block cache, and blocks that it had to read from the local disk. */
final case class CacheReads(hits: Long = 0, misses: Long = 0, thread: Long = -1) {

  /** What the thread read meanwhile; nothing if `earlier` is another one's. */
  def since(earlier: CacheReads): CacheReads =
    if (thread == earlier.thread) CacheReads(hits - earlier.hits, misses - earlier.misses, thread) else CacheReads()
}

object LocalDb {
  private val log = LoggerFactory.getLogger(classOf[LocalDb])
  private val failed = ConcurrentHashMap.newKeySet[Path]() // folders of open databases

  private val ManyRows = 1000000L

  /** Of many small ones each would be a filter for the most part. */
  private val LargeWriteBuffers = 4L << 20

  /** Fails if RocksDB cannot read what says which files are the database's. Its Java class tells nothing of what it met, but lists no column
    * family then: files that cannot even be opened, for want of descriptors perhaps, say nothing of what is in them.
    */
  private[db] def requireReadable(database: Path)(isRead: => Boolean): Unit = if (!isRead) {
    requireOpening(database)
    if (!isRead) {
      val corrupt = new Status(Status.Code.Corruption, Status.SubCode.None, "its MANIFEST cannot be read")
      throw new RocksDBException(corrupt.getState, corrupt)
    }
  }

  private def requireOpening(database: Path): Unit =
    try
      Trees.children(database).filterNot(_.getFileName.toString.endsWith(".sst")).foreach { file =>
        Files.newInputStream(file).close()
      }
    catch {
      case e: IOException if OpenFiles.areTooMany(e) => throw OpenFiles.tooMany(database, e)
      case e: IOException => throw unavailable(database, e)
    }

  private def forget(folder: Path): Unit = { failed.remove(folder); () }

  /** Opens the database in `folder`, a new one if the folder is empty or absent. `CorruptFile` if it is none that RocksDB can open.
    *
    * @param rows how many it has, about: what is best for it depends on that
    */
  def open(folder: Path, memory: NativeMemory, rows: Long = 0): LocalDb = {
    Files.createDirectories(folder)
    val filters = memory.filterRoom.share(rows)
    OnFailure(filters.note(0))(opened(folder, memory, filters))
  }

  private def opened(folder: Path, memory: NativeMemory, filters: FilterRoom#Share): LocalDb = {
    val rocks = OnFailure(forget(folder)) {
      guarded(folder) {
        try RocksDB.open(memory.options.database(filters.hasAll), folder.toString)
        catch {
          case e: RocksDBException if isOfItsFiles(e) =>
            FailedMark.set(folder)
            throw unreadable(folder, e)
          case e: RocksDBException if isOfFullDisk(e) => throw unavailable(folder, e) // its files are as they were
        }
      }
    }
    val db = new LocalDb(rocks, memory, filters, folder)
    if (!OpenDatabases.add(db)) {
      db.close()
      throw ending()
    }
    db
  }

  /** An error of ours where RocksDB would end the process, as far as that can be seen without a lock. */
  private[db] def requireOpen(db: RocksDB, folder: Path): Unit =
    if (!db.isOwningHandle) throw new IllegalStateException(s"The database in $folder is closed")

  private[db] def guarded[T](folder: Path)(body: => T): T =
    try body
    catch {
      case e: RocksDBException if Option(e.getStatus).exists(_.getCode == Status.Code.ShutdownInProgress) =>
        throw ending(e)
      case e: RocksDBException if OpenFiles.areTooMany(e) =>
        failed.add(folder) // this database may be of no more use; its files are
        throw OpenFiles.tooMany(folder, e)
      case e: RocksDBException =>
        failed.add(folder)
        FailedMark.set(folder)
        throw unavailable(folder, e)
    }

  private def unavailable(folder: Path, cause: Exception) = new Unavailable(
    s"RocksDB failed on the local database: ${cause.getMessage}",
    "Check free space and health of the disk that spark.local.dir is on; the task can be retried, nothing is lost in storage.",
    Some(folder.toString),
    cause = cause
  )

  /** Whether RocksDB has failed because the disk is full. */
  def lacksRoom(failure: Unavailable): Boolean = failure.getCause match {
    case e: RocksDBException => isOfFullDisk(e)
    case _ => false
  }

  /** Whether RocksDB has failed on what is in its files, and not for want of something. */
  def cannotRead(failure: Unavailable): Boolean = failure.file.isDefined && (failure.getCause match {
    case e: RocksDBException => !isOfFullDisk(e)
    case _ => false
  })

  private def isOfFullDisk(e: RocksDBException): Boolean =
    Option(e.getStatus).exists(_.getSubCode == Status.SubCode.NoSpace)

  /** Whether the fault is in what the files say, and not in the disk that they are on. */
  private def isOfItsFiles(e: RocksDBException): Boolean = Option(e.getStatus).map(_.getCode).exists {
    case Status.Code.Corruption | Status.Code.InvalidArgument | Status.Code.NotSupported => true
    case _ => e.getMessage.contains("No such file")
  }

  private def unreadable(folder: Path, cause: RocksDBException): CorruptFile = new CorruptFile(
    s"RocksDB cannot open the database: ${cause.getMessage}",
    "Load it anew from storage.",
    folder.toString,
    cause = cause
  )

  /** It names no file: there is nothing wrong with any. */
  private def ending(cause: Throwable = null): Unavailable =
    new Unavailable(
      "This JVM is ending",
      "Nothing is lost in storage; the task can be run again elsewhere.",
      file = None,
      cause = cause
    )
}
