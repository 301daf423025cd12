package io.rockstate.engine.transaction

import io.rockstate.engine.loaded.LoadedBase

/** A transaction's writes and scans since it began, or since the last of its writes went into its database.
  *
  * @param lock guards the transaction
  */
private[engine] final class Portion(
    base: LoadedBase,
    figures: TransactionFigures,
    lock: AnyRef,
    onFrame: (Array[Byte], Int, Int) => Unit
) {
  val pending = new PendingWrites(base.cache, onFrame)
  val reads = new BaseReads(base, pending, figures)
  val scans = new OpenScans(base, pending, lock, reads.scanned)

  /** Whether its writes are to go into the database before more come. Not while a scan is open, which shows them as they stood. */
  def isFull(bytes: Long): Boolean = pending.mark > 0 && pending.allocatedBytes > bytes && !scans.isAnyOpen
}
