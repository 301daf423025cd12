package io.rockstate.folders

import java.io.{IOException, UncheckedIOException}
import java.math.BigInteger
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, LinkOption, NoSuchFileException, Path}
import java.nio.file.attribute.{PosixFileAttributes, PosixFilePermissions}
import java.security.MessageDigest
import java.util.concurrent.TimeUnit.MINUTES
import java.util.concurrent.atomic.AtomicLong

import scala.util.Try

import org.slf4j.LoggerFactory

import io.rockstate.errors.OnFailure

/** The local folders of a machine's stores: of those that are open, and of those that were closed or whose process died, for the next to open
  * them.
  *
  * {{{
  * <process>/owner            locked for as long as the process lives
  * <process>/<store>-<n>/     an open store's; the file `store` in it says which
  * kept/<start>/<store>/      left behind since that start of the machine
  * }}}
  *
  * What a process left that ended with the machine is deleted: nobody knows which of its writes reached the disk.
  */
final class MachineFolders private (root: Path, process: ProcessFolder, start: MachineStart, mostKeptBytes: Long) {
  import MachineFolders._

  private val log = LoggerFactory.getLogger(getClass)
  private val tidied = new AtomicLong(System.nanoTime())
  private val kept = new KeptStores(root, start, process, mostKeptBytes)

  /** The folder of a store that is opened: as its last user left it, or empty. If the disk is full, it is tried once more without what
    * others have left.
    *
    * @param store what tells it from every other store, and says all that a database in it depends on
    */
  def open(store: String): StoreFolder =
    try opened(store)
    catch {
      case e: IOException if isFull =>
        log.warn(s"The disk of $root is full; what stores have left there is deleted to make room", e)
        kept.clear()
        opened(store)
    }

  private def isFull: Boolean = Try(Files.getFileStore(root).getUsableSpace).toOption.exists(_ < FullBytes)

  private def opened(store: String): StoreFolder = {
    process.touch()
    val name = nameOf(store)
    val path = process.newPath(name)
    val isFound = kept.take(name, path) || {
      collectDead()
      kept.take(name, path)
    }
    OnFailure(if (isFound) kept.leaveIfNone(path, name) else Trees.delete(path)) {
      if (!isFound) {
        Files.createDirectory(path)
        Files.writeString(path.resolve(StoreFile), store)
      }
      new OfMachine(path, name, isFound)
    }
  }

  /** Takes over what dead processes have left, and deletes what is too old or too much. */
  private[folders] def tidy(): Unit = logged(s"Could not tidy $root") {
    process.touch()
    collectDead()
    kept.trim()
  }

  private def tidyNowAndThen(): Unit = {
    val (now, last) = (System.nanoTime(), tidied.get)
    if (now - last > TidyNanos && tidied.compareAndSet(last, now)) tidy()
  }

  /** It is no store's error if the disk fails on what others have left. */
  private def logged(problem: String)(body: => Unit): Unit =
    try body
    catch { case e @ (_: IOException | _: UncheckedIOException) => log.warn(problem, e) }

  /** Gives up this process's folders as if it had died. */
  private[rockstate] def abandon(): Unit = process.abandon()

  private final class OfMachine(override val path: Path, name: String, isFound: Boolean) extends StoreFolder {
    override def isKept: Boolean = true

    override def keep(): Unit = {
      kept.leave(path, name)
      kept.trim()
    }

    override def putBack(): Unit =
      if (isFound) kept.leaveIfNone(path, name) else delete()

    override def delete(): Unit = Trees.delete(path)

    override def tidy(): Unit = tidyNowAndThen()

    override def makeRoom(): Unit = logged(s"Could not make room in $root")(kept.clear())
  }

  /** Takes what processes have left that ended without closing their stores. */
  private def collectDead(): Unit = synchronized {
    Trees
      .children(root)
      .filter(folder => folder.getFileName.toString != KeptStores.Folder && folder != process.path)
      .foreach { folder =>
        logged(s"Could not take over or delete $folder") {
          try ProcessFolder.ifDead(folder)((startId, touched) => collect(folder, startId, touched))
          catch { case _: NoSuchFileException => } // another process was quicker
        }
      }
  }

  private def collect(dead: Path, startId: String, touchedMillis: Long): Unit =
    if (startId == start.id) {
      Trees.children(dead).filter(isStores).foreach { folder =>
        val used = Trees.newestMillis(folder)
        kept.leaveIfNewer(folder, nameOf(Files.readString(folder.resolve(StoreFile))), used)
      }
      process.discard(dead)
      kept.trim()
    } else if (start.isAfter(touchedMillis)) process.discard(dead)

  private def isStores(folder: Path): Boolean =
    !ProcessFolder.isGone(folder) && Files.exists(folder.resolve(StoreFile))
}

object MachineFolders {
  private val StoreFile = "store"
  private val FullBytes = 1L << 20
  private val TidyNanos = MINUTES.toNanos(5)

  /** Those in the folder `root`, which is made for this user alone. `OpenToOthers` if it is another's, or could be replaced by one;
    * `IOException` if nothing on this machine tells one of its starts from the next.
    */
  def in(root: Path, mostKeptBytes: Long): MachineFolders = {
    val folders = in(root, mostKeptBytes, MachineStart.ofThisMachine())
    val tidying = new Thread(() => folders.tidy(), "rockstate-folders")
    tidying.setDaemon(true)
    tidying.start()
    folders
  }

  private[rockstate] def in(root: Path, mostKeptBytes: Long, start: MachineStart): MachineFolders = {
    if (!Files.exists(root)) Files.createDirectories(root.toAbsolutePath.getParent)
    requireInPlace(root)
    if (!Files.exists(root)) {
      Try(
        Files.createDirectory(root, PosixFilePermissions.asFileAttribute(StoreFolder.OwnerOnly))
      )
    }
    requireOwn(root)
    Files.createDirectories(root.resolve(KeptStores.Folder))
    new MachineFolders(root, ProcessFolder.create(root, start.id), start, mostKeptBytes)
  }

  /** Others must not be able to put a database here that would be taken for the store's. All is looked up at once: what stands here may be
    * replaced between two looks.
    */
  private def requireOwn(root: Path): Unit = {
    val found = Files.readAttributes(root, classOf[PosixFileAttributes], LinkOption.NOFOLLOW_LINKS)
    val permissions = PosixFilePermissions.toString(found.permissions)
    val isOwn = found.isDirectory && found.owner == Files.getOwner(Path.of("/proc/self"))
    if (!isOwn || !permissions.endsWith("------"))
      throw new OpenToOthers(
        s"$root must be a folder of this user's that nobody else may enter; it is ${found.owner}'s, with $permissions"
      )
  }

  /** Nor to put another folder in its place: where all may write, only the sticky bit keeps them from that. */
  private def requireInPlace(root: Path): Unit = {
    val parent = root.toAbsolutePath.getParent
    val mode = Files.getAttribute(parent, "unix:mode").asInstanceOf[Int]
    if ((mode & AllWrite) != 0 && (mode & Sticky) == 0)
      throw new OpenToOthers(s"$parent must not be writable for all, unless it has the sticky bit as /tmp has")
  }

  private val AllWrite = 0x2
  private val Sticky = 0x200

  /** A file name. */
  private def nameOf(store: String): String =
    new BigInteger(1, MessageDigest.getInstance("SHA-256").digest(store.getBytes(UTF_8))).toString(36)
}
