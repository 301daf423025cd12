package io.rockstate.engine

import io.rockstate.db.WriteBatches
import net.jpountz.xxhash.XXHashFactory

/** What a transaction changed: the last record of each key, in key order.
  *
  * @param rowChanges how each column family's row count changes, by its id
  */
private[engine] final class FrozenWrites(records: RecordTable, ordinals: Array[Int], val rowChanges: Map[Int, Long]) {

  /** The wrapping sum of the records' XXH64: the same for the same changes, in whatever order they were written. */
  lazy val contentDigest: Long = {
    val hash = XXHashFactory.fastestJavaInstance().hash64()
    ordinals.foldLeft(0L) { (sum, record) =>
      sum + hash.hash(records.chunk(record), records.start(record), records.length(record), 0L)
    }
  }

  /** Adds the changes, sorted: applying them in key order takes a third of the time. */
  def addTo(batches: WriteBatches): Unit =
    ordinals.foreach(record => batches.add(records.chunk(record), records.start(record), records.length(record), 1))
}
