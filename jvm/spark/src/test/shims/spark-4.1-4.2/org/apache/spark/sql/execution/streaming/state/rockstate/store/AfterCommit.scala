package org.apache.spark.sql.execution.streaming.state.rockstate.store

/** What the contract suite reads of a store after its commit: nothing. */
object AfterCommit {

  /** How the names of the tests begin that read. */
  val tests: Seq[String] = Nil
}
