package io.rockstate.engine.storage

import java.io.{IOException, UncheckedIOException}
import java.nio.file.{Files, Path}
import java.util.UUID
import java.util.concurrent.atomic.AtomicLong

import scala.collection.mutable
import scala.util.control.NonFatal

import org.slf4j.LoggerFactory

import io.rockstate.errors.{Misuse, OnFailure, OpenFiles, Unavailable}
import io.rockstate.files.FileNames
import io.rockstate.folders.{FailedMark, StoreFolder}
import io.rockstate.folders.Trees.{children, delete => deleteTree}

/** A store's folder on local disk: databases, checkpoints of them, and the table files known from storage.
  *
  * {{{
  * db-<n>/            a database
  * checkpoint-<n>/    a checkpoint on its way to storage
  * tables/<unique>    table files under the names they have in storage; databases hold hard links to them
  * }}}
  */
private[engine] final class LocalFolder(folder: StoreFolder) {
  import LocalFolder._

  def path: Path = folder.path

  private val tables = path.resolve("tables")
  private val inUse = mutable.Map.empty[Path, Int].withDefaultValue(0) // how many calls of `usingTables` name the file
  private val open = mutable.Set.empty[Path] // databases
  onDisk(path)(Files.createDirectories(tables))

  /** The databases that an earlier engine of the store left here, the newest first. */
  val left: Vector[Path] = children(path).filter(isDatabase).sortBy(-numberOf(_))

  private var kept = left.headOption // what stays when it is closed
  private var isNewer = false // than what was left here
  private var isClosed = false
  private var isDeleted = false
  private val numbers = new AtomicLong(left.headOption.fold(0L)(numberOf))
  children(path).filter(isCheckpoint).foreach(deleteTree)
  children(tables).filter(isPartial).foreach(Files.deleteIfExists(_))

  def newDatabase(): Path = onDisk(path) {
    val database = path.resolve(s"$Database${numbers.incrementAndGet()}")
    opening(database)
    OnFailure(closed(database))(Files.createDirectories(database))
  }

  /** Takes note that the database in this folder is being opened. Its folder goes when it is closed, unless it is kept. */
  def opening(database: Path): Unit = tables.synchronized {
    if (isClosed) throw closedAlready
    open += database
    ()
  }

  def isOpen(database: Path): Boolean = tables.synchronized(open(database))

  /** Has the folder of this database, which was left here, stay when it is closed, and no other. */
  def keepFound(database: Path): Unit = tables.synchronized { kept = Some(database) }

  /** Has the folder of this database stay when it is closed, in the place of whatever was left before. */
  def keepWhenClosed(database: Path): Unit = tables.synchronized {
    kept = Some(database)
    isNewer = true
  }

  /** What cannot be deleted now goes with the store's folder: who lets go of a database last may have a transaction to hand out, or have stored a
    * delta.
    */
  def closed(database: Path): Unit =
    try ended(database)
    catch { case NonFatal(e) => log.warn(s"Could not delete $database", e) }

  /** With a database that goes, the mark goes that RocksDB failed on it: what it shared with others goes first. After the close the last of
    * them takes along what was on its way here meanwhile.
    */
  private def ended(database: Path): Unit = {
    val (isKept, isLast) = tables.synchronized {
      open -= database
      (kept.contains(database), isDeleted && open.isEmpty)
    }
    if (isLast) deleteTree(path)
    else if (!isKept) {
      if (FailedMark.isSet(database)) retainTables(Nil)
      deleteTree(database)
    }
  }

  /** Deletes a database, now or when it is closed. */
  def discard(database: Path): Unit = {
    val isOpen = tables.synchronized {
      if (kept.contains(database)) kept = None
      open(database)
    }
    if (!isOpen) ended(database)
  }

  /** A folder that does not exist yet. */
  def newCheckpoint(): Path = path.resolve(s"$Checkpoint${numbers.incrementAndGet()}")

  /** Where the table file `remoteName` is or belongs. */
  def table(remoteName: String): Path = tables.resolve(FileNames.listedName(remoteName))

  /** Under a name that no other has: a download that was given up may still be under way when the next engine is here. */
  def newPartial(): Path = tables.resolve(s"$Partial${UUID.randomUUID()}")

  /** Runs `body`, during which none of these table files is deleted: neither those that are there already nor those that come. */
  def usingTables[T](remoteNames: Iterable[String])(body: => T): T = {
    val files = remoteNames.map(table).toSet
    tables.synchronized(files.foreach(file => inUse(file) += 1))
    try body
    finally
      tables.synchronized {
        files.foreach { file =>
          inUse(file) -= 1
          if (inUse(file) == 0) inUse -= file
        }
      }
  }

  /** Deletes the table files that are not in `remoteNames` and that nobody uses; databases that hold them keep their own links. */
  def retainTables(remoteNames: Iterable[String]): Unit = {
    val wanted = remoteNames.map(table).toSet
    tables.synchronized {
      children(tables)
        .filterNot(file => wanted(file) || inUse.contains(file) || isPartial(file))
        .foreach(Files.deleteIfExists(_))
    }
  }

  /** Deletes the table files that nobody uses if RocksDB has failed on a database here: one of them may be what has gone bad. */
  def distrustTables(): Unit =
    if (children(path).exists(place => isDatabase(place) && FailedMark.isSet(place))) retainTables(Nil)

  /** Deletes what is needed no more of what other stores have left. */
  def tidy(): Unit = folder.tidy()

  /** Runs what needs the disk. If that is what fails, it gives what other stores have left, for the next attempt. Files that an interrupt
    * closes are no failure of the disk.
    */
  def makingRoom[T](body: => T): T =
    try body
    catch {
      case e: Unavailable if e.file.exists(isHere) =>
        val isGone = tables.synchronized(isClosed)
        if (!isGone && !Thread.currentThread.isInterrupted) makeRoom()
        throw (if (isGone) closedAlready else e)
    }

  /** Deletes what other stores have left. */
  def makeRoom(): Unit = folder.makeRoom()

  /** Whether it is storage that failed, and not this disk, the JVM or who waits for it: then it may do the same for that file each time. */
  def isOfStorage(failure: Unavailable): Boolean =
    failure.file.exists(!isHere(_)) && !Thread.currentThread.isInterrupted

  private def isHere(file: String): Boolean = file.startsWith(path.toString)

  /** Whether what is in here when it closes is there for the next engine. */
  def isKept: Boolean = folder.isKept

  /** Leaves to the store's next engine the table files and the database that is kept, if it is closed. What somebody still has open goes. */
  def close(): Unit = {
    val (isFirst, isLeft) = tables.synchronized {
      val isFirst = !isClosed
      isClosed = true
      val isLeft = folder.isKept && open.isEmpty
      if (isFirst && !isLeft) isDeleted = true
      (isFirst, isLeft)
    }
    if (isFirst && isLeft) {
      children(path).filter(place => isDatabase(place) && !kept.contains(place)).foreach(deleteTree)
      if (isNewer && kept.isDefined) folder.keep() else folder.putBack()
    } else if (isFirst) folder.delete()
  }
}

