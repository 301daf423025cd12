package org.apache.spark.sql.execution.streaming.state.rockstate.provider

import java.net.URI

import scala.collection.mutable.ArrayBuffer
import scala.util.matching.Regex

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{DelegateToFileSystem, FSDataInputStream, FSDataOutputStream, FileStatus, Path}
import org.apache.hadoop.fs.permission.FsPermission
import org.apache.hadoop.util.Progressable

import io.rockstate.localfiles.RawLocalFilesInProcess

/** Local files under a scheme of their own, whose calls are written down, as a file system on the network would get them. Whether there is
  * a file is not: each file system asks in a way of its own.
  */
object RecordedFiles {
  val Scheme = "recorded"

  private val calls = ArrayBuffer.empty[String]
  private val known = ArrayBuffer.empty[String]
  private val Unique: Regex = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}".r
  private val Table: Regex = s"/\\.?$Unique\\.sst(?:\\.$Unique\\.tmp)?".r
  private val Task: Regex = "\\.TID[0-9]+".r

  def configure(conf: Configuration): Configuration = {
    conf.set(s"fs.$Scheme.impl", classOf[RecordedFiles].getName)
    conf.setBoolean(s"fs.$Scheme.impl.disable.cache", true)
    conf.set(s"fs.AbstractFileSystem.$Scheme.impl", classOf[RecordedFs].getName)
    conf
  }

  /** The calls since the last time, names relative to `root`; each id as its number in order of appearance. Of how many table files there
    * are RocksDB's threads have a say: calls for several of them are told once.
    */
  def take(root: String): Vector[String] = synchronized {
    val taken = calls.toVector.map(call => Table.replaceAllIn(Task.replaceAllIn(call.replace(root, "."), ""), "/TABLE"))
    calls.clear()
    val once = taken.zipWithIndex.collect {
      case (call, i) if !call.contains("TABLE") || taken.indexOf(call) == i => call
    }
    sorted(once.map(Unique.replaceAllIn(_, found => s"#${numberOf(found.matched)}")))
  }

  /** Files are read by several threads: what is read one after the other is told by name. */
  private def sorted(calls: Vector[String]): Vector[String] = {
    def isRead(call: String) = call.startsWith("list ") || call.startsWith("open ")
    val (reads, rest) = calls.span(isRead)
    val (others, later) = rest.span(!isRead(_))
    reads.sortBy(call => (call.drop(5).count(_ == '/'), call.drop(5), call)) ++ others ++
      (if (later.isEmpty) later else sorted(later))
  }

  /** Ids are numbered from 1 again. */
  def forget(): Unit = synchronized {
    calls.clear()
    known.clear()
  }

  private def numberOf(id: String): Int = {
    if (!known.contains(id)) known += id
    known.indexOf(id) + 1
  }

  private def record(call: String, paths: Path*): Unit =
    synchronized(calls += s"$call ${paths.map(_.toUri.getPath).mkString(" to ")}"): Unit
}

class RecordedFiles extends RawLocalFilesInProcess {
  import RecordedFiles.record

  override def getUri: URI = URI.create(s"${RecordedFiles.Scheme}:///")

  override def open(path: Path, bufferSize: Int): FSDataInputStream = {
    record("open", path)
    super.open(path, bufferSize)
  }

  override def create(
      path: Path,
      permission: FsPermission,
      overwrite: Boolean,
      bufferSize: Int,
      replication: Short,
      blockSize: Long,
      progress: Progressable
  ): FSDataOutputStream = {
    record("create", path)
    super.create(path, permission, overwrite, bufferSize, replication, blockSize, progress)
  }

  override def listStatus(path: Path): Array[FileStatus] = {
    record("list", path)
    super.listStatus(path)
  }

  override def rename(from: Path, to: Path): Boolean = {
    record("rename", from, to)
    super.rename(from, to)
  }

  override def delete(path: Path, recursive: Boolean): Boolean = {
    record("delete", path)
    super.delete(path, recursive)
  }

  override def mkdirs(path: Path, permission: FsPermission): Boolean = {
    record("mkdirs", path)
    super.mkdirs(path, permission)
  }
}

class RecordedFs(uri: URI, conf: Configuration)
    extends DelegateToFileSystem(uri, new RecordedFiles, conf, RecordedFiles.Scheme, false) {
  override def getUriDefaultPort: Int = -1
}
