package org.apache.spark.sql.execution.streaming.state.rockstate.shims

/** What tells how an operator's rows are spread over partitions, beside the schema of their keys.
  *
  * @param joinFormat the state format of the query's joins
  * @param properties what `transformWithState` says of its state variables, as JSON
  */
private[rockstate] final case class OperatorDetails(joinFormat: Option[Int], properties: Option[String])
