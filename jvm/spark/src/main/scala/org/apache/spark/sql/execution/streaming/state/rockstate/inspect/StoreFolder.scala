package org.apache.spark.sql.execution.streaming.state.rockstate.inspect

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.execution.streaming.state.rockstate.files.SparkRemoteFiles

import io.rockstate.files.{DeltaName, FileNames, RemoteFile, SnapshotName, StoreFile}
import io.rockstate.history.RecoveryPlan
import io.rockstate.inspect.{FileTotals, LoggedCommit, StoreInspector, StoreReport}
import io.rockstate.versions.VersionRange

/** One store's folder in a checkpoint, whichever provider wrote it. Only reads. */
private[rockstate] final class StoreFolder(location: String, provider: Option[String], hadoopConf: Configuration) {
  private val files = new SparkRemoteFiles(new Path(location), hadoopConf)

  def report(verify: Boolean, logged: Vector[LoggedCommit]): StoreReport = {
    val inspector = new StoreInspector(files)
    if (provider.exists(name => !StoreFolder.isOurs(name))) foreign(logged)
    else if (verify) inspector.verify(logged)
    else inspector.inspect(logged)
  }

  /** What the names of Spark's own providers' files tell. */
  private def foreign(logged: Vector[LoggedCommit]): StoreReport = {
    val listing = files.list("")
    val parsed = listing.flatMap(file => StoreFolder.parse(file.name).map(file -> _))
    val names = parsed.map { case (_, file) => file.version }
    val others = listing.diff(parsed.map(_._1))
    val loadable: Vector[VersionRange] = RecoveryPlan.loadable(parsed.map(_._2))
    def totals(kind: PartialFunction[StoreFile, Unit]) =
      FileTotals.of(parsed.collect { case (file, name) if kind.isDefinedAt(name) => file.length })
    StoreReport(
      files.location,
      totals { case _: DeltaName => },
      totals { case _: SnapshotName => },
      FileTotals.of(files.list("SSTs").map((file: RemoteFile) => file.length)),
      FileTotals(0, 0),
      FileTotals.of(others.map(_.length)),
      loadable,
      newest = None,
      parsed.collect { case (_, SnapshotName(version)) => version.version }.maxOption,
      LoggedCommit.problems(logged, names.filter(name => loadable.exists(_.contains(name.version))), Set.empty),
      isVerified = false
    )
  }
}

private object StoreFolder {
  def isOurs(provider: String): Boolean = provider.split('.').last.startsWith("RockState")

  /** Spark's file-based provider names its files as we do, its RocksDB provider has names of its own for the same things. */
  private def parse(name: String): Option[StoreFile] =
    FileNames.parse(name.replace(".changelog", ".delta").replace(".zip", ".snapshot"))
}
