package org.apache.spark.sql.execution.streaming.state.rockstate.inspect

import io.rockstate.inspect.FileProblem

/** What a query's checkpoint says of its state.
  *
  * @param provider    the class that the offset log names; none if no batch was planned yet
  * @param lastPlanned the last batch in the offset log
  * @param firstCommitted the first batch that is left in the commit log
  * @param lastCommitted the last batch in the commit log: its state is version `lastCommitted + 1` of every store
  * @param problems    what is wrong with the query's own files, by their names in the checkpoint
  */
final case class CheckpointReport(
    location: String,
    provider: Option[String],
    lastPlanned: Option[Long],
    firstCommitted: Option[Long],
    lastCommitted: Option[Long],
    operators: Vector[OperatorReport],
    problems: Vector[FileProblem]
)

/** A stateful operator: its name as Spark's metadata has it, and where its stores are.
  *
  * @param variables the names of the state variables that a user's processor has declared
  * @param families  of a join that has one store the names of what it keeps in it, which Spark reads like stores
  */
final case class OperatorReport(
    operatorId: Long,
    name: Option[String],
    stores: Vector[StorePlace],
    variables: Vector[String],
    families: Vector[String]
)

/** One store of one partition, which is there or should be; `name` is "default" unless the operator has several.
  *
  * @param isFormer whether the query had the partition before it had fewer: only earlier batches have rows in it
  */
final case class StorePlace(partition: Int, name: String, location: String, isFormer: Boolean)
