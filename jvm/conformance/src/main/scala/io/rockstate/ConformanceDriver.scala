package io.rockstate

import org.apache.spark.sql.execution.streaming.state.rockstate.conformance.LabCommands

/** What the conformance suite calls, over py4j, to drive any state store provider. Lists of commands in JSON, answered one by one; see
  * `docs/conformance.md`.
  */
class ConformanceDriver {
  private val commands = new LabCommands

  def run(requests: String): String = commands.run(requests)
}
