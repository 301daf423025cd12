package io.rockstate.reference

/** Does more at its close if it has read. */
abstract class AtTheCloseOfAReader extends ReferenceStoreProvider {
  @volatile private var read: Option[Version] = None

  protected def end(read: Version): Unit

  override protected def readStore(base: Version, contents: Contents): ReadStore = {
    read = Some(base)
    super.readStore(base, contents)
  }

  override def close(): Unit = {
    read.foreach(end)
    super.close()
  }
}
