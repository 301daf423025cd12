package io.rockstate.engine.storage

import java.io.{IOException, UncheckedIOException}
import java.nio.file.{DirectoryNotEmptyException, Files, NoSuchFileException, Path}
import java.util.Comparator
import java.util.concurrent.atomic.AtomicLong

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Using

import io.rockstate.errors.Unavailable
import io.rockstate.files.FileNames

/** A store's folder on local disk: databases, checkpoints of them, and the table files known from storage.
  *
  * {{{
  * db-<n>/            a database
  * checkpoint-<n>/    a checkpoint on its way to storage
  * tables/<unique>    table files under the names they have in storage; databases hold hard links to them
  * }}}
  */
private[engine] final class LocalFolder(val path: Path) {
  private val numbers = new AtomicLong
  private val tables = path.resolve("tables")
  private val inUse = mutable.Map.empty[Path, Int].withDefaultValue(0) // how many calls of `usingTables` name the file
  Files.createDirectories(tables)

  def newDatabase(): Path =
    LocalFolder.onDisk(path)(Files.createDirectories(path.resolve(s"db-${numbers.incrementAndGet()}")))

  /** A folder that does not exist yet. */
  def newCheckpoint(): Path = path.resolve(s"checkpoint-${numbers.incrementAndGet()}")

  /** Where the table file `remoteName` is or belongs. */
  def table(remoteName: String): Path = tables.resolve(FileNames.listedName(remoteName))

  def newPartial(): Path = tables.resolve(s"partial-${numbers.incrementAndGet()}")

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
      LocalFolder
        .children(tables)
        .filterNot(file => wanted(file) || inUse.contains(file) || file.getFileName.toString.startsWith("partial-"))
        .foreach(Files.deleteIfExists(_))
    }
  }

  def deleteAll(): Unit = LocalFolder.deleteTree(path)
}

private[engine] object LocalFolder {

  /** Runs what reads or writes local files; a failure of the disk becomes `Unavailable`. */
  def onDisk[T](place: Path)(body: => T): T =
    try body
    catch {
      case e: IOException => throw failed(place, e)
      case e: UncheckedIOException => throw failed(place, e.getCause)
    }

  private def failed(place: Path, cause: IOException): Unavailable = new Unavailable(
    s"The local disk failed: $cause",
    "Free space on the disk that spark.local.dir is on, or name a larger one, and run the task again; nothing is lost in storage.",
    Some(place.toString),
    cause = cause
  )

  def children(folder: Path): Vector[Path] = Using.resource(Files.list(folder))(_.iterator.asScala.toVector)

  /** Deletes a folder with all it holds; one that is not there is no error, and what somebody else adds or deletes meanwhile is theirs. */
  def deleteTree(folder: Path): Unit =
    try
      Using.resource(Files.walk(folder))(
        _.sorted(Comparator.reverseOrder[Path]).iterator.asScala.foreach(deleteIfEmpty)
      )
    catch {
      case _: NoSuchFileException =>
      case e: UncheckedIOException if e.getCause.isInstanceOf[NoSuchFileException] =>
    }

  private def deleteIfEmpty(path: Path): Unit =
    try { Files.deleteIfExists(path); () }
    catch { case _: DirectoryNotEmptyException => }
}
