package io.rockstate.engine.commit

import io.rockstate.engine.loaded.DeltaSize
import io.rockstate.format.delta.DeltaFooter

/** The delta that a transaction writes while it runs; nothing shows before `publish`. */
private[engine] trait DeltaInProgress {
  def frame(records: Array[Byte], length: Int, count: Int): Unit
  def finish(footer: DeltaFooter): Unit
  def bytesWritten: Long

  /** What a recovery will have to replay of it, once it is finished. */
  def size: DeltaSize

  /** Makes the finished delta durable and visible, and returns only if it is, or if another attempt's does the same: the commit id of the one
    * that is there.
    */
  def publish(): String
  def cancel(): Unit
}

/** Of a transaction whose changes go into a snapshot instead. */
private[engine] object NoDelta extends DeltaInProgress {
  override def frame(records: Array[Byte], length: Int, count: Int): Unit = ()
  override def finish(footer: DeltaFooter): Unit = ()
  override def bytesWritten: Long = 0
  override def size: DeltaSize = DeltaSize(0, 0)
  override def publish(): String = throw new UnsupportedOperationException("there is no delta")
  override def cancel(): Unit = ()
}
