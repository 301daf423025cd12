package org.apache.spark.sql.execution.streaming.state.rockstate.store

/** What 4.0's contract suite wants of Spark's own stores alone. */
object StoreSuiteExceptions {
  private val ReadsAfterCommit =
    "reads a store after its commit, which later suites take for an error and no operator does"

  /** How the tests' names begin, and why they are left out. */
  val reasons: Map[String, String] = Map(
    "get, put, remove, commit, and all data iterator" -> ReadsAfterCommit,
    "numKeys metrics" -> ReadsAfterCommit,
    "abort - " -> ReadsAfterCommit,
    "getStore with invalid versions" -> ReadsAfterCommit,
    "two concurrent StateStores" -> ReadsAfterCommit,
    "SPARK-18342: commit fails when rename fails" -> "wants the name that Spark's own stores give themselves"
  )
}
