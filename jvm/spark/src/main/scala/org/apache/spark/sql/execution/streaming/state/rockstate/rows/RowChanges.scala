package org.apache.spark.sql.execution.streaming.state.rockstate.rows

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.RecordType
import org.apache.spark.sql.execution.streaming.state.RecordType.RecordType
import org.apache.spark.sql.execution.streaming.state.rockstate.codec.RowCodec
import org.apache.spark.sql.execution.streaming.state.rockstate.errors.InStore
import org.apache.spark.util.NextIterator

import io.rockstate.engine.recovery.ChangeFeed

/** The changes of one column family as rows: kind, key, value (null for a removal) and the batch that wrote them. A list of values is one
  * change for each of them: what follows the first was appended to it.
  */
private[rockstate] final class RowChanges(changes: ChangeFeed, codec: RowCodec, inStore: InStore)
    extends NextIterator[(RecordType, UnsafeRow, UnsafeRow, Long)] {
  private val family = codec.keys.all
  private var rest: Iterator[(RecordType, UnsafeRow, UnsafeRow, Long)] = Iterator.empty

  override protected def getNext(): (RecordType, UnsafeRow, UnsafeRow, Long) = {
    while (!rest.hasNext && nextChange()) if (family.contains(changes.key)) rest = rowsOf(changes)
    if (rest.hasNext) rest.next()
    else {
      finished = true
      null
    }
  }

  override protected def close(): Unit = changes.close()

  private def nextChange(): Boolean =
    try changes.next()
    catch inStore.tell

  private def rowsOf(change: ChangeFeed): Iterator[(RecordType, UnsafeRow, UnsafeRow, Long)] = {
    val (key, batch) = (codec.keys.decode(change.key), change.version - 1)
    if (change.isRemoval) Iterator.single((RecordType.DELETE_RECORD, key, null, batch))
    else {
      val kinds = Iterator.single(if (change.isMerge) RecordType.MERGE_RECORD else RecordType.PUT_RECORD) ++
        Iterator.continually(RecordType.MERGE_RECORD)
      kinds.zip(valuesOf(change)).map { case (kind, value) => (kind, key, value, batch) }
    }
  }

  private def valuesOf(change: ChangeFeed): Iterator[UnsafeRow] =
    if (codec.isMultiValued) codec.decodeValues(change.key, change.value)
    else Iterator.single(codec.decodeValue(change.key, change.value))
}
