package org.apache.spark.sql.execution.streaming.state.rockstate.inspect

import java.nio.charset.Charset

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.FileStatus
import org.json4s.{Formats, NoTypeHints}
import org.json4s.jackson.Serialization

import org.apache.spark.sql.execution.streaming.state.StateStoreId
import org.apache.spark.sql.execution.streaming.state.rockstate.conf.ProviderClass
import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.CheckpointFiles._
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.StreamMetadata

import io.rockstate.errors.NotFound
import io.rockstate.files.Parallel
import io.rockstate.inspect.{FileProblem, StoreReport}

/** A query's checkpoint at one moment: its logs, its operators, and where their stores are. The query may be running. Only reads.
  *
  * @param verify whether everything is read, or no more than it takes to know the newest state
  */
final class OpenCheckpoint private[rockstate] (location: String, hadoopConf: Configuration, verify: Boolean) {
  private val files = new CheckpointFiles(location, hadoopConf)
  requireState()
  private val (logs, logProblems) =
    QueryLogs
      .settled(() => if (verify) QueryLogs.whole(files) else QueryLogs.newest(files))(LogProblems.of(_, hasStores))
  private val provider = logs.pinned.flatMap(_.provider)
  private val isOurs = provider.forall(ProviderClass.isOurs)
  private val operators = operatorIds.map(id => id -> new OperatorFiles(files, id))

  /** What there is. Of an unfinished checkpoint no more than that it is unfinished. */
  def report: CheckpointReport =
    Unfinished
      .in(files, logs)
      .fold(content)(problem => content.copy(operators = Vector.empty, problems = Vector(problem)))

  /** What there is, finished or not. */
  private[rockstate] val content: CheckpointReport = CheckpointReport(
    files.folder.toString,
    provider,
    logs.lastPlanned,
    logs.committed.minOption,
    logs.lastCommitted,
    operators.map { case (id, own) => OperatorReport(id, own.name, places(id, own), own.variables, own.joinFamilies) },
    queryIdProblem.toVector ++ logProblems ++
      (if (verify) operators.flatMap(_._2.problems(isOurs && logs.lastCommitted.isDefined)) else Vector.empty)
  )

  /** What is in a store's folder. A version that a batch needs must be there; a batch that the query has cleaned up meanwhile needs none.
    * Where files came or went meanwhile, only what is wrong twice counts.
    */
  def store(operator: Long, partition: Int, name: String): StoreReport = {
    val folder = new StoreFolder(storeLocation(operator, partition, name), provider, hadoopConf)
    val promised = logs.promised(operator, partition)
    // Other providers keep a version less than their query's logs.
    val logged = if (isOurs) promised else promised.takeRight(1)
    val before = Option.when(verify)(folder.names) // all is read then, and not twice if nothing has changed
    val found = folder.report(verify, logged)
    if (found.problems.isEmpty) found
    else {
      val oldest = files.numbersIn("commits").headOption.getOrElse(0L)
      val stillLogged = logged.filter(_.version > oldest)
      if (stillLogged == logged && before.exists(_ == folder.names)) found
      else folder.report(verify, stillLogged).onlyWithProblemsOf(found)
    }
  }

  private def requireState(): Unit = {
    val problem =
      if (!files.exists("")) Some("There is no such folder")
      else if (files.isFile("")) Some("This is a file, not a checkpoint's folder")
      else if (files.madeOf.isDefined || hasState || QueryLogs.newest(files).operators.nonEmpty) None
      else Some("The folder has no state: no streaming query kept any in it, or it is gone")
    problem.foreach { what =>
      throw new NotFound(
        what,
        if (isNamed)
          "Give the checkpointLocation of a streaming query with stateful operators, with its file system if it is not the default one."
        else "The JVM's locale has no name for some of its letters: set LC_ALL=C.UTF-8, and start the JVM anew.",
        files.folder.toString
      )
    }
  }

  /** Whether the JVM can ask the local disk for it. */
  private def isNamed: Boolean = {
    val encoding = Option(System.getProperty("sun.jnu.encoding")).filter(Charset.isSupported)
    files.folder.toUri.getScheme != "file" ||
    encoding.forall(Charset.forName(_).newEncoder().canEncode(files.folder.toUri.getPath))
  }

