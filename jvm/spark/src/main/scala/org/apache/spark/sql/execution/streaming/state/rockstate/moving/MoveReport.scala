package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import org.apache.hadoop.fs.Path

import io.rockstate.inspect.VersionSize

/** What is asked for.
  *
  * @param from       a checkpoint
  * @param to         an empty folder, or none yet
  * @param provider   the class that is to keep the state; as it was if none is given
  * @param partitions the new number of shuffle partitions; as it was if none is given
  * @param batch      the batch whose state is moved; the last committed one if none is given
  * @param format     the checkpoint format; if none is given as it was, or for another provider 2 for Rockstate and 1 for others
  * @param isDryRun   whether only to look
  */
final case class MoveRequest(
    from: String,
    to: String,
    provider: Option[String],
    partitions: Option[Int],
    batch: Option[Long],
    format: Option[Int],
    isDryRun: Boolean
)

/** What was moved, or would be.
  *
  * @param seconds about how long it would take here, before anything is moved
  * @param totals  by operator, store and column family; none if nothing was moved
  */
final case class MoveReport(
    from: String,
    to: String,
    batch: Long,
    fromProvider: String,
    toProvider: String,
    fromFormat: Int,
    toFormat: Int,
    stores: Vector[StoreOutline],
    seconds: Option[Double],
    totals: Vector[FamilyTotals]
) {

  /** The same with about how long it takes, by what its stores say of their size. */
  private[rockstate] def about(pace: Pace, cores: Int): MoveReport = {
    val bytes = stores.flatMap(_.bytes)
    val rows = Option.when(stores.forall(_.rows.isDefined))(stores.flatMap(_.rows).sum)
    copy(seconds = Option.when(bytes.nonEmpty)(pace.seconds(bytes.sum, rows, cores)))
  }
}

private[rockstate] object MoveReport {

  /** By operator and store. */
  type Sizes = Map[(Long, String), VersionSize]

  def of(goal: MoveGoal, to: Path, totals: Vector[FamilyTotals], sizes: Sizes): MoveReport = MoveReport(
    goal.source.folder.toString,
    to.toString,
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

/** One store of an operator, over all its partitions.
  *
  * @param partitions    how many it has
  * @param newPartitions how many it will have
  * @param bytes         of the files that are to be read, before anything is moved
  * @param rows          that are in it, if this can be told without reading them
  */
final case class StoreOutline(
    operator: Long,
    operatorName: String,
    store: String,
    partitions: Int,
    newPartitions: Int,
    bytes: Option[Long],
    rows: Option[Long]
)

/** The rows of a column family over all partitions, the same in both checkpoints.
  *
  * @param digest of rows that may come in any order, but not of another key's values
  */
final case class FamilyTotals(
    operator: Long,
    operatorName: String,
    store: String,
    family: String,
    rows: Long,
    digest: String
)
