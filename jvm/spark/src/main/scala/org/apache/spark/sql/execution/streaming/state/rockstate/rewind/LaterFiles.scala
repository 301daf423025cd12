package org.apache.spark.sql.execution.streaming.state.rockstate.rewind

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.execution.streaming.state.rockstate.files.SparkRemoteFiles
import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.CheckpointFiles
import org.apache.spark.sql.execution.streaming.state.rockstate.moving.SourceCheckpoint

import io.rockstate.errors.{CorruptFile, NotFound}
import io.rockstate.files.{FileNames, Parallel, SnapshotName}
import io.rockstate.format.snapshot.SnapshotManifest
import io.rockstate.versions.StateVersion

/** What a query has written to its checkpoint after a batch, in the order in which to take it away: what names other files goes before
  * them only if it is of the logs, so that a query that starts on less than all misses state and says so.
  */
private[rockstate] final class LaterFiles(files: CheckpointFiles, batch: Long, hadoopConf: Configuration) {
  import LaterFiles._

  /** The next batch stays planned, and is done so, unless it was one that only gave the query another number of partitions.
    *
    * @return names relative to the checkpoint
    */
  def names: Vector[String] = steps.flatten.flatten

  /** The same in steps, one after the other: in each of them lists of names, each in its order, and all lists at the same time. */
  def steps: Vector[Vector[Vector[String]]] = {
    val stores = ofStores
    val tables = stores.flatMap(_.tables)
    val logs = Vector(later("commits", batch), later("offsets", if (isRepartition) batch else batch + 1))
    Vector(tables.map(Vector(_)), stores.map(_.versions) ++ operators.map(o => later(s"$o/_metadata/v2", batch))) ++
      logs.map(Vector(_))
  }

  /** Those of stores and operators' metadata. */
  def ofState: Vector[String] = names.filter(_.startsWith("state/"))

  private def isRepartition: Boolean = SourceCheckpoint.repartitionedTo(files, batch).isDefined

  /** The newest batch in each log. */
  def newest: (Option[Long], Option[Long]) =
    (files.numbersIn("commits").lastOption, files.numbersIn("offsets").lastOption)

  private def later(log: String, last: Long): Vector[String] =
    files.numbersIn(log).filter(_ > last).reverse.map(number => s"$log/$number")

  private def operators: Vector[String] = files.numbersIn("state").map(operator => s"state/$operator")

  private def ofStores: Vector[LaterInStore] = {
    val partitions = operators.flatMap(operator => files.numbersIn(operator).map(partition => s"$operator/$partition"))
    Parallel.map(KeptAside.Threads, partitions)(ofPartition).flatten
  }

  private def ofPartition(folder: String): Vector[LaterInStore] = {
    val (files, folders) = this.files.list(folder).partition(_.isFile)
    val versions = files.map(_.getPath.getName).flatMap(name => versionOf(name).map(_ -> name)).filter(_._1 > batch + 1)
    val inside = folders.map(_.getPath.getName)
    // Stores of Spark's file-based provider have none; their snapshots are called the same, and are all rows.
    val tables = if (inside.contains(FileNames.TableFolder)) tablesOf(folder) else Vector.empty
    val named = inside.filterNot(name => name.startsWith("_") || Inside(name))
    LaterInStore(tables, versions.sortBy(-_._1).map { case (_, name) => s"$folder/$name" }) +:
      named.flatMap(name => ofPartition(s"$folder/$name"))
  }

  /** The table files that only later snapshots of Rockstate's name. */
  private def tablesOf(folder: String): Vector[String] = {
    val store = new SparkRemoteFiles(new Path(files.folder, folder), hadoopConf)
    val snapshots =
      store.list("").flatMap(file => FileNames.parse(file.name)).collect { case SnapshotName(name) => name }
    val (later, kept) = snapshots.partition(_.version > batch + 1)
    // A manifest that cannot be read makes its snapshot useless, and nobody misses its table files.
    // One that storage does not give now may be as good as any other.
    def named(of: Seq[String]) = of.flatMap { name =>
      try SnapshotManifest.read(store, name).tableFiles
      catch { case _: CorruptFile | _: NotFound => Vector.empty }
    }
    def tables(of: Seq[StateVersion]) = named(of.map(FileNames.snapshot)).map(_.remoteName).toSet
    if (later.isEmpty) Vector.empty
    else (tables(later) -- tables(kept)).toVector.sorted.map(name => s"$folder/$name").filter(files.exists)
  }
}

/** @param tables   those that only later snapshots name
  * @param versions the newest first
  */
private final case class LaterInStore(tables: Vector[String], versions: Vector[String])

private[rewind] object LaterFiles {

  /** Folders in a store's that hold no versions. */
  private val Inside = Set(FileNames.TableFolder, "SSTs", "logs")

  /** All three providers' names begin with the version; what stands for a file that is being replaced has a dot before it. */
  private val Versioned = """\.?(\d{1,18})(?:_[A-Za-z0-9_-]+)?\..+""".r

  /** Those of such names that are of a store's versions up to the last. */
  def upToVersion(names: Vector[String], last: Long): Vector[String] =
    names.filter(name => versionOf(name.drop(name.lastIndexOf('/') + 1)).exists(_ <= last))

  private def versionOf(name: String): Option[Long] = name match {
    case Versioned(version) => Some(version.toLong)
    case _ => None
  }
}