  /** Before its first commit a query may have no operator's folder yet. */
  private def hasState: Boolean =
    hasStores || (files.exists("state") && files.numbersIn("commits").isEmpty && files.numbersIn("offsets").nonEmpty)

  private lazy val hasStores: Boolean =
    files.numbersIn("state").exists(operator => files.list(s"state/$operator").nonEmpty)

  /** Spark numbers a query's operators from 0; the last commit may know of one whose folder is gone. In format 1 it does not say. */
  private def operatorIds: Vector[Long] = {
    val known = files.numbersIn("state").toSet ++ logs.operators
    if (known.isEmpty) Vector.empty else (0L to known.max).toVector
  }

  /** Partitions' folders are listed where the metadata does not tell which stores are in them, or does not count. */
  private def places(operator: Long, own: OperatorFiles): Vector[StorePlace] = {
    val numbers = files.numbersIn(s"state/$operator").map(_.toInt)
    val known = numbers.lastOption.fold(0)(_ + 1)
    val expected = if (logs.lastCommitted.isEmpty) 0 else logs.partitionsOf(operator).getOrElse(inFormat1(own, known))
    val toList = numbers.filter(partition => verify || own.storeNames.isEmpty || partition >= expected)
    val listed =
      Parallel.map(OpenCheckpoint.Listings, toList)(partition => partition -> storesIn(operator, partition)).toMap
    val names = if (own.storeNames.nonEmpty) own.storeNames else listed.values.flatten.toVector
    val everywhere = if (names.isEmpty) Vector(StateStoreId.DEFAULT_STORE_NAME) else names
    val partitions = (numbers ++ (0 until expected)).distinct.sorted
    partitions.flatMap { partition =>
      val there = listed.getOrElse(partition, Vector.empty)
      val all = if (partition < expected) there ++ everywhere else there
      all.distinct.sorted.map { name =>
        StorePlace(
          partition,
          name,
          storeLocation(operator, partition, name),
          logs.lastCommitted.isDefined && partition >= expected
        )
      }
    }
  }

  /** Operators' metadata may have the number of partitions that the query began with. */
  private def inFormat1(own: OperatorFiles, known: Int): Int =
    if (own.isInOnePartition(known)) 1 else logs.pinned.flatMap(_.partitions).getOrElse(own.partitions(known))

  private def storesIn(operator: Long, partition: Int): Vector[String] = {
    val inside = files.list(s"state/$operator/$partition")
    val named = inside.filter(f => f.isDirectory && !OpenCheckpoint.isInside(f)).map(_.getPath.getName)
    if (named.isEmpty || inside.exists(_.isFile)) StateStoreId.DEFAULT_STORE_NAME +: named else named
  }

  private def storeLocation(operator: Long, partition: Int, name: String): String =
    StateStoreId(files.path("state").toString, operator, partition, name).storeCheckpointLocation().toString

  private def queryIdProblem: Option[FileProblem] = {
    implicit val formats: Formats = Serialization.formats(NoTypeHints)
    def problem(what: String) = FileProblem(
      Metadata,
      None,
      s"$what, which has the query's id: the query does not start with Spark 4.2 and later; earlier ones start it under " +
        "a new id, and sinks then take batches for new that they have",
      """Restore the file from a backup, or write it anew: {"id":"..."} with the id that the query had in its progress and logs."""
    )
    files.read(Metadata)(in => Serialization.read[StreamMetadata](new String(in.readAllBytes(), "UTF-8"))) match {
      case Readable(_) => None
      case Damaged(why) => Some(problem(s"The file cannot be read ($why)"))
      case Gone => Option.when(logs.lastPlanned.orElse(logs.lastCommitted).isDefined)(problem("The file is not there"))
    }
  }
}

private object OpenCheckpoint {

  /** Partitions whose folders are listed at a time: on shared storage each takes some milliseconds, and a query may have thousands. */
  private val Listings = 16

  /** Folders within a store's: Rockstate's table files, those of Spark's RocksDB provider, and metadata. */
  private def isInside(folder: FileStatus): Boolean =
    Set("sst", "SSTs", "logs").contains(folder.getPath.getName) || folder.getPath.getName.matches("[._].*")
}
