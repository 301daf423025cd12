package org.apache.spark.sql.execution.streaming.state.rockstate.files

import java.io.IOException
import java.net.URI

import scala.util.Try

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{DelegateToFileSystem, FSDataOutputStream, Path}
import org.apache.hadoop.fs.permission.FsPermission
import org.apache.hadoop.util.Progressable

import org.apache.spark.util.Utils

import io.rockstate.localfiles.RawLocalFilesInProcess

/** Local files under a scheme of their own. `rename` does not replace, as on HDFS; and one of the calls that change something meets a fate. */
object CutFiles {
  val Scheme = "cut"

  sealed abstract class Fate(override val toString: String)

  /** The process is gone: this call and all after it never happen. */
  case object Gone extends Fate("is the first that a process does not come to")

  /** It happens, and the caller is told that it failed. */
  case object AnswerLost extends Fate("loses its answer")

  /** It happens, and then again, as by a client that did not get the first answer; the caller gets the second. Files are not made twice. */
  case object AskedTwice extends Fate("is asked twice")

  @volatile private var fate: Option[Fate] = None
  private var left = 0
  private var done = 0

  /** Runs `body`, which meets the fate at the call after so many. */
  def cut[A](calls: Int, fate: Fate)(body: => A): Try[A] = {
    synchronized {
      this.fate = Some(fate)
      left = calls
      done = 0
    }
    try Try(body)
    finally this.fate = None
  }

  /** How many calls there were since the last `cut`. */
  def calls: Int = synchronized(done)

  def newFolder(): Path = new Path(s"$Scheme://${Utils.createTempDir().getAbsolutePath}/0/0")

  def configuration(options: Map[String, String] = Map.empty): Configuration = {
    val conf = new Configuration
    conf.set(s"fs.$Scheme.impl", classOf[CutFiles].getName)
    conf.setBoolean(s"fs.$Scheme.impl.disable.cache", true)
    conf.set(s"fs.AbstractFileSystem.$Scheme.impl", classOf[CutFs].getName)
    options.foreach { case (key, value) => conf.set(key, value) }
    conf
  }

  private[files] def call[A](effect: => A, isRepeatable: Boolean): A = {
    val (isMeant, isAfter) = synchronized {
      done += 1
      left -= 1
      (left == -1, left < 0)
    }
    fate match {
      case Some(Gone) if isAfter => throw new IOException("the process is gone")
      case Some(AnswerLost) if isMeant =>
        effect
        throw new IOException("the answer is lost")
      case Some(AskedTwice) if isMeant && isRepeatable =>
        effect
        effect
      case _ => effect
    }
  }
}

class CutFiles extends RawLocalFilesInProcess {
  override def getUri: URI = URI.create(s"${CutFiles.Scheme}:///")

  override def create(
      path: Path,
      permission: FsPermission,
      overwrite: Boolean,
      bufferSize: Int,
      replication: Short,
      blockSize: Long,
      progress: Progressable
  ): FSDataOutputStream = CutFiles.call(
    super.create(path, permission, overwrite, bufferSize, replication, blockSize, progress),
    isRepeatable = false
  )

  override def rename(from: Path, to: Path): Boolean =
    CutFiles.call(!exists(to) && super.rename(from, to), isRepeatable = true)

  override def delete(path: Path, recursive: Boolean): Boolean =
    CutFiles.call(super.delete(path, recursive), isRepeatable = true)
}

class CutFs(uri: URI, conf: Configuration)
    extends DelegateToFileSystem(uri, new CutFiles, conf, CutFiles.Scheme, false) {
  override def getUriDefaultPort: Int = -1
}
