package org.apache.spark.sql.execution.streaming.state.rockstate.inspect

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.execution.streaming.state.rockstate.files.SparkRemoteFiles

import io.rockstate.files.{DeltaName, FileNames, RemoteFile, RemoteFiles, SnapshotName, StoreFile}
import io.rockstate.history.{RecoveryPlan, VersionRange}
import io.rockstate.inspect.{FileProblem, FileTotals, StoreInspector, StoreReport}

/** One store's folder in a checkpoint, whichever provider wrote it. Only reads. */
private[rockstate] final class StoreFolder(location: String, provider: Option[String], hadoopConf: Configuration) {
  private val files = new SparkRemoteFiles(new Path(location), hadoopConf)

  /** @param expected the version that the query's last committed batch made */
  def report(verify: Boolean, expected: Option[Long]): StoreReport = {
    val inspector = new StoreInspector(files)
    val report =
      if (provider.exists(name => !StoreFolder.isOurs(name))) foreign(files)
      else if (verify) inspector.verify()
      else inspector.inspect()
    report.copy(problems = report.problems ++ expected.filterNot(isLoadable(report, _)).map(missing))
  }

  private def isLoadable(report: StoreReport, version: Long): Boolean =
    version == 0 || report.loadable.exists(_.contains(version))

  private def missing(version: Long): FileProblem = FileProblem(
    FileNames.delta(io.rockstate.history.StateVersion(version)),
    Some(version),
    s"The query's last committed batch is ${version - 1}, and its version $version cannot be loaded",
    "Restore the files of that version from a backup, or restart the query from a batch whose version is loadable."
  )

  /** What the names of Spark's own providers' files tell. */
  private def foreign(files: RemoteFiles): StoreReport = {
    val listing = files.list("")
    val parsed = listing.flatMap(file => StoreFolder.parse(file.name).map(file -> _))
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
      Vector.empty,
      isVerified = false
    )
  }
}

private object StoreFolder {
  private def isOurs(provider: String): Boolean = provider.split('.').last.startsWith("RockState")

  /** Spark's file-based provider names its files as we do, its RocksDB provider has names of its own for the same things. */
  private def parse(name: String): Option[StoreFile] =
    FileNames.parse(name.replace(".changelog", ".delta").replace(".zip", ".snapshot"))
}
