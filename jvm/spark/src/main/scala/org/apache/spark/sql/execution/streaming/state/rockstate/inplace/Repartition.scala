package org.apache.spark.sql.execution.streaming.state.rockstate.inplace

import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.CheckpointFiles
import org.apache.spark.sql.execution.streaming.state.rockstate.moving.{
  ForeignFailure,
  LogEntry,
  MoveGoal,
  MoveJobs,
  MoveReport,
  Pace,
  PhaseReport,
  Proof,
  RunMark,
  SourceCheckpoint,
  StateMetadata,
  Watched
}
import org.apache.spark.sql.execution.streaming.state.rockstate.rewind.LaterFiles
import org.apache.spark.sql.internal.SQLConf

import io.rockstate.errors.{Conflict, Misuse, OnFailure, StateStoreException, Unsupported}

/** Gives a stopped query's checkpoint another number of partitions, in place and as Spark's own repartition does: by one more batch that
  * has the offsets of the last one, and its state spread anew. The batch's entry in the offset log comes first. From then on Spark 4.2 and
  * later start no query, and one that runs fails in its next batch; the commit comes last. What comes between belongs to nobody until
  * then, and goes when the same is run again.
  */
final class Repartition(session: SparkSession, request: RepartitionRequest) extends Watched {
  import Repartition._
  import request._

  private val hadoopConf: Configuration = session.sessionState.newHadoopConf()
  private val files = new CheckpointFiles(checkpoint, hadoopConf)
  private val target = new BatchFiles(files.folder, hadoopConf)
  private val jobs = new MoveJobs(session, s"rockstate: repartition of $checkpoint", hadoopConf)
  private val mark = RunMark(files.folder.toString, Attempt)

  override def progress: Option[PhaseReport] = jobs.progress.now
  override def cancel(): Unit = jobs.cancel()

  /** What would be written: nothing is. */
  def plan(): MoveReport = {
    val goal = this.goal()
    MoveReport
      .of(goal, files.folder, Vector.empty, jobs.sizes(goal.source))
      .about(Pace.OfMoves, session.sparkContext.defaultParallelism)
  }

  def run(): MoveReport = {
    val goal = this.goal()
    begin(goal)
    mark.whileOurs(hadoopConf) {
      try written(goal)
      catch { case NonFatal(e) => throw withWayBack(goal, ForeignFailure.of(e)) }
    }
  }

  /** What is not supported now is not when this is run again. */
  private def withWayBack(goal: MoveGoal, failure: StateStoreException): StateStoreException = failure match {
    case e: Unsupported => new Unsupported(e.problem, s"${e.remedy} ${wayBack(goal)}", e.file, e.version)
    case other => other
  }

  private def wayBack(goal: MoveGoal): String =
    s"Batch ${goal.batch} is not committed: go back with rockstate rollback $checkpoint --batch ${goal.batch - 1}."

  private def written(goal: MoveGoal): MoveReport = {
    val written = jobs.write(goal, mark, Vector.empty)
    writeMetadata(goal)
    val ids = Option.when(goal.format == 2)(written.ids)
    val read = jobs.count(goal, files.folder.toString, ids)
    val totals = new Proof(goal, files.folder.toString, wayBack(goal)).totals(written.rows, read)
    finish(goal, LogEntry.committed(goal.source.committed, goal.format, ids))
    MoveReport.of(goal, files.folder, totals, Map.empty)
  }

  /** Reads the checkpoint, and throws if this cannot be done with it. */
  private def goal(): MoveGoal = {
    val source = new SourceCheckpoint(checkpoint, None, hadoopConf)
    source.metadata // or it is not whole
    source.unfinishedRepartition match {
      case Some(begun) => if (begun != partitions) throw source.cutOff(begun)
      case None =>
        source.requireCommitted()
        if (source.partitions.contains(partitions))
          throw new Misuse(
            s"The query has $partitions shuffle partitions already [${source.folder}]",
            "Give another number."
          )
    }
    MoveGoal.inPlace(source, partitions)
  }

  private def begin(goal: MoveGoal): Unit = {
    val source = goal.source
    if (source.unfinishedRepartition.isEmpty) {
      val entry = LogEntry.planned(source.planned, Map(SQLConf.SHUFFLE_PARTITIONS.key -> partitions.toString))
      if (!target.add(s"offsets/${goal.batch}", entry)) throw running
    }
    target.put(Attempt, mark.id)
    if (files.exists(s"commits/${goal.batch}")) {
      target.delete(Vector(Attempt))
      throw mark.overtaken
    }
    target.delete(new LaterFiles(files, source.batch, hadoopConf).ofState)
  }

  /** Of operators of which it is kept by batch, as Spark does it; others keep what they began with. */
  private def writeMetadata(goal: MoveGoal): Unit = files.numbersIn("state").foreach { operator =>
    val folder = s"state/$operator/_metadata/v2"
    files.numbersIn(folder).filter(_ < goal.batch).lastOption.foreach { batch =>
      val before = goal.source.text(s"$folder/$batch")
      mark.require(hadoopConf)
      target.put(s"$folder/${goal.batch}", StateMetadata.withPartitions(before, partitions))
    }
  }

  private def finish(goal: MoveGoal, commit: String): Unit = {
    val name = s"commits/${goal.batch}"
    mark.require(hadoopConf)
    if (!target.add(name, commit)) throw running
    // Either another that begins sees the commit, or this one sees that it has begun, and may be deleting the state.
    OnFailure(target.delete(Vector(name)))(if (mark.isAnothers(hadoopConf)) throw mark.overtaken)
    target.delete(Vector(Attempt))
  }

  private def running: Conflict = new Conflict(
    "The query writes to the checkpoint",
    "Stop the query and run this again.",
    Some(files.folder.toString)
  )
}

private object Repartition {

  /** While it is at work: which attempt is. */
  private val Attempt = "rockstate-repartition"
}

/** What is asked for.
  *
  * @param checkpoint its location
  * @param partitions the new number of shuffle partitions
  */
final case class RepartitionRequest(checkpoint: String, partitions: Int, isDryRun: Boolean)
