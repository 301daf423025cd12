package io.rockstate.engine.loaded

import java.util.Arrays

import io.rockstate.db.DbIterator
import io.rockstate.engine.layers.LayerCursor
import io.rockstate.engine.records.{OrderedRows, Values}

/** Those of a view: the layers' changes merged with the database's rows.
  *
  * @param lend an iterator on the view's database, for these rows until it is taken back
  */
private[engine] final class CommittedRows(
    view: View,
    lend: CommittedRows => DbIterator,
    lower: Array[Byte],
    upper: Array[Byte]
) extends OrderedRows {
  private val cursors = LayerCursor.over(view.layers, lower, upper)
  private var leastChanged = LayerCursor.smallest(cursors) // no row of the database moves it
  private var lent: DbIterator = _
  private var baseKey: Array[Byte] = _
  private var currentKey: Array[Byte] = _
  private var changed: Array[Byte] = _ // the value if a layer has it; else it is the database's

  base.seek(lower)
  readBaseKey()
  settle()

  override def key: Array[Byte] = currentKey

  override def value: Array[Byte] = if (changed != null) changed else base.value

  override def close(): Unit = if (lent != null) lent.close()

  /** The iterator, for others to use; null if there is none. These rows go on with another. */
  def handBack(): DbIterator = {
    val free = lent
    lent = null
    free
  }

  /** How many rows have been passed. */
  var passed = 0L

  override def advance(): Unit = {
    passed += 1
    if (changed == null) nextBaseKey()
    settle()
  }

  /** Finds the first row at or after where the sources stand. */
  private def settle(): Unit = {
    var isFound = false
    while (!isFound) {
      val least = leastChanged
      val order = if (least == null) -1 else if (baseKey == null) 1 else Arrays.compareUnsigned(baseKey, least)
      if (order < 0) {
        currentKey = baseKey
        changed = null
        isFound = true
      } else {
        changed = pass(least, if (order == 0) base.value else null)
        currentKey = least
        leastChanged = LayerCursor.smallest(cursors)
        if (order == 0) nextBaseKey()
        isFound = changed != null
      }
    }
  }

  /** The key's value, and all cursors past it. */
  private def pass(key: Array[Byte], baseValue: Array[Byte]): Array[Byte] = {
    var value = baseValue
    var i = cursors.length - 1
    while (i >= 0) {
      val cursor = cursors(i)
      if (cursor.isAt(key)) {
        val record = cursor.record
        value =
          if (cursor.layer.isRemoval(record)) null
          else if (cursor.layer.isMerge(record)) Values.joined(value, cursor.layer.bytes(record))
          else cursor.layer.bytes(record)
        cursor.advance()
      }
      i -= 1
    }
    value
  }

  /** Where these rows stand. */
  private def base: DbIterator = {
    if (lent == null) {
      lent = lend(this)
      if (baseKey != null) lent.seek(baseKey)
    }
    lent
  }

  private def nextBaseKey(): Unit = {
    base.next()
    readBaseKey()
  }

  private def readBaseKey(): Unit =
    if (base.isValid) {
      val key = base.key
      baseKey = if (Arrays.compareUnsigned(key, upper) < 0) key else null
    } else baseKey = null
}
