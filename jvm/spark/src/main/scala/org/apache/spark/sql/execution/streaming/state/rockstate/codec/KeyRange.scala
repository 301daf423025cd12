package org.apache.spark.sql.execution.streaming.state.rockstate.codec

import java.util

/** Engine keys with `lower <= key < upper`; a null `upper` is no bound. */
private[rockstate] final case class KeyRange(lower: Array[Byte], upper: Array[Byte]) {
  def contains(key: Array[Byte]): Boolean =
    util.Arrays.compareUnsigned(lower, key) <= 0 && (upper == null || util.Arrays.compareUnsigned(key, upper) < 0)
}

private[rockstate] object KeyRange {

  /** Every key that starts with `prefix`. */
  def ofPrefix(prefix: Array[Byte]): KeyRange = KeyRange(prefix, successor(prefix))

  /** The least key greater than all keys that start with `prefix`, or null if there is none. */
  private def successor(prefix: Array[Byte]): Array[Byte] = {
    var last = prefix.length - 1
    while (last >= 0 && prefix(last) == -1) last -= 1
    if (last < 0) null
    else {
      val next = util.Arrays.copyOf(prefix, last + 1)
      next(last) = (next(last) + 1).toByte
      next
    }
  }
}
