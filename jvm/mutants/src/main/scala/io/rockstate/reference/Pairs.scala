package io.rockstate.reference

import org.apache.spark.sql.execution.streaming.state.{StateStoreIterator, UnsafeRowPair}

/** What mutants make of a store's iterators. */
object Pairs {
  type Pairs = StateStoreIterator[UnsafeRowPair]

  def changed(all: Pairs)(change: Iterator[UnsafeRowPair] => Iterator[UnsafeRowPair]): Pairs =
    new StateStoreIterator(change(all), () => all.close())

  /** Loses a pair each time that it is asked twice in a row whether there is more. */
  def lostWhenAskedTwice(all: Pairs): Pairs = changed(all) { rows =>
    new Iterator[UnsafeRowPair] {
      private var isAsked = false

      override def hasNext: Boolean = {
        if (isAsked && rows.hasNext) rows.next()
        isAsked = true
        rows.hasNext
      }

      override def next(): UnsafeRowPair = {
        isAsked = false
        rows.next()
      }
    }
  }
}
