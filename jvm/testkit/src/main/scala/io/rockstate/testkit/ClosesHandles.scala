package io.rockstate.testkit

import org.scalatest.{BeforeAndAfterEach, Suite}

import io.rockstate.db.NativeHandles

/** Each test leaves as many objects of RocksDB open as it found, and closes no database that is in use. */
trait ClosesHandles extends BeforeAndAfterEach { this: Suite =>
  private var before = (0, 0)

  override protected def beforeEach(): Unit = {
    before = now
    super.beforeEach()
  }

  override protected def afterEach(): Unit =
    try super.afterEach()
    finally
      assert(now == before, "databases, views and iterators that are open, and databases that were closed too early")

  /** How many more are open than before the test. */
  protected def openedHere: Int = NativeHandles.open - before._1

  private def now: (Int, Int) = (NativeHandles.open, NativeHandles.closedTooEarly)
}
