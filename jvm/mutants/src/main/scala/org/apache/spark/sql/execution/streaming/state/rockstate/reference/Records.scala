package org.apache.spark.sql.execution.streaming.state.rockstate.reference

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.RecordType
import org.apache.spark.util.NextIterator

/** An iterator as Spark's change feed wants it: of a class that only Spark's own packages can name. */
class Records(records: Iterator[(RecordType.Value, UnsafeRow, UnsafeRow, Long)])
    extends NextIterator[(RecordType.Value, UnsafeRow, UnsafeRow, Long)] {
  override protected def getNext(): (RecordType.Value, UnsafeRow, UnsafeRow, Long) =
    if (records.hasNext) records.next()
    else {
      finished = true
      null
    }

  override protected def close(): Unit = ()
}
