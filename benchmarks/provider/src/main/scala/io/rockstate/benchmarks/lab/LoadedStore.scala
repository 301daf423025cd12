package io.rockstate.benchmarks.lab

import io.rockstate.benchmarks.{Measurement, Workload}
import io.rockstate.benchmarks.Workload.WarmUp

/** A plain store that holds every key of its shadow.
  *
  * @param loading what was measured while the second half of the keys was loaded
  */
final class LoadedStore private (
    val store: StoreUnderTest,
    val shadow: Shadow,
    val rows: PlainRows,
    val loading: Measurement
)

object LoadedStore {

  /** Loads `keys` new keys, in batches of the lab's size, and runs maintenance. */
  def apply(lab: Lab, keys: Int): LoadedStore = into(lab.open(Layout.Plain), keys, lab.sizes.batchRows)

  /** The same into an empty store. With `snapshotAtEnd` the last batch is stored as a snapshot, too. */
  def into(store: StoreUnderTest, keys: Int, batchRows: Int, snapshotAtEnd: Boolean = false): LoadedStore = {
    val shadow = new Shadow(keys)
    val rows = new PlainRows(shadow)
    val batches = (0 until keys).grouped(batchRows).map(_.toArray)
    val count = (keys + batchRows - 1) / batchRows
    val loading = Workload.measure(Seq(store), WarmUp(count / 2), count - count / 2)(batches.next()) { batch =>
      if (snapshotAtEnd && batch.last == keys - 1) store.batchWithSnapshot(rows.getAndPut(_, batch))
      else store.batch(rows.getAndPut(_, batch))
    }
    store.maintain()
    new LoadedStore(store, shadow, rows, loading)
  }
}
