package io.rockstate.benchmarks.questions

import io.rockstate.benchmarks.{Measurement, Metric, Question}
import io.rockstate.benchmarks.lab.{Lab, Layout, LoadedStore, Memory, Numbers}

/** How much memory does a store with `keys` keys hold while it is updated? Native memory and the live heap count, less what the process
  * held before the store was opened, when all code had run once, and less the shadow copy.
  */
final class Resident(override val name: String, keys: Int) extends Question {
  override def measure(lab: Lab): Measurement = {
    warmUp(lab)
    val before = Memory.now()
    val loaded = LoadedStore(lab, keys)
    val random = lab.random()
    (1 to lab.sizes.batches).foreach { _ =>
      val batch = Numbers.random(random, keys, lab.sizes.batchRows)
      loaded.store.batch(loaded.rows.getAndPut(_, batch))
    }
    loaded.store.awaitMaintenance()
    val after = Memory.now()
    val native = after.native - before.native
    val heap = math.max(0L, after.heapLive - before.heapLive - 4L * keys)
    Measurement(
      Seq(
        "state_bytes" -> Metric.lower(native.toDouble + heap, "bytes"),
        "native_bytes" -> Metric.lower(native.toDouble, "bytes"),
        "heap_bytes" -> Metric.lower(heap.toDouble, "bytes"),
        "resident_bytes" -> Metric.lower(after.resident.toDouble, "bytes")
      ),
      settings = Map("keys" -> keys)
    )
  }

  /** What the JVM needs for classes and compiled code is none of a store's. */
  private def warmUp(lab: Lab): Unit =
    LoadedStore.into(lab.open(Layout.Plain), lab.sizes.batchRows, lab.sizes.batchRows / 10).store.close()
}
