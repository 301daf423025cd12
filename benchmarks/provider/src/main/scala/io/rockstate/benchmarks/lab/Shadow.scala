package io.rockstate.benchmarks.lab

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import io.rockstate.benchmarks.WrongAnswer

/** What the store must hold: how often each key was put, 0 if it is not there. Cheap enough to be asked in the timed part, and the same
  * for all contenders.
  */
final class Shadow(val keys: Int) {
  private val generations = new Array[Int](keys)

  def generation(number: Int): Int = generations(number)
  def put(number: Int, generation: Int): Unit = generations(number) = generation
  def remove(number: Int): Unit = generations(number) = 0
  def present: Int = generations.count(_ > 0)

  /** `WrongAnswer` unless `value` is what was put last for that key, null for none. */
  def check(number: Int, value: UnsafeRow): Unit = {
    val generation = generations(number)
    val right = if (value == null) generation == 0 else generation > 0 && Values.isRight(value, number, generation)
    if (!right) {
      throw new WrongAnswer(s"key number $number: expected put number $generation, the store has ${shown(value)}")
    }
  }

  /** The number of a key that a scan returned, whose value is right. */
  def check(key: UnsafeRow, value: UnsafeRow): Int = {
    val number = Keys.number(key.getLong(0))
    if (number < 0 || number >= keys) throw new WrongAnswer(s"a scan returned ${shown(key)}, which nobody has put")
    check(number.toInt, value)
    number.toInt
  }

  /** `WrongAnswer` unless a scan of all rows found as many as there are. */
  def checkCount(found: Int): Unit =
    if (found != present) throw new WrongAnswer(s"a scan returned $found rows of $present")

  private def shown(row: UnsafeRow): String =
    if (row == null) "none" else (0 until row.numFields).map(row.getLong).mkString("(", ", ", ")")
}
