package io.rockstate.db

import java.util.concurrent.atomic.AtomicInteger

/** The objects of RocksDB that are in use: databases, views and iterators. RocksDB frees what is closed whether or not it is still used, and the
  * process with it.
  */
private[rockstate] object NativeHandles {
  private val opened = new AtomicInteger
  private val tooEarly = new AtomicInteger

  /** How many are not closed. */
  def open: Int = opened.get

  /** How many databases were closed before what was opened on them. */
  def closedTooEarly: Int = tooEarly.get

  private[db] def countTooEarly(): Unit = { tooEarly.incrementAndGet(); () }

  /** What is open of one database, itself included. */
  private[db] final class OfDatabase {
    private val own = new AtomicInteger

    def add(): Unit = {
      own.incrementAndGet()
      opened.incrementAndGet()
      ()
    }

    /** How many are left. */
    def remove(): Int = {
      opened.decrementAndGet()
      own.decrementAndGet()
    }
  }
}
