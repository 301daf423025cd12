package org.apache.spark.sql.execution.streaming.state.rockstate.files

import java.io.IOException
import java.nio.file.AccessDeniedException

import scala.util.control.NonFatal

import org.apache.hadoop.fs.{ChecksumException, FSError}
import org.apache.hadoop.security.AccessControlException

import io.rockstate.errors.{CorruptFile, MissingFile, NotFound, OpenFiles, StateStoreException, Unavailable}

/** What Hadoop's file systems throw, as errors of ours that name folder, file and remedy. */
private[files] object StorageFailure {

  /** Runs `body`, which reads; what it throws becomes `NotFound`, `CorruptFile` or `Unavailable`.
    *
    * @param doing what was tried, completing "Could not ..."
    */
  def guard[A](folder: String, name: String, doing: String)(body: => A): A =
    converting {
      case cause if isMissing(cause) => missing(folder, name, cause)
      case cause if isDamage(cause) => damaged(folder, name, doing, cause)
      case cause => failed(folder, name, doing, cause)
    }(body)

  /** Runs `body`, which writes; what it throws becomes `Unavailable`. Where a folder or temporary file was taken away from under a writer, no
    * file is missing that anybody could restore.
    */
  def guardWrite[A](folder: String, name: String, doing: String)(body: => A): A =
    converting(failed(folder, name, doing, _))(body)

  private def converting[A](convert: Throwable => StateStoreException)(body: => A): A =
    try body
    catch {
      case e: StateStoreException => throw e
      // RawLocalFileSystem reports a full or failing local disk as an Error.
      case e: FSError => throw convert(e)
      case e: InterruptedException =>
        Thread.currentThread().interrupt()
        throw convert(e)
      case NonFatal(e) => throw convert(e)
    }

  private def missing(folder: String, name: String, cause: Throwable): NotFound = new NotFound(
    s"There is no such file in $folder",
    "Restore it from a backup, or use a version that does not need it",
    name,
    None,
    cause
  )

  private def damaged(folder: String, name: String, doing: String, cause: Throwable): CorruptFile = new CorruptFile(
    s"Could not $doing in $folder, its file system's checksums do not fit: ${textOf(cause)}",
    "Restore it from a backup, or use a version that does not need it",
    name,
    None,
    cause
  )

  private def failed(folder: String, name: String, doing: String, cause: Throwable): Unavailable =
    new Unavailable(
      s"Could not $doing in $folder: ${textOf(cause)}",
      remedyFor(folder, cause),
      Some(name),
      None,
      cause
    )

  def isMissing(e: Throwable): Boolean = e match {
    case MissingFile() => true
    case _ => false
  }

  /** HDFS has tried all replicas by then. */
  private def isDamage(e: Throwable): Boolean = chain(e).exists(_.isInstanceOf[ChecksumException])

  private def remedyFor(folder: String, cause: Throwable): String = cause match {
    case e if OpenFiles.areTooMany(e) => OpenFiles.Remedy
    case e if isFull(e) => s"Free space or raise the quota of ${thatIsFull(folder)}, then restart the query"
    case e if isDenied(e) =>
      s"Give the user that runs the query write access to $folder, or use another checkpoint location"
    case _: IOException => "Trying again may help; if it does not, check that the storage can be reached and has room"
    case _ => "Check the storage and the configured spark.sql.streaming.checkpointFileManagerClass"
  }

  /** Object stores have no room to run out of, but their clients keep what is to be uploaded on a disk. */
  private def thatIsFull(folder: String): String =
    if (folder.startsWith("s3"))
      s"the local disk on which uploads to $folder wait (fs.s3a.buffer.dir), or of the storage behind it"
    else s"the storage that holds $folder"

  private def isFull(cause: Throwable): Boolean =
    chain(cause).exists(e => Seq("No space left", "quota", "not enough space").exists(textOf(e).contains))

  private def isDenied(cause: Throwable): Boolean = chain(cause).exists {
    case _: AccessControlException | _: AccessDeniedException => true
    case e => Seq("Permission denied", "Read-only file system", "Access Denied").exists(textOf(e).contains)
  }

  private def chain(e: Throwable): Iterator[Throwable] = Iterator.iterate(e)(_.getCause).takeWhile(_ != null).take(10)

  private def textOf(e: Throwable): String = Option(e.getMessage).getOrElse(e.getClass.getName)
}
