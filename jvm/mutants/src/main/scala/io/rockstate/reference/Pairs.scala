package io.rockstate.reference

import org.apache.spark.sql.execution.streaming.state.{StateStoreIterator, UnsafeRowPair}

/** What mutants make of a store's iterators. */
object Pairs {
  type Pairs = StateStoreIterator[UnsafeRowPair]

  def changed(all: Pairs)(change: Iterator[UnsafeRowPair] => Iterator[UnsafeRowPair]): Pairs =
    new StateStoreIterator(change(all), () => all.close())

  /** Pairs of a scan whose close has to wait for `require`. */
  def closing(all: Pairs)(require: => Unit): Pairs = new StateStoreIterator(
    all,
    () => {
      require
      all.close()
    }
  )

  /** Reads a hundred pairs at a time, each time from a scan of its own. */
  def inPages(first: Pairs)(again: => Pairs): Pairs = changed(first)(pages(100, _)(again))

  /** Reads so many at a time, each time of what there is then, by how many came before. */
  def pages[A](size: Int, first: Iterator[A])(again: => Iterator[A]): Iterator[A] = {
    val later = Iterator.from(1).map(page => again.slice(page * size, (page + 1) * size).toVector)
    first.take(size) ++ later.takeWhile(_.nonEmpty).flatten
  }

  /** Loses a pair each time that it is asked twice in a row whether there is more. */
  def lostWhenAskedTwice(all: Pairs): Pairs = changed(all)(skippingWhenAskedTwice)

  /** Loses one each time that it is asked twice in a row whether there is more. */
  def skippingWhenAskedTwice[A](all: Iterator[A]): Iterator[A] = new Iterator[A] {
    private var isAsked = false

    override def hasNext: Boolean = {
      if (isAsked && all.hasNext) all.next()
      isAsked = true
      all.hasNext
    }

    override def next(): A = {
      isAsked = false
      all.next()
    }
  }

  /** Throws when it is asked once more after it said that there is no more. */
  def throwingBeyondTheEnd[A](all: Iterator[A]): Iterator[A] = new Iterator[A] {
    private var isAtEnd = false

    override def hasNext: Boolean = {
      if (isAtEnd) throw new NoSuchElementException("There is no more")
      isAtEnd = !all.hasNext
      !isAtEnd
    }

    override def next(): A = all.next()
  }
}
