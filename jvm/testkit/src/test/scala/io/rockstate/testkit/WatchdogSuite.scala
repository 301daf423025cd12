package io.rockstate.testkit

import java.util.concurrent.CountDownLatch

import org.scalatest.exceptions.TestFailedException
import org.scalatest.funsuite.AnyFunSuite

class WatchdogSuite extends AnyFunSuite {
  test("what ends in time has run, or throws what it throws") {
    var hasRun = false
    Watchdog.within(60) { hasRun = true }
    assert(hasRun)
    assert(
      intercept[IllegalStateException](
        Watchdog.within(60)(throw new IllegalStateException("it fails"))
      ).getMessage == "it fails"
    )
  }

  test("what hangs fails, with where it hangs") {
    val never = new CountDownLatch(1)
    val failure = intercept[TestFailedException](Watchdog.within(1)(never.await()))
    assert(failure.getMessage.contains("CountDownLatch.await"))
  }
}
