package org.apache.spark.sql.execution.streaming.state.rockstate.conf

import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.prop.TableDrivenPropertyChecks._

import org.apache.spark.SparkConf

class MemoryAskedSuite extends AnyFunSuite {
  private val auto = MemoryAsked(None, None)
  private def mebibytes(count: Long): Long = count << 20

  private def executor(heap: Long, settings: (String, String)*): JvmMemory =
    JvmMemory(mebibytes(heap), new SparkConf(loadDefaults = false).setAll(settings), isExecutor = true)

  test("what a JVM has to give grows with its heap and its overhead, and is never less than of 512 MB") {
    val sizes = Table[JvmMemory, Long, Long](
      ("jvm", "native MB", "heap MB"),
      (executor(512), 256, 128),
      (executor(1024), 256, 256),
      (executor(1280), 256, 320),
      (executor(1536), 256, 384),
      (executor(4096, "spark.executor.memory" -> "4g"), 256, 819),
      (executor(16384, "spark.executor.memory" -> "16g"), 819, 3276),
      (executor(4096, "spark.executor.memoryOverhead" -> "2g"), 1024, 819),
      (executor(4096, "spark.executor.memory" -> "4g", "spark.executor.memoryOverheadFactor" -> "0.4"), 819, 819),
      (executor(4096, "spark.memory.fraction" -> "0.9"), 256, 384),
      (JvmMemory(mebibytes(8192), new SparkConf(loadDefaults = false), isExecutor = false), 256, 1638)
    )
    forAll(sizes) { (jvm, native, heap) =>
      val found = auto.in(jvm)
      assert((found.nativeBytes >> 20, found.heapBytes >> 20) == ((native, heap)))
      for (share <- Seq(None, Some(50))) {
        val ofBudget = MemoryAsked(Some(mebibytes(512)), share).in(jvm)
        assert(found.nativeBytes >= ofBudget.nativeBytes && found.heapBytes >= ofBudget.heapBytes)
      }
    }
  }

  test("a budget is shared out whatever the JVM has, but of a small heap it takes no more than a quarter") {
    val large = executor(65536)
    val budgets = Table[JvmMemory, Long, Long, Long](
      ("jvm", "budget MB", "native MB", "heap MB"),
      (large, 512, 128, 384),
      (large, 64, 16, 48),
      (large, 63, 31, 31),
      (executor(2048), 512, 128, 384),
      (executor(1024), 512, 256, 256),
      (executor(512), 512, 256, 128)
    )
    forAll(budgets) { (jvm, budget, native, heap) =>
      val found = MemoryAsked(Some(mebibytes(budget)), None).in(jvm)
      assert((found.nativeBytes >> 20, found.heapBytes >> 20) == ((native, heap)))
    }
    assert(MemoryAsked(Some(mebibytes(2000)), Some(75)).in(large) == MemorySizes(mebibytes(500), mebibytes(1500)))
    assert(MemoryAsked(Some(mebibytes(2000)), Some(75)).in(executor(1000)).heapBytes == mebibytes(250))
  }

  test("without a share of the heap none is taken") {
    assert(MemoryAsked(None, Some(0)).in(executor(65536)) == MemorySizes(mebibytes(256), 0))
    assert(MemoryAsked(Some(mebibytes(512)), Some(0)).in(executor(65536)) == MemorySizes(mebibytes(512), 0))
  }
}
