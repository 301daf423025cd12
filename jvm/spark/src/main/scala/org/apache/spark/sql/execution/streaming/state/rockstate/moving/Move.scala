package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.classic.SparkSession

import io.rockstate.errors.{Conflict, CorruptFile}
import io.rockstate.inspect.VersionSize

/** Moves a query's checkpoint to another provider, checkpoint format or number of partitions: writes a new one, as after one of its
  * batches, and leaves the old one alone. Each partition of each store is a task.
  *
  * @param replaced stores whose rows do not come from the old checkpoint
  */
final class Move private[rockstate] (session: SparkSession, request: MoveRequest, replaced: Vector[GivenStore])
    extends Watched {
  def this(session: SparkSession, request: MoveRequest) = this(session, request, Vector.empty)

  import Move._
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
    val sizes = jobs.sizes(goal.source) ++ ofTables
    val cores = session.sparkContext.defaultParallelism
    val all = sizes.values.reduceOption(_ + _)
    report(goal, Vector.empty, sizes)
      .copy(seconds = all.map(size => Pace.OfMoves.seconds(size.bytes, size.rows, cores)))
  }

  /** @param metadata of the new checkpoint; that of the old one if none is given */
  def run(metadata: Option[String] = None): MoveReport = {
    val goal = MoveGoal.of(request, hadoopConf)
    val source = goal.source
    val before = source.newest()
    val identity = metadata.getOrElse(source.metadata)
    val target = new NewCheckpoint(to, hadoopConf)
    target.beginWithLog(source.folder, planned(goal))
    new StateMetadata(source, target, partitions).copy()
    val written = jobs.write(goal, target.folder.toString, replaced)
    source.others.foreach(name => target.copy(source.path(name), name))
    val ids = Option.when(goal.format == 2)(written.ids)
    target.write(s"commits/${source.batch}", LogEntry.committed(source.committed, goal.format, ids))
    val read =
      jobs.count(new SourceCheckpoint(target.folder.toString, Some(source.batch), hadoopConf, isUnfinished = true))
    val totals = proven(goal, written.rows, read)
    if (batch.isEmpty && source.newest() != before)
      throw new Conflict(
        s"The query went on while its checkpoint was moved: batch ${source.batch} is no longer the last",
        "Stop the query and run this again, or name the batch with --batch.",
        Some(source.folder.toString)
      )
    target.finish(identity)
    report(goal, totals)
  }

  private def planned(goal: MoveGoal): Vector[(Long, String)] =
    goal.source.plannedBatches.map { case (number, entry) => number -> LogEntry.planned(entry, goal.conf) }

  /** The totals of both, which must be the same. */
  private def proven(
      goal: MoveGoal,
      before: Map[FamilyKey, RowTotals],
      after: Map[FamilyKey, RowTotals]
  ): Vector[FamilyTotals] = {
    (before.keySet ++ after.keySet).find(key => before.get(key) != after.get(key)).foreach { key =>
      val (was, is) = (before.getOrElse(key, RowTotals.none), after.getOrElse(key, RowTotals.none))
      throw new CorruptFile(
        s"Operator ${key.operator} has other rows in store ${key.store}, column family ${key.family}, than before: " +
          s"${is.rows} instead of ${was.rows}, digest ${is.digest} instead of ${was.digest}",
        "The new checkpoint is of no use, the old one is as it was. Report this with both providers' names.",
        to,
        Some(goal.source.batch + 1)
      )
    }
    goal.source.stores.flatMap { case (plan, _) =>
      plan.families.map { family =>
        val rows = after.getOrElse(FamilyKey(plan.operator, plan.store, family.name), RowTotals.none)
        FamilyTotals(plan.operator, plan.operatorName, plan.store, family.name, rows.rows, rows.digest)
      }
    }
  }

  private def report(goal: MoveGoal, totals: Vector[FamilyTotals], sizes: Sizes = Map.empty): MoveReport = MoveReport(
    goal.source.folder.toString,
    new NewCheckpoint(to, hadoopConf).folder.toString,
    goal.source.batch,
    goal.source.provider,
    goal.provider,
    LogEntry.format(goal.source.committed),
    goal.format,
    goal.source.stores.map { case (plan, before) =>
      val size = sizes.get((plan.operator, plan.store))
      val after = goal.partitionsOf(plan, before)
      val (bytes, rows) = (size.map(_.bytes), size.flatMap(_.rows))
      StoreOutline(plan.operator, plan.operatorName, plan.store, before, after, bytes, rows)
    },
    None,
    totals
  )
}

private object Move {
  private type Sizes = Map[(Long, String), VersionSize]
}
