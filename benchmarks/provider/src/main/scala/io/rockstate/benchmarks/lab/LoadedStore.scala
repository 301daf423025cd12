package io.rockstate.benchmarks.lab

import scala.collection.mutable

/** A plain store that holds every key of its shadow.
  *
  * @param loading times of the batches that loaded it, in order
  */
final class LoadedStore private (val store: StoreUnderTest, val shadow: Shadow) {
  private val times = mutable.Buffer.empty[BatchTimes]
  val rows = new PlainRows(shadow)

  def loading: Seq[BatchTimes] = times.toSeq
}

object LoadedStore {

  /** Loads `keys` new keys, in batches of the lab's size, and runs maintenance. */
  def apply(lab: Lab, keys: Int): LoadedStore = into(lab.open(Layout.Plain), keys, lab.sizes.batchRows)

  /** The same into a store that is there. */
  def into(store: StoreUnderTest, keys: Int, batchRows: Int, snapshotAtEnd: Boolean = false): LoadedStore = {
    val loaded = new LoadedStore(store, new Shadow(keys))
    (0 until keys).grouped(batchRows).foreach { numbers =>
      val batch = numbers.toArray
      val isLast = batch.last == keys - 1
      loaded.times += (
        if (isLast && snapshotAtEnd) store.batchWithSnapshot(loaded.rows.getAndPut(_, batch))
        else store.batch(loaded.rows.getAndPut(_, batch))
      )
    }
    store.maintain()
    loaded
  }
}
