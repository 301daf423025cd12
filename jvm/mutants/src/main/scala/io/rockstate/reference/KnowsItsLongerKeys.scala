package io.rockstate.reference

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.UnsafeRowPair

import io.rockstate.reference.Pairs.Pairs

/** A store that can give keys with eight more bytes at their end, and knows the last one when it is handed to it. */
trait KnowsItsLongerKeys extends ReferenceStore {
  private var shown, last: UnsafeRow = _

  protected def withLongerKeys(pairs: Pairs): Pairs = Pairs.changed(pairs)(_.map { pair =>
    last = pair.key
    shown = Rows.longer(last)
    new UnsafeRowPair(shown, pair.value)
  })

  override def put(key: UnsafeRow, value: UnsafeRow, family: String): Unit = super.put(known(key), value, family)

  override def remove(key: UnsafeRow, family: String): Unit = super.remove(known(key), family)

  private def known(key: UnsafeRow): UnsafeRow = if (key eq shown) last else key
}
