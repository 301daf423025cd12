package io.rockstate.engine.api

/** Walks key-value pairs in the keys' unsigned byte order. `next` moves to the following pair and says whether there is one; `key`
  * and `value` then return arrays that the caller may keep. The owner closes it; closing twice is fine.
  */
trait KeyValueIterator extends AutoCloseable {
  def next(): Boolean
  def key: Array[Byte]
  def value: Array[Byte]
  override def close(): Unit
}
