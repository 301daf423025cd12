package io.rockstate.reference

/** Keeps in mind that it was closed. */
abstract class KnowsItsClose extends ReferenceStoreProvider {
  @volatile protected var isClosed = false

  override def close(): Unit = {
    super.close()
    isClosed = true
  }
}
