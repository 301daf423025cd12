package org.apache.spark.sql.execution.streaming.state.rockstate.inspect

import java.nio.charset.StandardCharsets.UTF_8
import java.util.zip.ZipInputStream

import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.json4s.{DefaultFormats, Formats}
import org.json4s.jackson.JsonMethods

import org.apache.spark.sql.execution.streaming.state.rockstate.conf.ProviderClass
import org.apache.spark.sql.execution.streaming.state.rockstate.files.SparkRemoteFiles

import io.rockstate.files.{DeltaName, FileNames, RemoteFile, RemoteInput, SnapshotName, StoreFile}
import io.rockstate.history.RecoveryPlan
import io.rockstate.inspect.{
  FileProblem,
  FileTotals,
  FilesByName,
  LoggedCommit,
  StoreInspector,
  StoreReport,
  VersionSize
}
import io.rockstate.versions.{StateVersion, VersionRange}

/** One store's folder in a checkpoint, whichever provider wrote it. Only reads. */
private[rockstate] final class StoreFolder(location: String, provider: Option[String], hadoopConf: Configuration) {
  private val files = new SparkRemoteFiles(new Path(location), hadoopConf)

  def report(verify: Boolean, logged: Vector[LoggedCommit]): StoreReport = {
    val inspector = new StoreInspector(files)
    if (provider.exists(name => !ProviderClass.isOurs(name))) foreign(logged)
    else if (verify) inspector.verify(logged)
    else inspector.inspect(logged)
  }

  /** Of all its files: another set of them says that a query wrote or cleaned up meanwhile. */
  def names: Set[String] = Vector("", FileNames.TableFolder).flatMap(folder => files.list(folder).map(_.name)).toSet

  /** What it takes to load a version, as far as names and one snapshot tell. */
  def sizeOf(version: Long, checkpointId: Option[String]): VersionSize = {
    val target = StateVersion(version, checkpointId)
    if (provider.forall(ProviderClass.isOurs)) new StoreInspector(files).sizeOf(target)
    else {
      val listed = files.list("").flatMap(file => StoreFolder.parse(file.name).map(_ -> file))
      val found = FilesByName.of(listed.map { case (name, file) => name -> file.length }, target)
      val zips = listed.collect {
        case (SnapshotName(name), file) if found.snapshot.contains(name) && file.name.endsWith(".zip") => file.name
      }
      VersionSize(found.bytes + zips.map(zip => Using.resource(files.open(zip))(StoreFolder.tableBytes)).sum, None)
    }
  }

  /** What the names of Spark's own providers' files tell. How others name theirs, and what is missing, only they know. */
  private def foreign(logged: Vector[LoggedCommit]): StoreReport = {
    val listing = files.list("")
    val isKnown = provider.exists(ProviderClass.hasVersionsInNames)
    val parsed = listing.flatMap(file => StoreFolder.parse(file.name).filter(_ => isKnown).map(file -> _))
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
      if (!isKnown) Vector.empty
      else {
        val there = names.filter(name => loadable.exists(_.contains(name.version)))
        parsed.collect { case (file, name) if file.length == 0 => StoreFolder.empty(file, name) }.toVector ++
          LoggedCommit.problems(logged, there, Set.empty)
      },
      isVerified = false
    )
  }
}

private object StoreFolder {

  /** Spark's file-based provider names its files as we do, its RocksDB provider has names of its own for the same things. */
  private def parse(name: String): Option[StoreFile] =
    FileNames.parse(name.replace(".changelog", ".delta").replace(".zip", ".snapshot"))

  /** Spark's providers write something into each. */
  private def empty(file: RemoteFile, name: StoreFile) = FileProblem(
    file.name,
    Some(name.version.version),
    "The file is empty: its version cannot be loaded, nor those that go on from it",
    "Restore the file from a backup, or go back to an earlier batch (`rockstate rollback --dry-run` tries one)."
  )

  /** The size of the table files that a snapshot of Spark's RocksDB provider names. */
  private def tableBytes(zip: RemoteInput): Long = {
    implicit val formats: Formats = DefaultFormats
    val entries = new ZipInputStream(zip.stream)
    Iterator.continually(entries.getNextEntry).takeWhile(_ != null).find(_.getName == "metadata").fold(0L) { _ =>
      val json = new String(entries.readAllBytes(), UTF_8).linesIterator.drop(1).mkString
      (JsonMethods.parse(json) \ "sstFiles").children.map(file => (file \ "sizeBytes").extract[Long]).sum
    }
  }
}
