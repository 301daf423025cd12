package org.apache.spark.sql.execution.streaming.state.rockstate.shims

/** What tells how an operator's rows are spread over partitions, beside the schema of their keys.
  *
  * @param joinFormat the state format of the query's joins
  * @param properties what the operator says of itself, as JSON, if it does
  */
private[rockstate] final case class OperatorDetails(joinFormat: Option[Int], properties: Option[String])
