package io.rockstate.folders

import java.io.{IOException, RandomAccessFile}
import java.nio.ByteBuffer
import java.nio.channels.{FileChannel, OverlappingFileLockException}
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, NoSuchFileException, Path, StandardCopyOption}
import java.nio.file.StandardOpenOption.{READ, WRITE}
import java.util.UUID
import java.util.concurrent.atomic.AtomicLong

import scala.util.control.NonFatal

/** A process's part of the machine's folder: the file `owner` in it is locked for as long as the process lives, and says since which start
  * of the machine.
  */
private[folders] final class ProcessFolder private (val path: Path, owner: RandomAccessFile, said: Array[Byte]) {
  private val numbers = new AtomicLong

  /** A path in it that nothing has yet. */
  def newPath(name: String): Path = path.resolve(s"$name-${numbers.incrementAndGet()}")

  /** Deletes a folder, which it takes out of the others' reach first: what is cut off on the way is not found half deleted. */
  def discard(folder: Path): Unit =
    try {
      val gone = newPath(ProcessFolder.Gone)
      Files.move(folder, gone, StandardCopyOption.ATOMIC_MOVE)
      Trees.delete(gone)
    } catch { case _: NoSuchFileException => }

  /** Says that this process lives to whoever cannot see its lock, and to programs that delete old files. By what is open already: to set a
    * file's time opens and closes it, which would end the lock; nor by a channel, which is closed when its thread is interrupted.
    */
  def touch(): Unit = owner.synchronized {
    owner.seek(0)
    owner.write(said)
  }

  /** Lets the others take it for a dead process's. */
  def abandon(): Unit = {
    ProcessFolder.forget(path)
    owner.close()
  }
}

private[folders] object ProcessFolder {
  private val Owner = "owner"
  private val Unfinished = ".new"
  private val Gone = "gone"

  /** Locks belong to the process and end with the first file that is closed: whoever comes from another class loader must not open these. */
  private val OfThisJvm = "io.rockstate.folders"

  /** A new one under `root`. It gets its name only when it is locked. */
  def create(root: Path, machineStart: String): ProcessFolder = {
    val name = UUID.randomUUID.toString
    val unfinished = Files.createDirectory(root.resolve(name + Unfinished))
    val owner = new RandomAccessFile(unfinished.resolve(Owner).toFile, "rw")
    try {
      if (owner.getChannel.tryLock() == null) throw new IOException(s"$unfinished cannot be locked")
      remember(name)
      val folder = new ProcessFolder(root.resolve(name), owner, machineStart.getBytes(UTF_8))
      folder.touch()
      Files.move(unfinished, folder.path, StandardCopyOption.ATOMIC_MOVE)
      folder
    } catch {
      case NonFatal(e) =>
        owner.close()
        Trees.delete(unfinished)
        throw e
    }
  }

  /** Runs `body` with what a dead process said of the machine's start, and when it last touched its folder, while nobody else can do so; not
    * if it lives. One without its file `owner`, which says who is dead, counts as one that lives: `NoSuchFileException`.
    */
  def ifDead(folder: Path)(body: (String, Long) => Unit): Unit =
    if (!isOfThisJvm(folder) && !isBeingMade(folder)) {
      val owner = folder.resolve(Owner)
      val channel = FileChannel.open(owner, READ, WRITE)
      try
        Option(channel.tryLock()).foreach { _ =>
          val touched = Files.getLastModifiedTime(owner).toMillis
          body(textOf(channel), touched) // to open the file once more, and close it, would end the lock
        }
      catch { case _: OverlappingFileLockException => }
      finally channel.close()
    }

  private def textOf(channel: FileChannel): String = {
    val bytes = ByteBuffer.allocate(channel.size.toInt)
    while (bytes.hasRemaining && channel.read(bytes) >= 0) {}
    new String(bytes.array, 0, bytes.position(), UTF_8)
  }

  /** Whether a path in a process's folder is one that was being deleted. */
  def isGone(path: Path): Boolean = path.getFileName.toString.startsWith(s"$Gone-")

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
