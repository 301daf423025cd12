package io.rockstate.benchmarks.lab

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.benchmarks.WrongAnswer

class ShadowSuite extends AnyFunSuite {
  private val row = new LongsRow(3)

  test("the value that was put last is right, every other is wrong") {
    val shadow = new Shadow(10)
    shadow.put(3, 2)
    shadow.check(3, Values.write(row, 3, 2))
    assertThrows[WrongAnswer](shadow.check(3, Values.write(row, 3, 1)))
    assertThrows[WrongAnswer](shadow.check(3, Values.write(row, 4, 2)))
    assertThrows[WrongAnswer](shadow.check(3, null))
    assertThrows[WrongAnswer](shadow.check(4, Values.write(row, 4, 1)))
    shadow.check(4, null)
  }

  test("what was removed is not there") {
    val shadow = new Shadow(10)
    shadow.put(3, 2)
    shadow.remove(3)
    shadow.check(3, null)
    assertThrows[WrongAnswer](shadow.check(3, Values.write(row, 3, 2)))
    shadow.checkCount(0)
    assertThrows[WrongAnswer](shadow.checkCount(1))
  }

  test("a scan's key that nobody has put is wrong") {
    val shadow = new Shadow(10)
    shadow.put(9, 1)
    val key = new LongsRow(1)
    assert(shadow.check(key(Keys.of(9)), Values.write(row, 9, 1)) == 9)
    assertThrows[WrongAnswer](shadow.check(key(Keys.of(10)), Values.write(row, 10, 1)))
    assertThrows[WrongAnswer](shadow.check(key(7), Values.write(row, 7, 1)))
  }
}
