package org.apache.spark.sql.execution.streaming.state.rockstate.files

import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{CommonPathCapabilities, FileSystem, Path}

import org.apache.spark.internal.Logging
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.CheckpointFileManager
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.CheckpointFileManager.RenameHelperMethods
import org.apache.spark.sql.internal.SQLConf

/** How files of a folder are written: through the manager that the user has named, and where nobody has, as its storage does best. */
private[files] final class AtomicWrites(folder: Path, hadoopConf: Configuration, manager: CheckpointFileManager)
    extends Logging {

  /** A file system whose streams show nothing until they are closed, unless the user has another way of writing. Who only reads needs none. */
  private lazy val abortable: Option[FileSystem] =
    if (AtomicWrites.leavesAbortable(hadoopConf)) abortableFileSystem() else None

  /** @param isShared whether others may write a file of this name, too */
  def to(path: Path, isShared: Boolean): AtomicWrite =
    if (isShared) byManager(path) else abortable.fold(byManager(path))(new AbortableWrite(_, path))

  private def byManager(path: Path): AtomicWrite = manager match {
    case renaming: CheckpointFileManager with RenameHelperMethods => new RenamedWrite(renaming, path)
    case _ => new OneStepWrite(manager.createAtomic(path, overwriteIfPossible = true))
  }

  /** Some storage is only known to Hadoop's `FileContext`, which the manager uses. */
  private def abortableFileSystem(): Option[FileSystem] =
    try {
      val found = folder.getFileSystem(hadoopConf)
      Option.when(found.hasPathCapability(folder, CommonPathCapabilities.ABORTABLE_STREAM))(found)
    } catch {
      case NonFatal(e) =>
        logDebug(s"$folder is written to through Spark's manager", e)
        None
    }
}

private object AtomicWrites {

  /** Of Spark's package spark-hadoop-cloud; it writes in the same way, and looks five times before it does. */
  private val AbortableManager =
    "org.apache.spark.internal.io.cloud.AbortableStreamBasedCheckpointFileManager"

  private def leavesAbortable(hadoopConf: Configuration): Boolean =
    Option(hadoopConf.get(SQLConf.STREAMING_CHECKPOINT_FILE_MANAGER_CLASS.parent.key)).forall(_ == AbortableManager)
}
