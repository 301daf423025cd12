package org.apache.spark.sql.execution.streaming.state.rockstate.store

/** What the contract suite wants of Spark's own stores alone: nothing. */
object StoreSuiteExceptions {

  /** How the tests' names begin, and why they are left out. */
  val reasons: Map[String, String] = Map.empty
}
