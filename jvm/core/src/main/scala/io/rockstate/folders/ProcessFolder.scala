package io.rockstate.folders

import java.nio.channels.{FileChannel, FileLock, OverlappingFileLockException}
import java.nio.file.{Files, Path, StandardCopyOption}
import java.nio.file.StandardOpenOption.{CREATE, READ, WRITE}
import java.util.UUID

import scala.util.control.NonFatal

/** A process's part of the machine's folder: the file `owner` in it is locked for as long as the process lives, and says since which start
  * of the machine.
  */
private[folders] final class ProcessFolder private (val path: Path, channel: FileChannel, lock: FileLock) {

  /** Lets the others take it for a dead process's. */
  def abandon(): Unit = {
    ProcessFolder.forget(path)
    lock.release()
    channel.close()
  }
}

private[folders] object ProcessFolder {
  private val Owner = "owner"
  private val Unfinished = ".new"

  /** Locks belong to the process and end with the first file that is closed: whoever comes from another class loader must not open these. */
  private val OfThisJvm = "io.rockstate.folders"

  /** A new one under `root`. It gets its name only when it is locked. */
  def create(root: Path, machineStart: String): ProcessFolder = {
    val name = UUID.randomUUID.toString
    val unfinished = Files.createDirectory(root.resolve(name + Unfinished))
    Files.writeString(unfinished.resolve(Owner), machineStart)
    val channel = FileChannel.open(unfinished.resolve(Owner), READ, WRITE)
    try {
      val lock = Option(channel.tryLock()).getOrElse(throw new java.io.IOException(s"$unfinished cannot be locked"))
      remember(name)
      new ProcessFolder(Files.move(unfinished, root.resolve(name), StandardCopyOption.ATOMIC_MOVE), channel, lock)
    } catch {
      case NonFatal(e) =>
        channel.close()
        Trees.delete(unfinished)
        throw e
    }
  }

  /** Runs `body` with what a dead process said of the machine's start, while nobody else can do so; not if it lives. */
  def ifDead(folder: Path)(body: String => Unit): Unit =
    if (!isOfThisJvm(folder) && !isBeingMade(folder)) {
      val channel = FileChannel.open(folder.resolve(Owner), CREATE, READ, WRITE)
      try
        Option(channel.tryLock()).foreach(_ => body(Files.readString(folder.resolve(Owner))))
      catch { case _: OverlappingFileLockException => }
      finally channel.close()
    }

  private def isBeingMade(folder: Path): Boolean =
    folder.getFileName.toString.endsWith(Unfinished) &&
      System.currentTimeMillis() - Files.getLastModifiedTime(folder).toMillis < 60000

  private def isOfThisJvm(folder: Path): Boolean = inThisJvm.contains(folder.getFileName.toString)

  private def inThisJvm: Set[String] = System.getProperty(OfThisJvm, "").split(' ').toSet

  private def remember(name: String): Unit = System.getProperties.synchronized {
    System.setProperty(OfThisJvm, (inThisJvm + name).mkString(" "))
    ()
  }

  private def forget(path: Path): Unit = System.getProperties.synchronized {
    System.setProperty(OfThisJvm, (inThisJvm - path.getFileName.toString).mkString(" "))
    ()
  }
}
