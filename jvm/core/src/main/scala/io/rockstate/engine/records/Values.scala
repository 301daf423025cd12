package io.rockstate.engine.records

import java.util.Arrays

import io.rockstate.format.wire.WriteBatchRecords

/** What records do to values. */
private[engine] object Values {

  /** What a merge makes of a value; null counts as empty. */
  def joined(value: Array[Byte], operand: Array[Byte]): Array[Byte] =
    if (value == null) operand
    else {
      val bytes = Arrays.copyOf(value, WriteBatchRecords.requireRow(value.length.toLong + operand.length))
      System.arraycopy(operand, 0, bytes, value.length, operand.length)
      bytes
    }
}
