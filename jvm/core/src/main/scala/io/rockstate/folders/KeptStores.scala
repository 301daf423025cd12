package io.rockstate.folders

import java.nio.file.{FileSystemException, Files, NoSuchFileException, Path, StandardCopyOption}
import java.nio.file.attribute.FileTime
import java.util.concurrent.TimeUnit.HOURS

import scala.util.Try

/** The folders that stores left since this start of the machine, `kept/<start>/<store>`: of what was written before it, nobody knows what
  * reached the disk. They are handed on by renaming, so that one of two gets them.
  *
  * @param mostBytes what they may take; the oldest goes first. After a day everything goes
  */
private[folders] final class KeptStores(root: Path, start: MachineStart, process: ProcessFolder, mostBytes: Long) {
  import KeptStores._

  private val kept = root.resolve(Folder).resolve(start.id)
  private var sizes = Map.empty[(Path, Long), Long] // by folder and when it was left

  /** Moves what was left under this name to where nothing is. False if there is nothing, or nothing of today. */
  def take(name: String, to: Path): Boolean =
    try {
      val isOld = isTooOld(Files.getLastModifiedTime(kept.resolve(name)).toMillis)
      if (isOld) process.discard(kept.resolve(name))
      else Files.move(kept.resolve(name), to, StandardCopyOption.ATOMIC_MOVE)
      !isOld
    } catch { case _: NoSuchFileException => false }

  /** Leaves a folder in the place of what was left before. */
  def leave(folder: Path, name: String): Unit = synchronized {
    process.discard(kept.resolve(name))
    leaveIfNone(folder, name)
  }

  /** Leaves a folder, or deletes it if another was left meanwhile. */
  def leaveIfNone(folder: Path, name: String): Unit =
    leaveAsOf(folder, name, System.currentTimeMillis())

  /** Leaves a folder that was last used then, or deletes it if what is there was left later. */
  def leaveIfNewer(folder: Path, name: String, usedMillis: Long): Unit = synchronized {
    val before = Try(Files.getLastModifiedTime(kept.resolve(name)).toMillis).toOption
    if (before.forall(_ < usedMillis)) process.discard(kept.resolve(name))
    leaveAsOf(folder, name, usedMillis)
  }

  /** Deletes what is too old, and what does not fit. */
  def trim(): Unit = trimTo(bytes => mostOf(mostBytes, bytes, Files.getFileStore(root).getUsableSpace))

  /** Deletes all of it. */
  def clear(): Unit = trimTo(_ => 0)

  private def trimTo(limitOf: Long => Long): Unit = synchronized {
    Trees.children(kept.getParent).filter(_ != kept).foreach { other =>
      if (start.isAfter(Files.getLastModifiedTime(other).toMillis)) process.discard(other)
    }
    val all = children.flatMap(folder => Try(folder -> Files.getLastModifiedTime(folder).toMillis).toOption)
    sizes = all.map(place => place -> sizes.getOrElse(place, Trees.bytes(place._1))).toMap
    val limit = limitOf(sizes.values.sum)
    var bytes = 0L
    all.sortBy(-_._2).foreach { case place @ (folder, left) =>
      bytes += sizes(place)
      if (bytes > limit || isTooOld(left)) process.discard(folder)
    }
  }

  private def leaveAsOf(folder: Path, name: String, usedMillis: Long): Unit = {
    Files.setLastModifiedTime(folder, FileTime.fromMillis(usedMillis))
    Files.createDirectories(kept) // another machine that shares the storage may have taken it for an old one
    try { Files.move(folder, kept.resolve(name), StandardCopyOption.ATOMIC_MOVE); () }
    catch { case _: FileSystemException => Trees.delete(folder) }
  }

  private def children: Vector[Path] = if (Files.exists(kept)) Trees.children(kept) else Vector.empty

  private def isTooOld(leftMillis: Long): Boolean = System.currentTimeMillis() - leftMillis > KeptMillis
}

private[folders] object KeptStores {

  /** In the machine's folder. */
  val Folder = "kept"

  /** What may be kept: no more than is free beside it, or the stores that are open had no room. */
  def mostOf(mostBytes: Long, keptBytes: Long, usableBytes: Long): Long =
    math.min(mostBytes, (keptBytes + usableBytes) / 2)

  private val KeptMillis = HOURS.toMillis(24)
}
