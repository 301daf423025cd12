package io.rockstate.folders

import java.io.IOException
import java.math.BigInteger
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{FileSystemException, Files, NoSuchFileException, Path, StandardCopyOption}
import java.nio.file.attribute.{FileTime, PosixFilePermissions}
import java.security.MessageDigest
import java.util.concurrent.TimeUnit.HOURS
import java.util.concurrent.atomic.AtomicLong

import scala.util.Try

import org.slf4j.LoggerFactory

/** The local folders of a machine's stores: of those that are open, and of those that were closed or whose process died, for the next to open
  * them.
  *
  * {{{
  * <process>/owner            locked for as long as the process lives
  * <process>/<store>-<n>/     an open store's; the file `store` in it says which
  * kept/<store>/              left behind
  * }}}
  *
  * What a process left that ended with the machine is deleted: nobody knows which of its writes reached the disk.
  *
  * @param mostKeptBytes what is left behind on this machine may take; the oldest goes first. After a day everything goes
  */
final class MachineFolders private (root: Path, process: ProcessFolder, machineStart: String, mostKeptBytes: Long) {
  import MachineFolders._

  private val log = LoggerFactory.getLogger(getClass)
  private val numbers = new AtomicLong
  private val kept = Files.createDirectories(root.resolve("kept"))
  private var sizes = Map.empty[(Path, Long), Long] // of what is kept, by folder and when it was left

  /** The folder of a store that is opened: as its last user left it, or empty.
    *
    * @param store what tells it from every other store, and says all that a database in it depends on
    */
  def open(store: String): StoreFolder = {
    val name = nameOf(store)
    val path = process.path.resolve(s"$name-${numbers.incrementAndGet()}")
    if (!takeKept(name, path)) {
      collectDead()
      if (!takeKept(name, path)) Files.createDirectory(path)
    }
    Files.writeString(path.resolve(StoreFile), store)
    new OfMachine(path, name)
  }

  /** Gives up this process's folders as if it had died. */
  private[rockstate] def abandon(): Unit = process.abandon()

  private final class OfMachine(override val path: Path, name: String) extends StoreFolder {
    override def isKept: Boolean = true

    override def keep(): Unit = {
      leave(path, name)
      trim()
    }

    override def delete(): Unit = Trees.delete(path)
  }

  private def takeKept(name: String, to: Path): Boolean =
    try {
      Files.move(kept.resolve(name), to, StandardCopyOption.ATOMIC_MOVE)
      true
    } catch { case _: NoSuchFileException => false }

  /** What was left of the store before goes. */
  private def leave(folder: Path, name: String): Unit = synchronized {
    Files.setLastModifiedTime(folder, FileTime.fromMillis(System.currentTimeMillis()))
    discard(kept.resolve(name))
    try { Files.move(folder, kept.resolve(name), StandardCopyOption.ATOMIC_MOVE); () }
    catch { case _: FileSystemException => Trees.delete(folder) } // another process has left one meanwhile
  }

  /** Takes what processes have left that ended without closing their stores. */
  private def collectDead(): Unit = synchronized {
    Trees.children(root).filter(folder => folder != kept && folder != process.path).foreach { folder =>
      try ProcessFolder.ifDead(folder)(start => collect(folder, start == machineStart))
      catch {
        case _: NoSuchFileException => // another process was quicker
        case e: IOException => log.warn(s"Could not take over or delete $folder", e)
      }
    }
  }

  private def collect(process: Path, isOfThisStart: Boolean): Unit = {
    if (isOfThisStart)
      Trees.children(process).filter(folder => Files.exists(folder.resolve(StoreFile))).foreach { folder =>
        leave(folder, nameOf(Files.readString(folder.resolve(StoreFile))))
      }
    Trees.delete(process)
    trim()
  }

  /** Deletes what is too old, and what does not fit. */
  private def trim(): Unit = synchronized {
    val now = System.currentTimeMillis()
    val all =
      Trees.children(kept).flatMap(folder => Try(folder -> Files.getLastModifiedTime(folder).toMillis).toOption)
    sizes = all.map(place => place -> sizes.getOrElse(place, Trees.bytes(place._1))).toMap
    var bytes = 0L
    all.sortBy(-_._2).foreach { case place @ (folder, left) =>
      bytes += sizes(place)
      if (bytes > mostKeptBytes || now - left > KeptMillis) discard(folder)
    }
  }

  /** Takes it out of the others' reach first. */
  private def discard(folder: Path): Unit =
    try {
      val gone = process.path.resolve(s"gone-${numbers.incrementAndGet()}")
      Files.move(folder, gone, StandardCopyOption.ATOMIC_MOVE)
      Trees.delete(gone)
    } catch { case _: NoSuchFileException => }
}

object MachineFolders {
  private val StoreFile = "store"
  private val KeptMillis = HOURS.toMillis(24)
  private val MachineStartFile = Path.of("/proc/sys/kernel/random/boot_id")

  /** Those in the folder `root`, which is made for this user alone. `IOException` if it is another's, or if nothing on this machine tells one of
    * its starts from the next.
    */
  def in(root: Path, mostKeptBytes: Long): MachineFolders =
    in(root, mostKeptBytes, Files.readString(MachineStartFile).trim)

  private[rockstate] def in(root: Path, mostKeptBytes: Long, machineStart: String): MachineFolders = {
    if (!Files.exists(root)) {
      Files.createDirectories(root.toAbsolutePath.getParent)
      Try(
        Files.createDirectory(root, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")))
      )
    }
    requireOwn(root)
    new MachineFolders(root, ProcessFolder.create(root, machineStart), machineStart, mostKeptBytes)
  }

  /** Others must not be able to put a database here that would be taken for the store's. */
  private def requireOwn(root: Path): Unit = {
    val permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(root))
    val isOwn = Files.isDirectory(root, java.nio.file.LinkOption.NOFOLLOW_LINKS) &&
      Files.getOwner(root) == Files.getOwner(Path.of("/proc/self"))
    if (!isOwn || !permissions.endsWith("------"))
      throw new IOException(s"$root must be a folder of this user's that nobody else may enter, and has $permissions")
  }

  /** A file name. */
  private def nameOf(store: String): String =
    new BigInteger(1, MessageDigest.getInstance("SHA-256").digest(store.getBytes(UTF_8))).toString(36)
}
