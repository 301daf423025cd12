package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.util.Utils

/** The jars that a session was given by ADD JAR: the thread that ran it has their classes, and those that it starts. */
object SessionJars {
  def within[T](session: SparkSession)(body: => T): T =
    Utils.withContextClassLoader(session.sharedState.jarClassLoader)(body)
}
