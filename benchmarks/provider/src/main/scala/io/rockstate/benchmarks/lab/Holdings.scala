package io.rockstate.benchmarks.lab

import java.lang.management.ManagementFactory
import java.nio.file.{Files, NoSuchFileException, Path, Paths}
import java.nio.file.attribute.BasicFileAttributes

import scala.jdk.CollectionConverters._
import scala.util.Using

/** What this process holds: memory in bytes, open files (sockets and the like among them), threads, and bytes below its folder for temporary files,
  * where its stores keep their databases.
  */
final case class Holdings(memory: Memory, files: Long, threads: Int, diskBytes: Long)

object Holdings {

  /** Collects garbage first. */
  def now(): Holdings = Holdings(
    Memory.now(),
    Using.resource(Files.list(Paths.get("/proc/self/fd")))(_.count()),
    ManagementFactory.getThreadMXBean.getThreadCount,
    bytesBelow(Paths.get(System.getProperty("java.io.tmpdir")))
  )

  /** A file with several names counts once. Files come and go meanwhile. */
  private def bytesBelow(folder: Path): Long = {
    val sizes = for {
      path <- Using.resource(Files.find(folder, Int.MaxValue, (_, found) => found.isRegularFile))(
        _.iterator.asScala.toSeq
      )
      found <- attributes(path)
    } yield found.fileKey -> found.size
    sizes.toMap.values.sum
  }

  private def attributes(path: Path): Option[BasicFileAttributes] =
    try Some(Files.readAttributes(path, classOf[BasicFileAttributes]))
    catch { case _: NoSuchFileException => None }
}
