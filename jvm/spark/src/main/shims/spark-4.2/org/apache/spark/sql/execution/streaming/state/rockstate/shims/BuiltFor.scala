package org.apache.spark.sql.execution.streaming.state.rockstate.shims

/** The Spark minor this jar is compiled against. */
private[rockstate] object BuiltFor {
  val minor = "4.2"

  /** The first release of it that has all that the jar calls. */
  val firstRelease = "4.2.0"
}
