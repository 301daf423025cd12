package io.rockstate.engine.layers

import net.jpountz.xxhash.XXHashFactory

import io.rockstate.engine.records.{KeyIndex, KeyOrder, KeyedRecords, RecordTable}

/** What one version changed: one record for each key. Immutable; found by key at once, by order after a sort that happens when it is first
  * needed.
  *
  * @param heapBytes what it holds of the JVM's memory
  */
private[engine] final class ChangeLayer(changes: KeyedRecords, val heapBytes: Long) {
  private val index = changes.index
  private val records = changes.records

  def keys: Int = changes.writtenKeys

  /** The key's record, or -1 if this version did not change it. */
  def find(key: Array[Byte], hash: Int): Int = {
    val id = changes.find(key, hash)
    if (id < 0) -1 else changes.newest(id)
  }

  def isRemoval(record: Int): Boolean = records.isRemoval(record)
  def isMerge(record: Int): Boolean = records.isMerge(record)

  /** A copy of the record's value or operand. */
  def bytes(record: Int): Array[Byte] = records.bytes(record)

  /** Where the records are, for what copies them. */
  def table: RecordTable = records

  /** The id of the n-th key to be written. */
  def keyId(n: Int): Int = changes.writtenKey(n)

  /** Runs `body` on each changed key's id, in the order of writing. */
  def foreachKey(body: Int => Unit): Unit = {
    var n = 0
    while (n < keys) {
      body(keyId(n))
      n += 1
    }
  }

  def record(id: Int): Int = changes.newest(id)
  def keyIndex: KeyIndex = index

  /** The ids in key order. */
  lazy val ordered: Array[Int] = KeyOrder.sorted(index, changes.writtenIds)

  /** The first position in `ordered` whose key is not below `key`. */
  def position(key: Array[Byte]): Int = {
    var low = 0
    var high = ordered.length
    while (low < high) {
      val middle = (low + high) >>> 1
      if (index.compare(ordered(middle), key) < 0) low = middle + 1 else high = middle
    }
    low
  }

  /** The digest of the version that these changes make of one with `baseDigest`: equal for equal histories of changes, in whatever order
    * each batch wrote its rows. docs/file-format.md has the formula.
    */
  def digestOn(baseDigest: Long): Long =
    java.lang.Long.rotateLeft(baseDigest, 31) * ChangeLayer.DigestFactor + digest

  /** The digest of these changes alone. */
  def digest: Long = {
    val hash = XXHashFactory.fastestJavaInstance().hash64()
    var sum = 0L
    foreachKey { id =>
      val record = changes.newest(id)
      sum += hash.hash(records.chunk(record), records.start(record), records.length(record), 0L)
    }
    sum
  }
}

private object ChangeLayer {
  val DigestFactor = 0x9e3779b97f4a7c15L
}
