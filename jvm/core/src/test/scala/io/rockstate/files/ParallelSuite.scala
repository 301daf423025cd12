package io.rockstate.files

import java.util.concurrent.{ConcurrentLinkedQueue, CountDownLatch, TimeUnit}
import java.util.concurrent.atomic.AtomicInteger

import org.scalatest.funsuite.AnyFunSuite

class ParallelSuite extends AnyFunSuite {
  test("results come in the order of the items, so many computed ahead and no more") {
    val begun = new AtomicInteger
    val ahead = new ConcurrentLinkedQueue[Int]
    val results = Parallel.ahead(3, 1 to 20) { i => begun.incrementAndGet(); i * i } { squares =>
      squares.zipWithIndex.map { case (square, used) => ahead.add(begun.get - used); square }.toVector
    }
    assert(results == (1 to 20).map(i => i * i))
    assert(ahead.stream().allMatch(_ <= 4))
  }

  test("the first failure surfaces as it was thrown, and nothing is begun after it") {
    val begun = new AtomicInteger
    val failure = intercept[IllegalStateException] {
      Parallel.map(2, 1 to 100) { i =>
        begun.incrementAndGet()
        if (i == 3) throw new IllegalStateException("the third fails") else i
      }
    }
    assert(failure.getMessage == "the third fails" && begun.get < 10)
  }

  test("who is interrupted while the work waits goes on at once, and the work is told") {
    val (working, told) = (new CountDownLatch(2), new CountDownLatch(2))
    @volatile var failure: Throwable = null
    val waiting = new Thread(() =>
      try
        Parallel.map(2, 1 to 10) { _ =>
          working.countDown()
          try Thread.sleep(60000)
          catch { case e: InterruptedException => told.countDown(); throw e }
        }: Unit
      catch { case e: Throwable => failure = e }
    )
    waiting.start()
    assert(working.await(10, TimeUnit.SECONDS))
    waiting.interrupt()
    waiting.join(10000)
    assert(failure.isInstanceOf[InterruptedException] && told.await(10, TimeUnit.SECONDS))
  }
}
