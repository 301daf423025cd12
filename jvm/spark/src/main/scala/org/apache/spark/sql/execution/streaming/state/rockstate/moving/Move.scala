package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.classic.SparkSession

import io.rockstate.errors.Conflict

/** Moves a query's checkpoint to another provider, checkpoint format or number of partitions: writes a new one, as after one of its
  * batches, and leaves the old one alone. Each partition of each store is a task.
  *
  * @param replaced stores whose rows do not come from the old checkpoint
  */
final class Move private[rockstate] (session: SparkSession, request: MoveRequest, replaced: Vector[GivenStore])
    extends Watched {
  def this(session: SparkSession, request: MoveRequest) = this(session, request, Vector.empty)

  import MoveReport.Sizes
  import request._

  private val hadoopConf: Configuration = session.sessionState.newHadoopConf()
  private val jobs = new MoveJobs(session, s"rockstate: $from to $to", hadoopConf)

  override def progress: Option[PhaseReport] = jobs.progress.now
  override def cancel(): Unit = jobs.cancel()

  /** What would be moved: nothing is written. */
  def plan(): MoveReport = {
    val goal = MoveGoal.of(request, hadoopConf)
    new NewCheckpoint(to, hadoopConf).requireFreeForLog(goal.source.folder, planned(goal))
    val ofTables = replaced.map(store => (store.plan.operator, store.plan.store) -> store.size)
    report(goal, Vector.empty, jobs.sizes(goal.source) ++ ofTables)
      .about(Pace.OfMoves, session.sparkContext.defaultParallelism)
  }

  /** @param metadata of the new checkpoint; that of the old one if none is given */
  def run(metadata: Option[String] = None): MoveReport = {
    val goal = MoveGoal.of(request, hadoopConf)
    val source = goal.source
    val before = Some(source.batch) // which is the last in both logs, unless one is named
    val identity = metadata.getOrElse(source.metadata)
    val target = new NewCheckpoint(to, hadoopConf)
    target.beginWithLog(source.folder, planned(goal))
    val totals = target.whileOurs(moved(goal, target))
    if (batch.isEmpty && source.newest() != (before, before))
      throw new Conflict(
        s"The query went on while its checkpoint was moved: batch ${source.batch} is no longer the last",
        "Stop the query and run this again, or name the batch with --batch.",
        Some(source.folder.toString)
      )
    target.finish(identity)
    report(goal, totals)
  }

  /** The rows that were written into the new checkpoint, and are there. */
  private def moved(goal: MoveGoal, target: NewCheckpoint): Vector[FamilyTotals] = {
    val source = goal.source
    new StateMetadata(source, target, partitions).copy()
    val written = jobs.write(goal, target.mark, replaced)
    new FilesOfRunning(source.folder, hadoopConf).each(source.others)(target.copy)
    val ids = Option.when(goal.format == 2)(written.ids)
    target.commit(source.batch, LogEntry.committed(source.committed, goal.format, ids))
    val read =
      jobs.count(new SourceCheckpoint(target.folder.toString, Some(source.batch), hadoopConf, isUnfinished = true))
    val proof = new Proof(goal, to, "The new checkpoint is of no use, the old one is as it was.")
    proof.totals(written.rows, read)
  }

  private def planned(goal: MoveGoal): Vector[(Long, String)] =
    goal.source.plannedBatches.map { case (number, entry) => number -> LogEntry.planned(entry, goal.conf) }

  private def report(goal: MoveGoal, totals: Vector[FamilyTotals], sizes: Sizes = Map.empty): MoveReport =
    MoveReport.of(goal, new NewCheckpoint(to, hadoopConf).folder, totals, sizes)
}
