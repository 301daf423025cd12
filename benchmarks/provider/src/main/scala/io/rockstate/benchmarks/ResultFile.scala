package io.rockstate.benchmarks

import java.lang.management.ManagementFactory
import java.nio.file.Files
import java.util.LinkedHashMap

import scala.collection.immutable.ListMap
import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.{ObjectMapper, SerializationFeature}
import com.sun.management.OperatingSystemMXBean

import org.apache.spark.SPARK_VERSION

/** Writes results in the shape that benchmarks/README.md gives. */
object ResultFile {
  private val json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT)

  /** Writes `<question>.json` to the plan's folder. `IllegalStateException` for a figure that is no number. */
  def write(plan: Plan, question: String, measured: Measurement): Unit = {
    val result = ListMap[String, Any](
      "question" -> question,
      "contender" -> plan.contender,
      "round" -> plan.round,
      "settings" -> (settings(plan) ++ measured.settings),
      "metrics" -> measured.metrics.map { case (name, metric) => name -> shown(name, metric) }.to(ListMap),
      "series" -> measured.series,
      "machine" -> machine
    )
    Files.write(plan.out.resolve(s"$question.json"), json.writeValueAsBytes(java(result)))
    ()
  }

  private def settings(plan: Plan): Map[String, Any] = plan.sizes.asMap ++ Map[String, Any](
    "provider" -> plan.provider,
    "confs" -> plan.confs,
    "budget_bytes" -> plan.budgetBytes,
    "heap_bytes" -> Runtime.getRuntime.maxMemory,
    "latency_ms" -> plan.latencyMillis,
    "checkpoint_format" -> 1
  )

  private def shown(name: String, metric: Metric): Map[String, Any] = {
    if (metric.value.isNaN || metric.value.isInfinite) throw new IllegalStateException(s"$name is ${metric.value}")
    Map[String, Any](
      "value" -> metric.value,
      "unit" -> metric.unit,
      "better" -> (if (metric.higherIsBetter) "higher" else "lower")
    )
  }

  private def machine: Map[String, Any] = {
    val system = ManagementFactory.getPlatformMXBean(classOf[OperatingSystemMXBean])
    Map[String, Any](
      "cores" -> system.getAvailableProcessors,
      "memory_bytes" -> system.getTotalMemorySize,
      "jdk" -> System.getProperty("java.runtime.version"),
      "os" -> s"${system.getName} ${system.getVersion} ${system.getArch}",
      "spark" -> SPARK_VERSION
    )
  }

  private def java(value: Any): Any = value match {
    case map: Map[_, _] =>
      val ordered = new LinkedHashMap[String, Any]
      map.foreach { case (key, inner) => ordered.put(key.toString, java(inner)) }
      ordered
    case list: Seq[_] => list.map(java).asJava
    case other => other
  }
}
