package io.rockstate.benchmarks.lab

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.{ReadStateStore, StateStore}

/** What operators do to the rows of a plain store, checked against the shadow. */
final class PlainRows(shadow: Shadow) {
  private val keyRow = new LongsRow(1)
  private val valueRow = new LongsRow(3)

  def key(number: Int): UnsafeRow = keyRow(Keys.of(number))

  /** For every key in turn: reads it, then puts its next value. */
  def getAndPut(store: StateStore, numbers: Array[Int]): Unit = {
    var i = 0
    while (i < numbers.length) {
      val number = numbers(i)
      val keyOfNumber = key(number)
      shadow.check(number, store.get(keyOfNumber))
      putNext(store, number, keyOfNumber)
      i += 1
    }
  }

  /** Reads every key. */
  def getAll(store: ReadStateStore, numbers: Array[Int]): Unit = {
    var i = 0
    while (i < numbers.length) {
      shadow.check(numbers(i), store.get(key(numbers(i))))
      i += 1
    }
  }

  /** Puts the next value of every key. */
  def putAll(store: StateStore, numbers: Array[Int]): Unit = {
    var i = 0
    while (i < numbers.length) {
      putNext(store, numbers(i), key(numbers(i)))
      i += 1
    }
  }

  /** Puts what must never be seen: a transaction that is going to be aborted. */
  def putLies(store: StateStore, numbers: Array[Int]): Unit = {
    var i = 0
    while (i < numbers.length) {
      store.put(key(numbers(i)), Values.write(valueRow, numbers(i), -1))
      i += 1
    }
  }

  private def putNext(store: StateStore, number: Int, keyOfNumber: UnsafeRow): Unit = {
    val next = shadow.generation(number) + 1
    store.put(keyOfNumber, Values.write(valueRow, number, next))
    shadow.put(number, next)
  }
}
