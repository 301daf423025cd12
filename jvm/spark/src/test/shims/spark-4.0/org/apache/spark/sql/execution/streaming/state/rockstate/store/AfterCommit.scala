package org.apache.spark.sql.execution.streaming.state.rockstate.store

/** What 4.0's contract suite reads of a store after its commit. No operator does, and later suites take it for an error. */
object AfterCommit {

  /** How the names of the tests begin that read. */
  val tests: Seq[String] = Seq(
    "get, put, remove, commit, and all data iterator",
    "numKeys metrics",
    "abort - ",
    "getStore with invalid versions",
    "two concurrent StateStores"
  )
}
