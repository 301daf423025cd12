package org.apache.spark.sql.execution.streaming.state.rockstate.inspect

/** What a query's checkpoint says of its state.
  *
  * @param provider    the class that the offset log names; none if no batch was planned yet
  * @param lastPlanned the last batch in the offset log
  * @param lastCommitted the last batch in the commit log: its state is version `lastCommitted + 1` of every store
  */
final case class CheckpointReport(
    location: String,
    provider: Option[String],
    lastPlanned: Option[Long],
    lastCommitted: Option[Long],
    operators: Vector[OperatorReport]
)

/** A stateful operator: its name as Spark's metadata has it, and where its stores are. */
final case class OperatorReport(operatorId: Long, name: Option[String], stores: Vector[StorePlace])

/** One store of one partition; `name` is "default" unless the operator has several.
  *
  * @param checkpointIds that the last committed batch gave the partition's stores, one of them this one's; none under checkpoint format 1
  */
final case class StorePlace(partition: Int, name: String, location: String, checkpointIds: Vector[String])
