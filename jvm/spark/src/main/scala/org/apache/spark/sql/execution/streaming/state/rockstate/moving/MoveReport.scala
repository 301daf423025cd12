package org.apache.spark.sql.execution.streaming.state.rockstate.moving

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
)

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