private[engine] object LocalFolder {
  private val log = LoggerFactory.getLogger(classOf[LocalFolder])
  private val Database = "db-"
  private val Checkpoint = "checkpoint-"
  private val Partial = "partial-"

  private def isDatabase(path: Path): Boolean = startsWith(path, Database)
  private def isCheckpoint(path: Path): Boolean = startsWith(path, Checkpoint)
  private def isPartial(path: Path): Boolean = startsWith(path, Partial)
  private def numberOf(database: Path): Long =
    database.getFileName.toString.stripPrefix(Database).toLongOption.getOrElse(0)
  private def startsWith(path: Path, prefix: String): Boolean = path.getFileName.toString.startsWith(prefix)

  /** Runs what reads or writes local files; a failure of the disk becomes `Unavailable`. */
  def onDisk[T](place: Path)(body: => T): T =
    try body
    catch {
      case e: IOException => throw failed(place, e)
      case e: UncheckedIOException => throw failed(place, e.getCause)
    }

  private def closedAlready = new Misuse(
    "The store was closed while a version was being loaded",
    "Ask Spark for the provider again; this instance was unloaded."
  )

  private def failed(place: Path, cause: IOException): Unavailable =
    if (OpenFiles.areTooMany(cause)) OpenFiles.tooMany(place, cause)
    else
      new Unavailable(
        s"The local disk failed: $cause",
        "Free space on the disk that spark.local.dir is on, or name a larger one, and run the task again; nothing is lost in storage.",
        Some(place.toString),
        cause = cause
      )
}
