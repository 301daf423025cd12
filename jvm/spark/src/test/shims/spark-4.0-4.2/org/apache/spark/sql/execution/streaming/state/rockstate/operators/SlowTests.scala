package org.apache.spark.sql.execution.streaming.state.rockstate.operators

import org.scalatest.TestSuite

/** A suite with tests that take long and are much like quicker ones: those run with `-Drockstate.allTests=true` only. */
trait SlowTests extends TestSuite {
  protected def isSlow(testName: String): Boolean = false

  override def tags: Map[String, Set[String]] = {
    val tags = super.tags
    tags ++ testNames.filter(isSlow).map(name => name -> (tags.getOrElse(name, Set.empty) + "io.rockstate.Slow"))
  }
}

object SlowTests {

  /** Spark's suites run many tests in both formats of an operator's state. */
  def isOfFirstFormat(testName: String): Boolean =
    testName.endsWith("state format version 1") || testName.endsWith("state ver 1")
}
