package org.apache.spark.sql.execution.streaming.state.rockstate.bootstrap

import java.util

import org.apache.spark.sql.connector.catalog.{SupportsRead, Table, TableCapability}
import org.apache.spark.sql.connector.read.{InputPartition, PartitionReaderFactory, Scan, ScanBuilder}
import org.apache.spark.sql.connector.read.streaming.{MicroBatchStream, Offset}
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.util.CaseInsensitiveStringMap

/** Stands for a stream, and has one batch, without a row. */
private[bootstrap] final class NoRows(override val schema: StructType) extends Table with SupportsRead {
  override def name: String = "rockstate-no-rows"
  override def capabilities: util.Set[TableCapability] = util.EnumSet.of(TableCapability.MICRO_BATCH_READ)
  override def newScanBuilder(options: CaseInsensitiveStringMap): ScanBuilder = () => new NoRowsScan(schema)
}

private final class NoRowsScan(override val readSchema: StructType) extends Scan {
  override def toMicroBatchStream(checkpointLocation: String): MicroBatchStream = new NoRowsStream
}

private final class NoRowsStream extends MicroBatchStream {
  import NoRowsStream._

  override def initialOffset: Offset = Before
  override def latestOffset: Offset = After
  override def deserializeOffset(json: String): Offset = NoRowsOffset(json)
  override def planInputPartitions(start: Offset, end: Offset): Array[InputPartition] = Array.empty
  override def createReaderFactory: PartitionReaderFactory = _ => throw new NoSuchElementException("there are no rows")
  override def commit(end: Offset): Unit = ()
  override def stop(): Unit = ()
}

private object NoRowsStream {

  /** No source takes this, and says what it is: so a checkpoint that was cut off while it was begun is seen to be. */
  val After: NoRowsOffset = NoRowsOffset("\"rockstate: this checkpoint was not finished\"")
  val Before: NoRowsOffset = NoRowsOffset("\"\"")

  /** Whether an offset log says so of a source, or nothing. */
  def isOf(offset: String): Boolean = offset.trim == "-" || offset.contains(After.json)
}

private final case class NoRowsOffset(override val json: String) extends Offset
