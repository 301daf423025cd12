package org.apache.spark.sql.execution.streaming.state.rockstate.files

import java.io.{InterruptedIOException, OutputStream}
import java.util.UUID

import scala.annotation.tailrec

import org.apache.hadoop.fs.{FileAlreadyExistsException, Path}

import org.apache.spark.sql.execution.streaming.state.rockstate.shims.CheckpointFileManager
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.CheckpointFileManager._

/** Bytes on their way to a name, as storage can bring them there. Throws what storage throws. */
private[files] trait AtomicWrite {
  def stream: OutputStream

  /** Gives the bytes their name, in place of what has it. */
  def publish(): Unit

  /** The same if nothing has the name, or if replacing it is one step; false, and nothing has happened, otherwise. */
  def publishIfAbsent(): Boolean

  def cancel(): Unit
}

private[files] object AtomicWrite {

  /** For a file on its way to this name: what is left of it is told by that (`FolderListing`). */
  def temporaryName(of: String): String = s".$of.${UUID.randomUUID}.tmp"
}

/** To storage where closing the stream gives the bytes their name, in place of what has it, as an object store does. */
private[files] trait WriteByClosing extends AtomicWrite {

  /** S3A's stream returns from an upload that was interrupted as if it had been done, and only notes the interrupt with the thread. */
  override def publish(): Unit = {
    stream.close()
    if (Thread.currentThread().isInterrupted)
      throw new InterruptedIOException("The thread was interrupted, and storage may not have the file")
  }

  override def publishIfAbsent(): Boolean = {
    publish()
    true
  }
}

/** Through a manager of which nothing is known but that closing its stream replaces the file. */
private[files] final class OneStepWrite(override val stream: CancellableFSDataOutputStream) extends WriteByClosing {
  override def cancel(): Unit = stream.cancel()
}

/** Through a manager that writes a temporary file and renames it.
  *
  * Few file systems replace a file by renaming another: most delete the old one first, and a process may die there. So the new file first
  * gets a name that readers go to when the plain one is not there (`Replacement`). Then the old file is deleted, in which moment the new one
  * takes its place; then the new file gets the plain name. Each step is one call that happens or does not.
  */
private[files] final class RenamedWrite(manager: CheckpointFileManager with RenameHelperMethods, path: Path)
    extends AtomicWrite {
  private val temporary = new Path(path.getParent, AtomicWrite.temporaryName(path.getName))
  private var isTaken = false // then the stream is closed, and its bytes are under the temporary name

  override val stream: CancellableFSDataOutputStream =
    new RenameBasedFSDataOutputStream(manager, path, temporary, overwriteIfPossible = false)

  override def publish(): Unit = if (!publishIfAbsent()) replace()

  override def publishIfAbsent(): Boolean = !isTaken && {
    isTaken = !renamed(stream.close())
    !isTaken
  }

  override def cancel(): Unit = {
    stream.cancel()
    if (isTaken) manager.delete(temporary)
  }

  private def replace(): Unit = {
    val others = manager.list(path.getParent).flatMap(status => Replacement.parse(status.getPath.getName))
    val next = named(others.filter(_.of == path.getName).map(_.number).maxOption.getOrElse(0) + 1)
    manager.delete(path)
    // If another writer has taken the plain name since, that one is the last.
    if (!renamed(manager.renameTempFile(next, path, overwriteIfPossible = false))) manager.delete(next)
  }

  /** Gives the new file the first name from this number on that nobody has. */
  @tailrec
  private def named(number: Int): Path = {
    val name = new Path(path.getParent, Replacement(path.getName, number).name)
    if (renamed(manager.renameTempFile(temporary, name, overwriteIfPossible = false))) name else named(number + 1)
  }

  private def renamed(rename: => Unit): Boolean =
    try { rename; true }
    catch { case _: FileAlreadyExistsException => false }
}
