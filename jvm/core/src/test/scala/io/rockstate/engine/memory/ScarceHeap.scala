package io.rockstate.engine.memory

/** The heap of a JVM that can be out of memory: then each call that changes what is taken fails, that which gives back once it has done so. */
private[engine] final class ScarceHeap(totalBytes: Long) extends HeapMemory(totalBytes) {
  @volatile var isOut = false

  override def chargeCache(bytes: Long): Unit = {
    if (bytes > 0) requireMemory()
    super.chargeCache(bytes)
    requireMemory()
  }

  override def releaseFromCache(bytes: Long): Unit = {
    super.releaseFromCache(bytes)
    requireMemory()
  }

  override def chargeLayers(bytes: Long): Unit = {
    if (bytes != 0) requireMemory()
    super.chargeLayers(bytes)
  }

  private def requireMemory(): Unit = if (isOut) throw new OutOfMemoryError("as the test wants it")
}
