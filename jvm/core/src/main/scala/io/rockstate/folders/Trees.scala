package io.rockstate.folders

import java.io.UncheckedIOException
import java.nio.file.{DirectoryNotEmptyException, Files, NoSuchFileException, Path}
import java.nio.file.attribute.BasicFileAttributes
import java.util.Comparator

import scala.jdk.CollectionConverters._
import scala.util.Using

/** Folders with all they hold. */
private[rockstate] object Trees {

  def children(folder: Path): Vector[Path] = Using.resource(Files.list(folder))(_.iterator.asScala.toVector)

  /** Deletes a folder; one that is not there is no error, and what somebody else adds or deletes meanwhile is theirs. */
  def delete(folder: Path): Unit =
    walk(folder)(_.sorted(Comparator.reverseOrder[Path]).iterator.asScala.foreach(deleteIfEmpty))

  /** Bytes on disk: of several hard links to a file one counts. */
  def bytes(folder: Path): Long = {
    var files = Map.empty[AnyRef, Long]
    walk(folder)(_.iterator.asScala.foreach { path =>
      val attributes = Files.readAttributes(path, classOf[BasicFileAttributes])
      if (attributes.isRegularFile) files += Option(attributes.fileKey).getOrElse(path) -> attributes.size
    })
    files.values.sum
  }

  /** When the last of the files in it was written. */
  def newestMillis(folder: Path): Long = {
    var newest = 0L
    walk(folder)(_.iterator.asScala.foreach { path =>
      val attributes = Files.readAttributes(path, classOf[BasicFileAttributes])
      if (attributes.isRegularFile) newest = math.max(newest, attributes.lastModifiedTime.toMillis)
    })
    newest
  }

  private def walk(folder: Path)(visit: java.util.stream.Stream[Path] => Unit): Unit =
    try Using.resource(Files.walk(folder))(visit)
    catch {
      case _: NoSuchFileException =>
      case e: UncheckedIOException if e.getCause.isInstanceOf[NoSuchFileException] =>
    }

  private def deleteIfEmpty(path: Path): Unit =
    try { Files.deleteIfExists(path); () }
    catch { case _: DirectoryNotEmptyException => }
}
