package io.rockstate.engine.transaction

import io.rockstate.engine.api.KeyValueIterator
import io.rockstate.errors.Misuse

/** What a transaction lends to its scans.
  *
  * @param lock           guards the transaction
  * @param onCommittedRow takes note of the key of a row that is the base version's
  * @param onClose        takes note that the scan is over
  */
private[engine] final class ScanAccess(
    val lock: AnyRef,
    val onCommittedRow: Array[Byte] => Unit,
    val onClose: TransactionScan => Unit
)

/** A scan of what a transaction sees, until it is drained, closed or cut off by the transaction's end. */
private[engine] abstract class TransactionScan(access: ScanAccess) extends KeyValueIterator {
  private var currentKey: Array[Byte] = _
  private var currentValue: Array[Byte] = _
  private var state: TransactionScan.State = TransactionScan.Open

  /** Moves to the next row and `take`s it; false at the end. */
  protected def step(): Boolean

  /** Frees what the scan holds: its transaction has ended. */
  protected def letGo(): Unit

  protected final def take(key: Array[Byte], value: Array[Byte]): Unit = {
    currentKey = key
    currentValue = value
  }

  override def next(): Boolean = access.lock.synchronized {
    if (state == TransactionScan.Cut) {
      throw new Misuse("This scan was used after its transaction had ended", "Drain a scan before commit or abort.")
    }
    if (state == TransactionScan.Open && !step()) close()
    state == TransactionScan.Open
  }

  override def key: Array[Byte] = currentKey
  override def value: Array[Byte] = currentValue

  override def close(): Unit = access.lock.synchronized {
    if (state == TransactionScan.Open) {
      state = TransactionScan.Closed
      access.onClose(this)
    }
  }

  /** Ends the scan because its transaction has ended. */
  final def cut(): Unit = if (state == TransactionScan.Open) {
    state = TransactionScan.Cut
    letGo()
  }
}

private object TransactionScan {
  sealed trait State
  case object Open extends State
  case object Closed extends State

  /** Open when its transaction ended. */
  case object Cut extends State
}
