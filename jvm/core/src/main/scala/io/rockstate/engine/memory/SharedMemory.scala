package io.rockstate.engine.memory

import io.rockstate.db.NativeMemory

/** What all stores of a JVM share: native memory for block cache and write buffers, heap for change layers and read caches. */
final case class SharedMemory(native: NativeMemory, heap: HeapMemory) {

  /** Bytes held now. */
  def usedBytes: Long = native.usedBytes + heap.usedBytes
}
