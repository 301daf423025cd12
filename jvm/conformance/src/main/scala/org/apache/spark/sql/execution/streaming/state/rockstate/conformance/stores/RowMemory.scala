package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import java.util.concurrent.atomic.AtomicLong

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.rockstate.conformance.command.UsageException
import org.apache.spark.unsafe.Platform

/** Where the rows lie that a store is called with. */
private[conformance] sealed trait RowMemory {
  def copyOf(row: UnsafeRow): UnsafeRow

  protected final def copied(row: UnsafeRow, to: Array[Byte], offset: Long): UnsafeRow = {
    val size = row.getSizeInBytes
    Platform.copyMemory(row.getBaseObject, row.getBaseOffset, to, offset, size.toLong)
    val copy = new UnsafeRow(row.numFields)
    copy.pointTo(to, offset, size)
    copy
  }
}

private[conformance] object RowMemory {
  private val Start = Platform.BYTE_ARRAY_OFFSET.toLong
  private val WordBytes = 8

  def named(name: String): RowMemory = name match {
    case "within_another" => WithinAnother
    case "longer_buffer" => LongerBuffer
    case "whole_array" => WholeArray
    case "off_heap" => OffHeap
    case other => throw new UsageException(s"no memory $other")
  }

  /** In the midst of an array, as a struct within another row is. */
  case object WithinAnother extends RowMemory {
    override def copyOf(row: UnsafeRow): UnsafeRow =
      copied(row, scribbled(row.getSizeInBytes + 2 * WordBytes), Start + WordBytes)
  }

  /** At the beginning of an array that is longer, as that of a projection is. */
  case object LongerBuffer extends RowMemory {
    override def copyOf(row: UnsafeRow): UnsafeRow = copied(row, scribbled(row.getSizeInBytes + 8 * WordBytes), Start)
  }

  /** All of an array, as rows without texts are in the buffers that operators use again: `UnsafeRow.getBytes` gives that array then. */
  case object WholeArray extends RowMemory {
    override def copyOf(row: UnsafeRow): UnsafeRow = copied(row, scribbled(row.getSizeInBytes), Start)
  }

  /** Outside the heap, as rows of a sort or an aggregation are with spark.memory.offHeap.enabled; the memory is used again and never
    * given back, so that a provider that has kept a row finds others there.
    */
  case object OffHeap extends RowMemory {
    private val Bytes = 1L << 20
    private lazy val address = Platform.allocateMemory(Bytes)
    private val used = new AtomicLong

    override def copyOf(row: UnsafeRow): UnsafeRow = {
      val size = row.getSizeInBytes.toLong
      val end = used.updateAndGet(last => (if (last + size > Bytes) 0L else last) + size)
      copied(row, null, address + end - size)
    }
  }

  private def scribbled(bytes: Int): Array[Byte] = Array.fill(bytes)(Cells.Scribble.toByte)
}
