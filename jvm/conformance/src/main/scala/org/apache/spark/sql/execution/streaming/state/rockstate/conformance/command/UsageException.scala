package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.command

/** A command that makes no sense: a mistake of the check, not of the provider. */
private[conformance] final class UsageException(message: String) extends RuntimeException(message)
