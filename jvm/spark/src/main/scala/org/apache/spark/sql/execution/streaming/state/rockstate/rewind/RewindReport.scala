package org.apache.spark.sql.execution.streaming.state.rockstate.rewind

import org.apache.spark.sql.execution.streaming.state.rockstate.moving.FamilyTotals

/** What is asked for.
  *
  * @param from     a checkpoint
  * @param to       an empty folder, or none yet
  * @param batch    the batch that the new checkpoint goes on after; the last committed one if none is given
  * @param isDryRun whether only to look
  */
final case class ForkRequest(from: String, to: String, batch: Option[Long], isDryRun: Boolean)

/** What was copied, or would be.
  *
  * @param id     of the new query; none after a dry run
  * @param format the checkpoint format
  * @param stores by operator, with what was copied of its files; nothing where rows were moved
  * @param seconds about how long it would take here, before anything is copied
  * @param totals  of the rows, where they were moved one by one; else none
  */
final case class ForkReport(
    from: String,
    to: String,
    batch: Long,
    id: Option[String],
    provider: String,
    format: Int,
    stores: Vector[ForkedOperator],
    seconds: Option[Double],
    totals: Vector[FamilyTotals]
)

/** An operator's stores over all partitions.
  *
  * @param files  how many make the batch's version
  * @param rows   by the files of the old checkpoint
  * @param copied the rows by those of the copy; none after a dry run
  */
final case class ForkedOperator(
    operator: Long,
    operatorName: String,
    stores: Int,
    files: Int,
    bytes: Long,
    rows: Option[Long],
    copied: Option[Long]
)

/** What is asked for.
  *
  * @param checkpoint its location
  * @param batch      the batch to go back to
  */
final case class RollbackRequest(checkpoint: String, batch: Long, isDryRun: Boolean)

/** What was kept aside, or would be.
  *
  * @param lastCommitted the last committed batch before the rollback
  * @param keptIn        the folder within the checkpoint with what came after the batch; none after a dry run
  * @param files         how many
  * @param isOfPartitions whether the batch after it only gave the query another number of partitions: it is not done again
  */
final case class RollbackReport(
    checkpoint: String,
    batch: Long,
    lastCommitted: Option[Long],
    keptIn: Option[String],
    files: Int,
    bytes: Long,
    isOfPartitions: Boolean
)

/** What a rollback had kept aside, and is back or gone.
  *
  * @param folders what it was kept in
  */
final case class KeptReport(checkpoint: String, folders: Vector[String], files: Int, bytes: Long)
