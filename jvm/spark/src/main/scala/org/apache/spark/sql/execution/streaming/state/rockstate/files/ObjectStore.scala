package org.apache.spark.sql.execution.streaming.state.rockstate.files

import java.io.{IOException, InputStream}
import java.net.URI
import java.util.concurrent.ConcurrentHashMap

import scala.jdk.CollectionConverters._
import scala.util.Using
import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{CommonPathCapabilities, FileStatus, FileSystem, Path}
import org.apache.hadoop.security.UserGroupInformation
import org.apache.hadoop.util.ReflectionUtils
import org.apache.hadoop.util.functional.FutureIO.awaitFuture

import org.apache.spark.internal.Logging
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.{
  CheckpointFileManager,
  FileSystemBasedCheckpointFileManager
}
import org.apache.spark.sql.internal.SQLConf

/** A store's folder in storage such as S3, where each request is paid for: through Hadoop's `FileSystem`, which can be told what is known
  * already, and so does not ask.
  */
private[files] final class ObjectStore(files: FileSystem, folder: Path, hadoopConf: Configuration) {

  /** Lists, opens and deletes. Spark's usual manager makes a file system of its own for each store, which in S3's case has threads and
    * connections: there may be hundreds of stores.
    */
  val manager: CheckpointFileManager = new FileSystemBasedCheckpointFileManager(folder, hadoopConf) {
    override protected val fs: FileSystem = files
  }

  /** Whether it deletes files other than one by one. */
  lazy val deletesMany: Boolean = files.hasPathCapability(folder, ObjectStore.BulkDelete)

  /** For a name that nobody else writes. */
  def writeTo(path: Path): AtomicWrite = new AbortableWrite(files, path)

  /** A file as it was listed; if it is not there, or another has its name, that may be missed only when it is read. */
  def open(listed: FileStatus): InputStream =
    awaitFuture(files.openFile(listed.getPath).withFileStatus(listed).build())

  /** Where it `deletesMany`. Those that are not there are no error; if this fails, some may be gone. */
  def delete(paths: Seq[Path]): Unit =
    Using.resource(files.createBulkDelete(folder)) { bulk =>
      paths.grouped(bulk.pageSize).foreach { page =>
        val failed = bulk.bulkDelete(page.asJava).asScala
        failed.headOption.foreach(first =>
          throw new IOException(
            s"${failed.size} of ${page.size} files are not deleted, ${first.getKey}: ${first.getValue}"
          )
        )
      }
    }
}

private[files] object ObjectStore extends Logging {

  /** Of Spark's package spark-hadoop-cloud; it writes in the same way, and looks five times before it does. */
  private val AbortableManager =
    "org.apache.spark.internal.io.cloud.AbortableStreamBasedCheckpointFileManager"

  /** Hadoop's name for it, which versions before 3.4.1 do not have. */
  private val BulkDelete = "fs.capability.bulk.delete"

  /** The folder's, if its file system's streams show nothing until they are closed, and the user has no other way of writing. */
  def of(folder: Path, hadoopConf: Configuration): Option[ObjectStore] =
    if (leavesAbortable(hadoopConf))
      abortable(folder, hadoopConf).map(uri => new ObjectStore(own(uri, hadoopConf), folder, hadoopConf))
    else None

  private val ours = new ConcurrentHashMap[(URI, UserGroupInformation, Map[String, String]), FileSystem]

  /** One for all stores of a user with the same confs. Hadoop's is that of whoever came first, whatever his credentials were, and is closed
    * by whoever has it, or closes all of a user's.
    */
  private def own(uri: URI, hadoopConf: Configuration): FileSystem = {
    val prefixes = Seq(s"fs.${uri.getScheme}.", "fs.s3a.", "hadoop.security.credential.")
    val confs = hadoopConf.asScala.collect {
      case conf if prefixes.exists(conf.getKey.startsWith) => conf.getKey -> conf.getValue
    }
    ours.computeIfAbsent(
      (uri, UserGroupInformation.getCurrentUser, confs.toMap),
      _ => {
        val made = ReflectionUtils.newInstance(FileSystem.getFileSystemClass(uri.getScheme, hadoopConf), hadoopConf)
        made.initialize(uri, hadoopConf)
        made
      }
    )
  }

  private def leavesAbortable(hadoopConf: Configuration): Boolean =
    Option(hadoopConf.get(SQLConf.STREAMING_CHECKPOINT_FILE_MANAGER_CLASS.parent.key)).forall(_ == AbortableManager)

  /** Some storage is only known to Hadoop's `FileContext`, which Spark's manager uses. */
  private def abortable(folder: Path, hadoopConf: Configuration): Option[URI] =
    try {
      val found = folder.getFileSystem(hadoopConf)
      Option.when(found.hasPathCapability(folder, CommonPathCapabilities.ABORTABLE_STREAM))(found.getUri)
    } catch {
      case NonFatal(e) =>
        logDebug(s"$folder is read and written through Spark's manager", e)
        None
    }
}
