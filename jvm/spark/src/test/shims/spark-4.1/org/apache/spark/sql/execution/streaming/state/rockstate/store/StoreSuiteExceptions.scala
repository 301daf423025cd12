package org.apache.spark.sql.execution.streaming.state.rockstate.store

/** What 4.1's contract suite wants of Spark's own stores alone. */
object StoreSuiteExceptions {
  private val CountsChecksumFiles = "counts Spark's checksum files: ours are in the files, and later suites do not ask"

  /** How the tests' names begin, and why they are left out. */
  val reasons: Map[String, String] = Map(
    "checksum files are also cleaned up during maintenance" -> CountsChecksumFiles,
    "overwrite state file without overwriting checksum file" -> CountsChecksumFiles,
    "Load spark 4.0 golden checkpoint written without checksum" -> "goes on with what Spark's own providers wrote"
  )
}
