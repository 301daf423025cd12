package io.rockstate.benchmarks.questions

import io.rockstate.benchmarks.lab._

/** A checkpoint with all keys in a snapshot and batches of updates after it. What is in it is the same for all contenders of a round.
  *
  * @param keys             of the store
  * @param batches          after the snapshot
  * @param rows             of such a batch
  * @param maintenanceEvery batches between two runs of maintenance, which may make newer snapshots; 0 for none
  */
private[questions] final class Checkpoint(lab: Lab, keys: Int, batches: Int, rows: Int, maintenanceEvery: Int = 0) {

  /** The last version. */
  val version: Long = (keys + lab.sizes.batchRows - 1) / lab.sizes.batchRows + batches.toLong

  /** Writes it by a provider that is closed then; what must be in it. */
  def write(folder: String): Shadow = {
    val store = lab.openIn(folder, Layout.Plain, maintenanceEvery)
    try {
      val loaded = LoadedStore.into(store, keys, lab.sizes.batchRows, snapshotAtEnd = true)
      updates.foreach(batch => store.batch(loaded.rows.getAndPut(_, batch)))
      require(store.version == version, s"the store is at ${store.version}, not at $version")
      loaded.shadow
    } finally store.close()
  }

  /** What must be in it, for a process that has not written it. */
  def shadow: Shadow = {
    val shadow = new Shadow(keys)
    (0 until keys).foreach(shadow.put(_, 1))
    updates.foreach(_.foreach(number => shadow.put(number, shadow.generation(number) + 1)))
    shadow
  }

  private def updates: Iterator[Array[Int]] = {
    val random = lab.random()
    Iterator.fill(batches)(Numbers.random(random, keys, rows))
  }
}
