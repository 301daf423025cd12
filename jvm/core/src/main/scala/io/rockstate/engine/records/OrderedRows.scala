package io.rockstate.engine.records

/** The rows of a version in a range, in key order. Stands on the first one after construction. */
private[engine] trait OrderedRows {

  /** The current row's key, or null after the last one. */
  def key: Array[Byte]
  def value: Array[Byte]

  /** Moves to the next row. */
  def advance(): Unit
  def close(): Unit
}
