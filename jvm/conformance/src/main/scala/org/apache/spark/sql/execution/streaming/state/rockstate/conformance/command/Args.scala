package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.command

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.node.JsonNodeFactory

/** The arguments of a command. */
private[conformance] final class Args(command: JsonNode) {
  def apply(name: String): JsonNode = optional(name).getOrElse(throw new UsageException(s"$command has no $name"))
  def optional(name: String): Option[JsonNode] = Option(command.get(name)).filterNot(_.isNull)
  def text(name: String): String = apply(name).asText
  def text(name: String, default: String): String = optional(name).fold(default)(_.asText)
  def long(name: String): Long = apply(name).asLong
  def long(name: String, default: Long): Long = optional(name).fold(default)(_.asLong)
  def boolean(name: String): Boolean = optional(name).exists(_.asBoolean)

  def list(name: String): Vector[JsonNode] = {
    val array = apply(name)
    Vector.tabulate(array.size)(array.get)
  }

  def strings(all: Seq[String]): JsonNode = {
    val array = JsonNodeFactory.instance.arrayNode()
    all.foreach(array.add(_))
    array
  }
}
