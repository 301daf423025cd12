package io.rockstate.errors

import java.io.IOException

import org.scalatest.funsuite.AnyFunSuite

class OnFailureSuite extends AnyFunSuite {

  test("what fails is what is thrown, whatever undoing it meets") {
    val (failure, again) = (new InterruptedException("cut off"), new IOException("not that, either"))
    assert(intercept[InterruptedException](OnFailure(throw again)(throw failure)) eq failure)
    assert(failure.getSuppressed.toSeq == Seq(again))
    val same = new IOException("thrown again by what undoes")
    assert(intercept[IOException](OnFailure(throw same)(throw same)) eq same)
  }

  test("it is undone once, and only after a failure") {
    var undone = 0
    assert(OnFailure(undone += 1)(17) == 17 && undone == 0)
    intercept[StackOverflowError](OnFailure(undone += 1)(throw new StackOverflowError))
    assert(undone == 1)
  }
}
