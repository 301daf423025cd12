package io.rockstate.benchmarks.lab

import org.apache.spark.sql.execution.streaming.state.{StateStoreIterator, UnsafeRowPair}

import io.rockstate.benchmarks.{Sizes, WrongAnswer}

/** Rows whose key is a group and a number; each has been put once. */
final class PairRows private (rows: Int) {

  /** Drains a scan of so many rows from the group `start` on: `WrongAnswer` unless all are there, right and in the order of their groups. */
  def checkRange(scanned: StateStoreIterator[UnsafeRowPair], start: Long, count: Int): Unit = {
    var found = 0
    var last = start
    while (scanned.hasNext) {
      val pair = scanned.next()
      val group = pair.key.getLong(0)
      if (group < last) throw new WrongAnswer(s"$group comes after $last in a scan from $start")
      last = group
      check(pair)
      found += 1
    }
    scanned.close()
    if (found != count) throw new WrongAnswer(s"$found rows of $count from $start on")
  }

  /** `WrongAnswer` unless the value is the key's. */
  def check(pair: UnsafeRowPair): Unit = {
    val number = Keys.number(pair.key.getLong(1))
    if (number < 0 || number >= rows || !Values.isRight(pair.value, number.toInt, 1)) {
      throw new WrongAnswer(s"row number $number of $rows is not what was put")
    }
  }
}

object PairRows {

  /** Puts `groupRows` rows for each of `groups` groups, in random order of the groups' keys, and runs maintenance. */
  def load(
      store: StoreUnderTest,
      sizes: Sizes,
      groups: Int,
      groupRows: Int,
      groupKey: Int => Long = Keys.of
  ): PairRows = {
    val keyRow = new LongsRow(2)
    val valueRow = new LongsRow(3)
    val rows = groups * groupRows
    (0 until rows).grouped(sizes.batchRows).foreach { numbers =>
      store.batch { writer =>
        numbers.foreach { number =>
          writer.put(keyRow(groupKey(number % groups), Keys.of(number)), Values.write(valueRow, number, 1))
        }
      }
    }
    store.maintain()
    new PairRows(rows)
  }
}
