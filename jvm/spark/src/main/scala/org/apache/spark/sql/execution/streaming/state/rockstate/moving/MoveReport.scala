package org.apache.spark.sql.execution.streaming.state.rockstate.moving

/** What is asked for.
  *
  * @param from     a checkpoint
  * @param to       an empty folder, or none yet
  * @param provider the class that is to keep the state
  * @param batch    the batch whose state is moved; the last committed one if none is given
  * @param format   the checkpoint format; if none is given, 2 for Rockstate and 1 for other providers
  * @param isDryRun whether only to look
  */
final case class MoveRequest(
    from: String,
    to: String,
    provider: String,
    batch: Option[Long],
    format: Option[Int],
    isDryRun: Boolean
)

/** What was moved, or would be.
  *
  * @param totals by operator, store and column family; none if nothing was moved
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
    totals: Vector[FamilyTotals]
)

/** One store of an operator, over all its partitions. */
final case class StoreOutline(operator: Long, operatorName: String, store: String, partitions: Int)

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

/** What a task did with a partition of a store.
  *
  * @param id   the checkpoint id of what it wrote
  * @param rows by column family
  */
private[moving] final case class Moved(
    operator: Long,
    store: Int,
    partition: Int,
    id: Option[String],
    rows: Map[String, RowTotals]
)
