package io.rockstate.benchmarks.questions

import io.rockstate.benchmarks.lab._

private[questions] object Checkpoint {

  /** All keys in a snapshot and `deltas` batches after it, by a provider that is closed then. */
  def write(lab: Lab, folder: String, keys: Int, deltas: Int): (Shadow, Long) = {
    val store = lab.openIn(folder, Layout.Plain)
    try {
      val loaded = LoadedStore.into(store, keys, lab.sizes.batchRows, snapshotAtEnd = true)
      val random = lab.random()
      (1 to deltas).foreach { _ =>
        val batch = Numbers.random(random, loaded.shadow.keys, lab.sizes.batchRows)
        store.batch(loaded.rows.getAndPut(_, batch))
      }
      (loaded.shadow, store.version)
    } finally store.close()
  }
}
