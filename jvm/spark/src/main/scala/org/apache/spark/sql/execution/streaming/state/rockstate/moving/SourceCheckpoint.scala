package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import scala.util.Try

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.{
  CheckpointFiles,
  OpenCheckpoint,
  OperatorReport
}
import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.CheckpointFiles.{Damaged, Gone, Readable}
import org.apache.spark.sql.internal.SQLConf

import io.rockstate.errors.{Conflict, CorruptFile, Misuse, NotFound, StateStoreException, Unsupported}

/** A checkpoint as it was after one of its batches. Only reads.
  *
  * @param asked        the batch; the last committed one if none is given
  * @param isUnfinished whether it may be one that is being made
  */
private[rockstate] final class SourceCheckpoint(
    location: String,
    asked: Option[Long],
    hadoopConf: Configuration,
    isUnfinished: Boolean = false
) {
  private val files = new CheckpointFiles(location, hadoopConf)
  files.madeOf.filterNot(_ => isUnfinished).foreach { source =>
    throw new Misuse(
      s"The checkpoint is unfinished: it is being made of $source, or that was cut off [${files.folder}]",
      "Run the command that made it again, or give the checkpoint that it was made of."
    )
  }
  if (files.isBeingRolledBack)
    throw new Misuse(
      s"The checkpoint is being rolled back, or that was cut off [${files.folder}]",
      s"Run `${files.rollbackToFinish}` again, which finishes it."
    )
  private val report = new OpenCheckpoint(location, hadoopConf, verify = false).content

  val folder: Path = files.folder

  val lastCommitted: Long = report.lastCommitted.getOrElse(throw notCommitted)
  val batch: Long = asked.getOrElse(lastCommitted)
  if (batch > lastCommitted || batch < 0)
    throw new Misuse(
      s"Batch $batch was not committed; the last one is $lastCommitted [$folder]",
      "Give an earlier batch."
    )
  batches("commits").headOption.filter(_ > batch).foreach { first =>
    throw new Misuse(
      s"Batch $batch is not kept any more; the first one that is, is $first [$folder]",
      s"Give a later batch. How many a query keeps, ${SQLConf.MIN_BATCHES_TO_RETAIN.key} says."
    )
  }

  /** The batch's entries in both logs. */
  val planned: String = entry("offsets", batch)
  val committed: String = entry("commits", batch)

  val provider: String = report.provider.getOrElse(
    throw new Misuse(s"The offset log names no provider [$folder]", "Run a batch of the query with Spark 4 first.")
  )

  /** What the offset log holds the query to. */
  lazy val conf: Map[String, String] = LogEntry.conf(planned)

  /** Whether rows are where a shuffle by their whole key puts them, as Spark's tools suppose. */
  def isSpreadByKeys: Boolean =
    conf.get(SQLConf.STATEFUL_OPERATOR_USE_STRICT_DISTRIBUTION.key).contains("true")

  def requireSpreadByKeys(): Unit = if (!isSpreadByKeys)
    throw new Unsupported(
      "The query was begun without strict distribution, so that its rows need not be where their keys say",
      s"Start it anew: its offset log holds it to ${SQLConf.STATEFUL_OPERATOR_USE_STRICT_DISTRIBUTION.key}=false.",
      Some(folder.toString)
    )

  /** How many shuffle partitions the batch had. */
  def partitions: Option[Int] = LogEntry.partitions(planned)

  /** If the batch after this one was none of the query's, but gave it another number of partitions in place, as Spark's own repartition
    * does: that number.
    */
  lazy val repartitionedTo: Option[Int] = SourceCheckpoint.repartitionedTo(files, batch)

  /** The same, if it was not finished. */
  def unfinishedRepartition: Option[Int] = repartitionedTo.filter(_ => batch == lastCommitted)

  def operators: Vector[OperatorReport] = report.operators

  /** Which query it is of. Without it the checkpoint is not whole. */
  lazy val metadata: String = text("metadata")

  /** Its stores, each with the number of its partitions. */
  lazy val stores: Vector[(StorePlan, Int)] = {
    val reader = new PlanReader(files, batch, conf, hadoopConf)
    val ids = LogEntry.idsIn(committed)
    // Spark's own repartition leaves the folders of partitions there that are none any more.
    report.operators.flatMap { operator =>
      val listed = operator.stores.map(_.partition + 1).maxOption.getOrElse(0)
      val named = ids.flatMap(_.get(operator.operatorId)).map(_.length)
      reader.storesOf(operator.operatorId).map { plan =>
        plan -> named.getOrElse(if (listed == 0 || plan.isInOnePartition) listed else partitions.getOrElse(listed))
      }
    }
  }

  /** The entries of the offset log that a restart after the batch reads: its own, the one before, and the one after it, so that this
    * batch is done as it was planned, if it is one of the query's. Without their state earlier batches cannot be gone back to.
    */
  def plannedBatches: Vector[(Long, String)] = batches("offsets")
    .filter(b => batch - 1 <= b && b <= batch + (if (repartitionedTo.isEmpty) 1 else 0))
    .map(b => b -> entry("offsets", b))

  /** Throws if no query can start after the batch. The batch that only gave it another number of partitions is not there then, and of the
    * last two in the offset log Spark reads both.
    */
  def requireStart(): Unit = repartitionedTo.foreach { partitions =>
    if (batch > 0 && !files.exists(s"offsets/${batch - 1}"))
      throw new Misuse(
        s"No query can start after batch $batch: the next one gave it $partitions partitions in place, and batch ${batch - 1}, " +
          s"which a start needs then, is not kept any more [$folder]",
        s"The first batch to go on after is ${batch + 1}."
      )
  }

  /** Throws if a batch was planned after this one: a sink that keeps account of batches may have it already. Of such a batch it then does
    * not ask the query again, which would be without the state that comes after it.
    */
  def requireCommitted(): Unit = batches("offsets").lastOption.filter(_ > batch).foreach { planned =>
    unfinishedRepartition.foreach(partitions => throw cutOff(partitions))
    throw new Conflict(
      s"Batch $planned was begun and not committed, and the query's sink may have it already",
      s"Start the query on the old checkpoint until it has committed that batch, stop it, and run this again. If its sink " +
        s"keeps no account of batches, name the batch with --batch $batch: later ones are done again.",
      Some(folder.toString)
    )
  }

  def cutOff(partitions: Int): Conflict = new Conflict(
    s"It was to have $partitions partitions from batch ${batch + 1} on, and that was cut off",
    s"Finish it: rockstate repartition $folder --in-place --partitions $partitions; or go back: rockstate rollback " +
      s"$folder --batch $batch.",
    Some(folder.toString)
  )

  /** The newest entries of both logs as they are now: they move if the query runs. */
  def newest(): (Option[Long], Option[Long]) = (batches("offsets").lastOption, batches("commits").lastOption)

  /** What is neither log nor state: what sources and sinks keep, by its name. */
  def others: Set[String] =
    list("").toSet.filterNot(name => SourceCheckpoint.Known(name) || name.startsWith("rockstate-"))

  /** The names of what is in one of its folders. */
  def list(name: String): Vector[String] = files.list(name).map(_.getPath.getName)

  def foldersIn(name: String): Vector[String] = files.list(name).filter(_.isDirectory).map(_.getPath.getName)

  def path(name: String): Path = files.path(name)

  def text(name: String): String = files.text(name) match {
    case Readable(content) => content
    case Damaged(why) => throw new CorruptFile(s"The file cannot be read: $why", Verify, path(name).toString)
    case Gone => throw new NotFound("The file is not there", Verify, path(name).toString)
  }

  /** A query plans a second batch once it has committed the first. */
  private def notCommitted: StateStoreException = report.lastPlanned.filter(_ > 0) match {
    case Some(last) =>
      new NotFound(s"Batch $last was planned, and no batch's commit is there", Verify, path("commits").toString)
    case None =>
      new Misuse(s"The query has committed no batch yet [$folder]", "Run the query until it has committed one.")
  }

  private def entry(log: String, batch: Long): String = text(s"$log/$batch")
  private def batches(log: String): Vector[Long] = files.numbersIn(log)
  private def Verify = "See what `rockstate verify` says of the checkpoint."
}

private[rockstate] object SourceCheckpoint {
  private val Known = Set("offsets", "commits", "state", "metadata")

  /** If the batch after this one gave the query another number of partitions: that number. What cannot be read did not. */
  def repartitionedTo(files: CheckpointFiles, batch: Long): Option[Int] = {
    def partitions(of: Long) =
      files.text(s"offsets/$of").toOption.flatMap(entry => Try(LogEntry.partitions(entry)).toOption.flatten)
    for {
      next <- partitions(batch + 1)
      before <- partitions(batch) if before != next
    } yield next
  }
}
